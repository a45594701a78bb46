"""Transfers of ring games: buy-in, cash-out, rake and jackpots, each under its own key (A-03).

The account `ring` of a table holds the money of all chips at it: chips at its seats, and those of
its sessions that are `coming`. A rapid pool has one account for all its players, in hands or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.conf import settings

from accounts.ledger.transfers import Order, PostingRequest, account
from accounts.models import Account, AccountKind
from tables.models import Table
from tables.ring.models import RapidStay, RingGame, RingSession

DIRECTOR = "ring"
"""Name of the director in the rows of ring tables, and the first part of account references."""

RAPID = "rapid"
"""Name of the director of rapid pools, and the first part of references to a pool's account."""

DIRECTORS = (DIRECTOR, RAPID)
"""Names of the directors of all tables for money."""

BUY_IN, CASH_OUT, RAKE, JACKPOT = "ring_buy_in", "ring_cash_out", "ring_rake", "ring_jackpot"
"""Kinds of transfers."""


def overdraft(game: RingGame) -> int:
    """Return the debt down to which a buy-in of a game may take an account (A-02)."""
    return int(settings.RING_OVERDRAFT_CENTS) if game.entry_level else 0


def chips_account(table_id: int) -> Account:
    """Return the account that holds the money of all chips at a table."""
    return account(AccountKind.RING, ref=f"{DIRECTOR}:{table_id}")


def rapid_account(game_id: int) -> Account:
    """Return the account that holds the money of all chips of a rapid pool."""
    return account(AccountKind.RING, ref=f"{RAPID}:{game_id}")


def _chips_of(session: RingSession) -> Account:
    if session.table_id is None:
        return rapid_account(session.game_id)
    return chips_account(session.table_id)


def rake_account(table_id: int) -> Account:
    """Return the account of a table's rake: one of each table, so that no table waits."""
    return account(AccountKind.FEE, ref=f"{DIRECTOR}:{table_id}")


def pool_account(kind: str) -> Account:
    """Return the account of a jackpot's pool."""
    return account(AccountKind.JACKPOT, ref=kind)


def buy_in(session: RingSession, amount: int) -> Order:
    """Return the transfer of a buy-in or top-up: `purchases` of the session makes its key.

    At an entry-level game the account may be overdrawn down to the limit of the room (A-02).
    """
    return Order(
        key=f"ring-in:{session.pk}:{session.purchases}",
        kind=BUY_IN,
        postings=[
            PostingRequest(account(AccountKind.PLAYER, user=session.user), -amount),
            PostingRequest(_chips_of(session), amount),
        ],
        overdraft=overdraft(session.game),
    )


def cash_out(session: RingSession, amount: int) -> Order:
    """Return the transfer of a stack back to its player; a session has one."""
    return Order(
        key=f"ring-out:{session.pk}",
        kind=CASH_OUT,
        postings=[
            PostingRequest(_chips_of(session), -amount),
            PostingRequest(account(AccountKind.PLAYER, user=session.user), amount),
        ],
    )


def returned(stay: RapidStay, amount: int) -> Order:
    """Return the transfer of chips of a void hand to a player who has left the pool since."""
    session = stay.session
    return Order(
        key=f"ring-void:{stay.pk}",
        kind=CASH_OUT,
        postings=[
            PostingRequest(rapid_account(session.game_id), -amount),
            PostingRequest(account(AccountKind.PLAYER, user=session.user), amount),
        ],
    )


def rake(table: Table, hand: int, amount: int, fed: Mapping[str, int]) -> Order:
    """Return the transfer of a hand's rake; `fed` is the part of each jackpot by its kind."""
    room = amount - sum(fed.values())
    held = rapid_account(table.game) if table.director == RAPID else chips_account(table.pk)
    postings = [PostingRequest(held, -amount)]
    if room:
        postings.append(PostingRequest(rake_account(table.pk), room))
    postings += [PostingRequest(pool_account(kind), part) for kind, part in fed.items() if part]
    return Order(key=f"ring-rake:{table.pk}:{hand}", kind=RAKE, postings=postings)


def jackpot(
    table: Table, hand: int, kind: str, paid: Iterable[tuple[Account, int]], room: int
) -> Order:
    """Return the transfer of a jackpot that fell: to players' accounts, and the room's part."""
    postings = [PostingRequest(to, amount) for to, amount in paid]
    if room:
        postings.append(PostingRequest(rake_account(table.pk), room))
    total = sum(posting.amount for posting in postings)
    postings.insert(0, PostingRequest(pool_account(kind), -total))
    return Order(key=f"ring-jackpot:{kind}:{table.pk}:{hand}", kind=JACKPOT, postings=postings)
