"""What tournaments ask the ledger for: prices, refunds, the pool and prizes, each exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accounts import ledger
from accounts.ledger import Order, Posting
from accounts.models import Account, AccountKind, User
from tournaments.models import Entry, Tournament


def pool(tournament: Tournament) -> Account:
    """The account that holds the buy-ins until they are prizes (T-03)."""
    return ledger.account(AccountKind.POOL, ref=tournament.member)


def fees() -> Account:
    """The room's income from entry fees (T-03)."""
    return ledger.account(AccountKind.FEE)


def room() -> Account:
    """The account the room pays guarantees and added money from (Z-01)."""
    return ledger.account(AccountKind.ROOM)


def player(user: User) -> Account:
    """A player's account."""
    return ledger.account(AccountKind.PLAYER, user=user)


def price(entry: Entry, payer: Account, pool: Account, fees: Account) -> list[Order]:
    """Buy-in to the pool, fee to the room (T-03); a freeroll moves nothing (T-10)."""
    postings = [
        Posting(payer, -(entry.paid_buy_in + entry.paid_fee)),
        Posting(pool, entry.paid_buy_in),
        Posting(fees, entry.paid_fee),
    ]
    return _order(f"registration:{entry.pk}", "registration", postings)


def refunds(tournament: Tournament, entries: Sequence[Entry]) -> list[Order]:
    """Everything back as it was paid (T-06, T-12)."""
    source, income = pool(tournament), fees()
    payees = accounts_of(entry.user_id for entry in entries if entry.paid_buy_in + entry.paid_fee)
    orders: list[Order] = []
    for entry in entries:
        back = entry.paid_buy_in + entry.paid_fee
        if back:
            postings = [
                Posting(source, -entry.paid_buy_in),
                Posting(income, -entry.paid_fee),
                Posting(payees[entry.user_id], back),
            ]
            orders += _order(f"refund:{entry.pk}", "refund", postings)
    return orders


def overlay(tournament: Tournament, amount: int) -> list[Order]:
    """What the room adds to the pool: money added, and the rest of a guarantee (Z-01)."""
    postings = [Posting(room(), -amount), Posting(pool(tournament), amount)]
    return _order(f"overlay:{tournament.pk}", "overlay", postings)


def overlay_back(tournament: Tournament, amount: int) -> list[Order]:
    """An overlay returns to the room when a tournament is cancelled (T-12)."""
    postings = [Posting(pool(tournament), -amount), Posting(room(), amount)]
    return _order(f"overlay_back:{tournament.pk}", "overlay_back", postings)


def fees_back(entries: Iterable[Entry]) -> list[Order]:
    """The fees of those left go back when it is cancelled before the money (T-12)."""
    income = fees()
    paid = [entry for entry in entries if entry.paid_fee]
    payees = accounts_of(entry.user_id for entry in paid)
    return [
        order
        for entry in paid
        for order in _order(
            f"refund:{entry.pk}",
            "refund",
            [Posting(income, -entry.paid_fee), Posting(payees[entry.user_id], entry.paid_fee)],
        )
    ]


def prizes(tournament: Tournament, entries: Iterable[Entry]) -> list[Order]:
    """The prizes of placed entries, from the pool to their players (Z-04)."""
    source = pool(tournament)
    paid = [entry for entry in entries if entry.prize]
    payees = accounts_of(entry.user_id for entry in paid)
    return [
        order
        for entry in paid
        for order in _order(
            f"prize:{tournament.pk}:{entry.pk}",
            "prize",
            [Posting(source, -entry.prize), Posting(payees[entry.user_id], entry.prize)],
        )
    ]


def accounts_of(users: Iterable[int]) -> dict[int, Account]:
    """The players' accounts by user, in one query; all of them were opened by paying once."""
    wanted = set(users)
    rows = Account.objects.filter(kind=AccountKind.PLAYER, user__in=wanted, ref="")
    found = {row.user_id: row for row in rows if row.user_id is not None}
    for missing in wanted - found.keys():
        found[missing] = player(User.objects.get(pk=missing))
    return found


def _order(key: str, kind: str, postings: list[Posting]) -> list[Order]:
    moving = [posting for posting in postings if posting.amount]
    return [Order(key, kind, moving)] if moving else []
