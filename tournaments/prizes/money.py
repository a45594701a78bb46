"""What tournaments ask the ledger for: prices, refunds, the pool and prizes, each exactly once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from accounts.ledger import transfers
from accounts.ledger.transfers import Order, Posting
from accounts.models import Account, AccountKind, User
from tournaments.models import Entry, Offer, Ticket, Tournament


class Payments:
    """Collects what one transaction has to book; `book` is called once, before the outbox.

    Booking everything in one step takes the accounts' locks in one order, so that transactions
    with players in common cannot wait for each other in a circle.
    """

    def __init__(self) -> None:
        self._orders: list[Order] = []

    def add(self, orders: Iterable[Order]) -> None:
        """Ask for these transfers, after those that were asked for before."""
        self._orders += orders

    def book(self) -> None:
        """Book everything that was asked for, all or none."""
        orders, self._orders = self._orders, []
        if orders:
            transfers.transfer_all(orders)


def pool(tournament: Tournament) -> Account:
    """The account that holds the buy-ins until they are prizes (T-03)."""
    return transfers.account(AccountKind.POOL, ref=tournament.member)


def bounties(tournament: Tournament) -> Account:
    """The account that holds the bounties until they are won (N-01)."""
    return transfers.account(AccountKind.BOUNTY, ref=tournament.member)


def fees() -> Account:
    """The room's income from entry fees (T-03)."""
    return transfers.account(AccountKind.FEE)


def room() -> Account:
    """The account of the room: what it keeps, and what it owes to winners (N-02, K-04)."""
    return transfers.account(AccountKind.ROOM)


def player(user: User) -> Account:
    """A player's account."""
    return transfers.account(AccountKind.PLAYER, user=user)


def bonus(user: User) -> Account:
    """What a player got as a bonus: it pays for entries, and nothing else (K-03)."""
    return transfers.account(AccountKind.BONUS, user=user)


def from_bonus(user: User, price: int, *, lock: bool) -> int:
    """How much of a price a player's bonus pays (K-03).

    With `lock` his accounts are locked from now on: only where nobody else's are booked in the
    same transaction. Without it the ledger refuses a bonus that was spent meanwhile.
    """
    held = transfers.held_by(user, AccountKind.BONUS) if price else 0
    if held and lock:
        held = transfers.locked_balances(user).get(AccountKind.BONUS, 0)
    return min(price, held)


def covers(user: User, tournament: Tournament) -> bool:
    """Whether a player's money pays for an entry now: the bonus first, then the account (K-03).

    A bonus that bought chips with cash value would be money at once (A-04).
    """
    extra = 0 if tournament.cash_value else transfers.held_by(user, AccountKind.BONUS)
    rest = max(0, tournament.price - extra)
    return not rest or transfers.held_by(user) >= rest


def tickets() -> Account:
    """What the room owes for all valid tickets (K-04)."""
    return transfers.account(AccountKind.TICKET)


class Till(NamedTuple):
    """Where the parts of a price go: prize pool, bounties, the room's fees (T-03, N-01)."""

    pool: Account
    bounties: Account | None
    fees: Account


def till(tournament: Tournament) -> Till:
    """The accounts that take a tournament's prices; opened before anything is locked."""
    heads = bounties(tournament) if tournament.bounty else None
    return Till(pool(tournament), heads, fees())


def price(entry: Entry, payer: Account, till: Till) -> list[Order]:
    """Buy-in to the pool, fee to the room (T-03); a freeroll moves nothing (T-10)."""
    postings = [Posting(payer, entry.paid_bonus - entry.paid), *_parts(entry, till, sign=1)]
    if entry.paid_bonus:
        postings.append(Posting(bonus(entry.user), -entry.paid_bonus))
    return order(f"registration:{entry.pk}", "registration", postings)


def chips(tournament: Tournament, offer: Offer) -> list[Order]:
    """A re-buy or an add-on: its price to the pool, its fee to the room (E-04, E-05, Z-01)."""
    postings = [
        Posting(player(offer.entry.user), -offer.cost),
        Posting(pool(tournament), offer.price),
        Posting(fees(), offer.fee),
    ]
    return order(f"{offer.kind}:{offer.pk}", offer.kind, postings)


def price_by_ticket(entry: Entry, ticket: Ticket, rest_to: Account, till: Till) -> list[Order]:
    """The ticket pays like money; what it is worth too much goes to its owner (K-03, K-04)."""
    postings = [
        Posting(tickets(), -ticket.value),
        Posting(rest_to, ticket.value - entry.paid),
        *_parts(entry, till, sign=1),
    ]
    return order(f"registration:{entry.pk}", "registration", postings)


def refunds(
    tournament: Tournament, entries: Sequence[Entry], in_tickets: Collection[int] = ()
) -> list[Order]:
    """Everything back as it was paid (T-06, T-12), to entries `in_tickets` as a ticket (K-05)."""
    sources = till(tournament)
    paid = [entry for entry in entries if entry.paid]
    payees = accounts_of(entry.user_id for entry in paid)
    return [
        made
        for entry in paid
        for made in order(
            f"refund:{entry.pk}",
            "refund",
            [
                *_parts(entry, sources, sign=-1),
                *_back(entry, payees[entry.user_id], as_ticket=entry.pk in in_tickets),
            ],
        )
    ]


def ticket_part(entry: Entry) -> int:
    """What a ticket paid of an entry, in cents; chips that came later were paid in money (K-03)."""
    return min(entry.paid, entry.tournament.price)


def fees_back(entries: Iterable[Entry]) -> list[Order]:
    """The fees of those left go back when it is cancelled before the money (T-12)."""
    income = fees()
    paid = [entry for entry in entries if entry.paid_fee]
    payees = accounts_of(entry.user_id for entry in paid)
    return [
        made
        for entry in paid
        for made in order(
            f"refund:{entry.pk}",
            "refund",
            [Posting(income, -entry.paid_fee), Posting(payees[entry.user_id], entry.paid_fee)],
        )
    ]


def prizes(
    tournament: Tournament, entries: Iterable[Entry], as_ticket: Mapping[int, int] = {}
) -> list[Order]:
    """The prizes of placed entries, from the pool to their players (Z-04).

    `as_ticket` are the cents of an entry's prize that the room owes as a ticket (K-07).
    """
    source = pool(tournament)
    owed = tickets() if as_ticket else source
    paid = [entry for entry in entries if entry.prize]
    payees = accounts_of(entry.user_id for entry in paid)
    return [
        made
        for entry in paid
        for made in order(
            f"{_prize_kind(tournament, entry)}:{tournament.pk}:{entry.pk}",
            _prize_kind(tournament, entry),
            [
                Posting(source, -entry.prize),
                Posting(owed, as_ticket.get(entry.pk, 0)),
                Posting(payees[entry.user_id], entry.prize - as_ticket.get(entry.pk, 0)),
            ],
        )
    ]


def bounty(
    tournament: Tournament, key: str, shares: Mapping[int, int], room_pays: int
) -> list[Order]:
    """Bounties at once: what the players (user -> cents) get, of it `room_pays` by the room.

    Without shares the room pays into the bounty account, for the end (N-06).
    """
    payees = accounts_of(user for user, amount in shares.items() if amount)
    postings = [Posting(payees[user], amount) for user, amount in shares.items() if amount]
    if held := sum(posting.amount for posting in postings) - room_pays:
        postings.append(Posting(bounties(tournament), -held))
    if room_pays:
        postings.append(Posting(room(), -room_pays))
    return order(f"bounty:{tournament.pk}:{key}", "bounty", postings)


def bounties_back(tournament: Tournament, amount: int) -> list[Order]:
    """What the room paid for knock-outs returns to it when all is given back (T-12)."""
    if not amount:
        return []
    postings = [Posting(bounties(tournament), -amount), Posting(room(), amount)]
    return order(f"bounty_back:{tournament.pk}", "overlay_back", postings)


def accounts_of(users: Iterable[int]) -> dict[int, Account]:
    """The players' accounts by user, in one query; all of them were opened by paying once."""
    wanted = set(users)
    rows = Account.objects.filter(kind=AccountKind.PLAYER, user__in=wanted, ref="")
    found = {row.user_id: row for row in rows if row.user_id is not None}
    for missing in wanted - found.keys():
        found[missing] = player(User.objects.get(pk=missing))
    return found


def ticket_issued(ticket: Ticket) -> list[Order]:
    """The room owes what a ticket is worth from the day it gives it away (K-04)."""
    postings = [Posting(room(), -ticket.value), Posting(tickets(), ticket.value)]
    return order(f"ticket:{ticket.pk}", "ticket", postings)


def tickets_closed(closed: Sequence[Ticket], *, to_owner: bool) -> list[Order]:
    """What tickets were worth goes to their owners (K-06), or back to the room (K-01)."""
    payees = accounts_of(ticket.owner_id for ticket in closed) if to_owner else {}
    kind = "ticket_exchange" if to_owner else "ticket_end"
    return [
        made
        for ticket in closed
        for made in order(
            f"ticket_end:{ticket.pk}",
            kind,
            [
                Posting(tickets(), -ticket.value),
                Posting(payees[ticket.owner_id] if to_owner else room(), ticket.value),
            ],
        )
    ]


def order(key: str, kind: str, postings: list[Posting]) -> list[Order]:
    """One transfer of the postings that move something; none when nothing moves."""
    moving = [posting for posting in postings if posting.amount]
    return [Order(key, kind, moving)] if moving else []


def _prize_kind(tournament: Tournament, entry: Entry) -> str:
    """A stack that left play is paid out as what it is (A-04)."""
    return "cash_out" if tournament.cash_value and entry.dead_chips else "prize"


def _back(entry: Entry, payee: Account, *, as_ticket: bool) -> list[Posting]:
    if as_ticket:
        by_ticket = ticket_part(entry)
        return [Posting(tickets(), by_ticket), Posting(payee, entry.paid - by_ticket)]
    postings = [Posting(payee, entry.paid - entry.paid_bonus)]
    if entry.paid_bonus:
        postings.append(Posting(bonus(entry.user), entry.paid_bonus))
    return postings


def _parts(entry: Entry, till: Till, *, sign: int) -> list[Posting]:
    """What an entry paid, by where it went (sign 1) or from where it comes back (sign -1)."""
    parts = [
        Posting(till.pool, sign * entry.paid_buy_in),
        Posting(till.fees, sign * entry.paid_fee),
    ]
    if entry.paid_bounty:
        assert till.bounties is not None, "who paid a bounty paid it into an account"
        parts.append(Posting(till.bounties, sign * entry.paid_bounty))
    return parts
