"""Bookings of tournaments in the ledger: prices, refunds, pool and prizes, each exactly once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from accounts.ledger import transfers
from accounts.ledger.transfers import Order, PostingRequest
from accounts.models import Account, AccountKind, Transfer, User
from tournaments.models import Entry, Offer, Ticket, Tournament


def pool(tournament: Tournament) -> Account:
    """Return the account that holds the buy-ins until the prizes are paid (T-03)."""
    return transfers.account(AccountKind.POOL, ref=tournament.member)


def bounties(tournament: Tournament) -> Account:
    """Return the account that holds the bounties until they are won (N-01)."""
    return transfers.account(AccountKind.BOUNTY, ref=tournament.member)


def fees() -> Account:
    """Return the room's account for income from entry fees (T-03)."""
    return transfers.account(AccountKind.FEE)


def room() -> Account:
    """Return the room's account for its income and its payments to winners (N-02, K-04)."""
    return transfers.account(AccountKind.ROOM)


def player(user: User) -> Account:
    """Return a player's account."""
    return transfers.account(AccountKind.PLAYER, user=user)


def bonus(user: User) -> Account:
    """Return a player's bonus account, which pays for entries only (K-03)."""
    return transfers.account(AccountKind.BONUS, user=user)


def from_bonus(user: User, price: int, *, lock: bool) -> int:
    """Return the part of a price that a player's bonus pays (K-03).

    With `lock` the player's accounts are locked until the end of the transaction: only where it
    books no other player's account. Without it the ledger refuses a bonus that was spent meanwhile.
    """
    held = transfers.held_by(user, AccountKind.BONUS) if price else 0
    if held and lock:
        held = transfers.locked_balances(user).get(AccountKind.BONUS, 0)
    return min(price, held)


def covers(user: User, tournament: Tournament) -> bool:
    """Return whether a player's bonus and account together cover the price of an entry (K-03).

    The bonus does not buy chips with cash value: it would become money at once (A-04).
    """
    extra = 0 if tournament.cash_value else transfers.held_by(user, AccountKind.BONUS)
    rest = max(0, tournament.price - extra)
    return not rest or transfers.held_by(user) >= rest


def tickets() -> Account:
    """Return the account of the room's liability for all valid tickets (K-04)."""
    return transfers.account(AccountKind.TICKET)


class Till(NamedTuple):
    """Accounts of the parts of a price: prize pool, bounties, the room's fees (T-03, N-01)."""

    pool: Account
    bounties: Account | None
    fees: Account


def till(tournament: Tournament) -> Till:
    """Return the accounts for a tournament's prices, opened before any lock is taken."""
    heads = bounties(tournament) if tournament.bounty else None
    return Till(pool(tournament), heads, fees())


def price(entry: Entry, payer: Account, till: Till) -> list[Order]:
    """Order the transfer of a price to pool and room (T-03); none for a freeroll (T-10)."""
    postings = [PostingRequest(payer, entry.paid_bonus - entry.paid), *_parts(entry, till, sign=1)]
    if entry.paid_bonus:
        postings.append(PostingRequest(bonus(entry.user), -entry.paid_bonus))
    return order(f"registration:{entry.pk}", "registration", postings)


def chips(tournament: Tournament, offer: Offer) -> list[Order]:
    """Order a re-buy or add-on: its price to the pool, its fee to the room (E-04, E-05, Z-01)."""
    postings = [
        PostingRequest(player(offer.entry.user), -offer.cost),
        PostingRequest(pool(tournament), offer.price),
        PostingRequest(fees(), offer.fee),
    ]
    return order(f"{offer.kind}:{offer.pk}", offer.kind, postings)


def price_by_ticket(entry: Entry, ticket: Ticket, rest_to: Account, till: Till) -> list[Order]:
    """Order the transfer of a price paid by ticket; the surplus goes to `rest_to` (K-03, K-04)."""
    postings = [
        PostingRequest(tickets(), -ticket.value),
        PostingRequest(rest_to, ticket.value - entry.paid),
        *_parts(entry, till, sign=1),
    ]
    return order(f"registration:{entry.pk}", "registration", postings)


def refunds(
    tournament: Tournament, entries: Sequence[Entry], in_tickets: Collection[int] = ()
) -> list[Order]:
    """Order the full refund of entries (T-06, T-12), `in_tickets` of them as a ticket (K-05)."""
    sources = till(tournament)
    paid = [entry for entry in entries if entry.paid]
    payees = accounts_of(entry.user_id for entry in paid)
    return [
        transfer
        for entry in paid
        for transfer in order(
            f"refund:{entry.pk}",
            "refund",
            [
                *_parts(entry, sources, sign=-1),
                *_back(entry, payees[entry.user_id], as_ticket=entry.pk in in_tickets),
            ],
        )
    ]


def ticket_part(entry: Entry) -> int:
    """Return the cents of an entry paid by ticket; later chips were paid in money (K-03)."""
    return min(entry.paid, entry.tournament.price)


def fees_back(entries: Iterable[Entry]) -> list[Order]:
    """Order the return of live entries' fees on cancelling before the money (T-12)."""
    income = fees()
    paid = [entry for entry in entries if entry.paid_fee]
    payees = accounts_of(entry.user_id for entry in paid)
    return [
        transfer
        for entry in paid
        for transfer in order(
            f"refund:{entry.pk}",
            "refund",
            [
                PostingRequest(income, -entry.paid_fee),
                PostingRequest(payees[entry.user_id], entry.paid_fee),
            ],
        )
    ]


def prizes(
    tournament: Tournament, entries: Iterable[Entry], as_ticket: Mapping[int, int] = {}
) -> list[Order]:
    """Order the prizes of placed entries, from the pool to their players (Z-04).

    `as_ticket` maps entries to the cents of their prize that the room owes as a ticket (K-07).
    """
    source = pool(tournament)
    owed = tickets() if as_ticket else source
    paid = [entry for entry in entries if entry.prize]
    payees = accounts_of(entry.user_id for entry in paid)
    return [
        transfer
        for entry in paid
        for transfer in order(
            _prize_key(tournament, entry),
            _prize_kind(tournament, entry),
            [
                PostingRequest(source, -entry.prize),
                PostingRequest(owed, as_ticket.get(entry.pk, 0)),
                PostingRequest(payees[entry.user_id], entry.prize - as_ticket.get(entry.pk, 0)),
            ],
        )
    ]


def unpaid(
    tournament: Tournament, entries: Iterable[Entry], ordered: Collection[str]
) -> list[Entry]:
    """Return those of the entries that won a prize and have not been paid it.

    `ordered` are the keys of transfers that this transaction books at its end: the entries of one
    table may go out one after the other in it, and the last of them ends the tournament (A-04).
    """
    keys = {_prize_key(tournament, entry): entry for entry in entries if entry.prize}
    paid = set(Transfer.objects.filter(key__in=keys).values_list("key", flat=True))
    paid.update(ordered)
    return [entry for key, entry in keys.items() if key not in paid]


def bounty(
    tournament: Tournament, key: str, shares: Mapping[int, int], room_pays: int
) -> list[Order]:
    """Order bounties to players (user -> cents); the room pays `room_pays` of their sum.

    Without shares the room pays into the bounty account, until the end (N-06).
    """
    payees = accounts_of(user for user, amount in shares.items() if amount)
    postings = [PostingRequest(payees[user], amount) for user, amount in shares.items() if amount]
    if held := sum(posting.amount for posting in postings) - room_pays:
        postings.append(PostingRequest(bounties(tournament), -held))
    if room_pays:
        postings.append(PostingRequest(room(), -room_pays))
    return order(f"bounty:{tournament.pk}:{key}", "bounty", postings)


def bounties_back(tournament: Tournament, amount: int) -> list[Order]:
    """Order the return of the room's bounties for knock-outs on a full refund (T-12)."""
    if not amount:
        return []
    postings = [PostingRequest(bounties(tournament), -amount), PostingRequest(room(), amount)]
    return order(f"bounty_back:{tournament.pk}", "overlay_back", postings)


def accounts_of(users: Iterable[int]) -> dict[int, Account]:
    """Return the players' accounts by user in one query; each was opened by an earlier payment."""
    wanted = set(users)
    rows = Account.objects.filter(kind=AccountKind.PLAYER, user__in=wanted, ref="")
    accounts = {row.user_id: row for row in rows if row.user_id is not None}
    for missing in wanted - accounts.keys():
        accounts[missing] = player(User.objects.get(pk=missing))
    return accounts


def ticket_issued(ticket: Ticket) -> list[Order]:
    """Order the room's liability for a ticket, from the day of its issue (K-04)."""
    postings = [PostingRequest(room(), -ticket.value), PostingRequest(tickets(), ticket.value)]
    return order(f"ticket:{ticket.pk}", "ticket", postings)


def tickets_closed(closed: Sequence[Ticket], *, to_owner: bool) -> list[Order]:
    """Order the worth of closed tickets to their owners (K-06) or back to the room (K-01)."""
    payees = accounts_of(ticket.owner_id for ticket in closed) if to_owner else {}
    kind = "ticket_exchange" if to_owner else "ticket_end"
    return [
        transfer
        for ticket in closed
        for transfer in order(
            f"ticket_end:{ticket.pk}",
            kind,
            [
                PostingRequest(tickets(), -ticket.value),
                PostingRequest(payees[ticket.owner_id] if to_owner else room(), ticket.value),
            ],
        )
    ]


def order(key: str, kind: str, postings: list[PostingRequest]) -> list[Order]:
    """Return one transfer of all postings that are not zero; none without such postings."""
    moving = [posting for posting in postings if posting.amount]
    return [Order(key, kind, moving)] if moving else []


def _prize_key(tournament: Tournament, entry: Entry) -> str:
    """Return the key of the only booking of an entry's prize."""
    return f"{_prize_kind(tournament, entry)}:{tournament.pk}:{entry.pk}"


def _prize_kind(tournament: Tournament, entry: Entry) -> str:
    """Return the kind of a prize's booking: a stack that left play has its own kind (A-04)."""
    return "cash_out" if tournament.cash_value and entry.dead_chips else "prize"


def _back(entry: Entry, payee: Account, *, as_ticket: bool) -> list[PostingRequest]:
    if as_ticket:
        by_ticket = ticket_part(entry)
        return [PostingRequest(tickets(), by_ticket), PostingRequest(payee, entry.paid - by_ticket)]
    postings = [PostingRequest(payee, entry.paid - entry.paid_bonus)]
    if entry.paid_bonus:
        postings.append(PostingRequest(bonus(entry.user), entry.paid_bonus))
    return postings


def _parts(entry: Entry, till: Till, *, sign: int) -> list[PostingRequest]:
    """Postings of an entry's price: to its accounts (sign 1) or back from them (sign -1)."""
    parts = [
        PostingRequest(till.pool, sign * entry.paid_buy_in),
        PostingRequest(till.fees, sign * entry.paid_fee),
    ]
    if entry.paid_bounty:
        assert till.bounties is not None, "a paid bounty has an account"
        parts.append(PostingRequest(till.bounties, sign * entry.paid_bounty))
    return parts
