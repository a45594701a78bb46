"""Tickets: issue, use, return, exchange, withdrawal and expiry, each once, with a liability (K)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import Count, Prefetch, Sum
from django.utils import timezone

from accounts.models import User
from config import limits
from config.inputs.numbers import whole
from config.refusals import marked as _
from tournaments.engine import tickets as rules
from tournaments.engine.refusals import TicketRefused
from tournaments.events.prizes import TicketClosed, TicketIssued
from tournaments.events.unit_of_work import TournamentTransaction, UnitOfWork, unit_of_work
from tournaments.models import Entry, Ticket, Tournament
from tournaments.models.options.prizes import Methods, TicketBack
from tournaments.models.tournament import State
from tournaments.prizes import money
from tournaments.refusals import BadTicket

ANY = "any"
"""Value instead of a ticket number: the fitting ticket that expires first."""


def issue(
    owners: Iterable[User],
    *,
    value: int,
    scope: str,
    valid_from: datetime,
    valid_until: datetime,
    source: str,
    token: str,
    exchangeable: bool = False,
    reason: str = "",
) -> list[Ticket]:
    """Issue a ticket to each owner as a liability of the room; return the new ones (K-01, K-04).

    `token` identifies the gift: a repeated token gives nothing to owners who have it already.
    """
    _check(value, scope, valid_from, valid_until)
    issued = []
    with unit_of_work() as tx:
        for owner in sorted(owners, key=lambda user: user.pk):
            ticket, is_new = Ticket.objects.get_or_create(
                key=f"issue:{token}:{owner.pk}",
                defaults={
                    "owner": owner,
                    "value": value,
                    "scope": scope,
                    "valid_from": valid_from,
                    "valid_until": valid_until,
                    "exchangeable": exchangeable,
                    "source": source,
                    "reason": reason,
                },
            )
            if is_new:
                issued.append(ticket)
                tx.pay(money.ticket_issued(ticket))
                tell_issued(tx, ticket)
    return issued


def take(wanted: str | int, user: User, tournament: Tournament) -> Ticket | None:
    """Use the ticket that pays for this registration; None when money does (K-01).

    Raises TicketRefused; the tournament is locked. A ticket pays once, for its first user. A club
    sets activity and price of its own: there, another's ticket would become money (K-06).
    """
    by_ticket = wanted != ""
    # Columns with choices are typed as str.
    rules.check_method(tournament.methods, by_ticket=by_ticket)  # type: ignore[arg-type]
    if not by_ticket:
        return None
    ticket = _wanted(wanted, user, tournament)
    rules.use(
        as_engine(ticket),
        user=user.pk,
        price=tournament.price,
        activity=tournament.activity,
        now_ms=_ms(timezone.now()),
    )
    if tournament.club_id is not None and _club(ticket) != tournament.club_id:
        raise TicketRefused("other_scope")
    if not _close(ticket, Ticket.State.USED):
        raise TicketRefused("ticket_gone")
    return ticket


def fitting(user: User, tournament: Tournament) -> list[Ticket]:
    """Return the tickets a player could register with, the first to expire at the top."""
    if tournament.methods == Methods.MONEY or not tournament.price:
        return []
    now = timezone.now()
    rows = Ticket.objects.filter(
        owner=user,
        state=Ticket.State.VALID,
        scope=tournament.activity,
        value__gte=tournament.price,
        valid_from__lte=now,
        valid_until__gt=now,
    )
    if tournament.club_id is not None:
        rows = rows.filter(won_in__club=tournament.club_id)
    return list(rows.order_by("valid_until", "value", "pk"))


def payment(user: User, tournament: Tournament) -> str | None:
    """Return the payment `take` accepts for an entry now: "" is money, None: neither pays.

    Where both are possible, a ticket pays for a player without enough money (K-02).
    """
    if tournament.methods != Methods.TICKET and money.covers(user, tournament):
        return ""
    return ANY if fitting(user, tournament) else None


def give_back(
    tournament: Tournament, entries: Sequence[Entry], *, as_paid: bool = False
) -> frozenset[int]:
    """Give back the tickets of withdrawn entries; return the entries that get one (K-05).

    The ticket is then worth its payment, as its surplus was credited; a ticket that paid nothing is
    worth nothing. A ticket that has expired, or was won for a cancelled tournament, comes back as
    money; so do all tickets, by setting, unless the refund is `as_paid` (T-12).
    """
    if tournament.ticket_back == TicketBack.MONEY and not as_paid:
        return frozenset()
    paid = {
        entry.ticket_id: entry
        for entry in entries
        if entry.ticket_id is not None and money.ticket_part(entry)
    }
    rows = Ticket.objects.filter(
        pk__in=paid, state=Ticket.State.USED, valid_until__gt=timezone.now()
    ).exclude(won_in__target__state=State.CANCELLED)
    if as_paid:
        rows = rows.exclude(won_in__target=tournament)
    back = list(rows)
    for ticket in back:
        ticket.state, ticket.closed_at = Ticket.State.VALID, None
        ticket.value = money.ticket_part(paid[ticket.pk])
    Ticket.objects.bulk_update(back, ["state", "closed_at", "value"])
    return frozenset(paid[ticket.pk].pk for ticket in back)


def comes_back(tournament: Tournament, entry: Entry | None) -> bool:
    """Return whether unregistering now gives a ticket back instead of money (K-05)."""
    if entry is None or entry.ticket is None or tournament.ticket_back == TicketBack.MONEY:
        return False
    won_in = entry.ticket.won_in
    target = None if won_in is None else won_in.target
    if not entry.paid or (target is not None and target.state == State.CANCELLED):
        return False
    return entry.ticket.valid_until > timezone.now()


def owned(user: User) -> list[Ticket]:
    """Return a player's tickets: the valid ones by expiry, then the latest others."""
    won_in = Prefetch("won_in", Tournament.objects.only("name"))
    rows = Ticket.objects.filter(owner=user).prefetch_related(won_in)
    valid = rows.filter(state=Ticket.State.VALID).order_by("valid_until", "pk")
    others = rows.exclude(state=Ticket.State.VALID).order_by("-closed_at")
    return [*valid, *others[: limits.STATEMENT_ROWS_PER_PAGE]]


def exchange(user: User, ticket_id: int) -> Ticket:
    """Exchange a ticket for its worth in money; refuse a ticket without exchange (K-06)."""
    with unit_of_work() as tx:
        ticket = _of(ticket_id)
        rules.exchange(as_engine(ticket), user=user.pk, now_ms=_ms(timezone.now()))
        if not _close(ticket, Ticket.State.EXCHANGED):
            raise TicketRefused("ticket_gone")
        _pay_off(tx, [ticket], to_owner=True)
    return ticket


def withdraw(ticket_ids: Collection[int]) -> list[Ticket]:
    """Withdraw valid tickets, with their worth to the room; return the withdrawn tickets."""
    with unit_of_work() as tx:
        rows = Ticket.objects.select_for_update().filter(
            pk__in=ticket_ids, state=Ticket.State.VALID
        )
        return _end(tx, list(rows.order_by("pk")), Ticket.State.WITHDRAWN)


def expire() -> int:
    """Expire tickets past their end, to the room's good; return their number (K-01)."""
    due = Ticket.objects.filter(state=Ticket.State.VALID, valid_until__lte=timezone.now())
    if not due.exists():
        return 0
    with unit_of_work() as tx:
        rows = due.select_for_update(skip_locked=True).order_by("pk")
        return len(_end(tx, list(rows[: limits.TICKETS_BATCH_MAX]), Ticket.State.EXPIRED))


def release(tx: TournamentTransaction) -> None:
    """Exchange tickets won for a cancelled tournament for their worth in money (K-08)."""
    # Lock the tickets, not their satellite: a satellite locks its target, and the reverse order
    # would deadlock.
    rows = Ticket.objects.select_for_update(of=("self",)).filter(
        won_in__target=tx.tournament, state=Ticket.State.VALID
    )
    tickets = list(rows.order_by("pk"))
    for ticket in tickets:
        ticket.state, ticket.closed_at = Ticket.State.EXCHANGED, timezone.now()
        tx.notify(ticket.owner_id, _closed(ticket))
    Ticket.objects.bulk_update(tickets, ["state", "closed_at"])
    tx.pay(money.tickets_closed(tickets, to_owner=True))


def unused_for(target: Tournament) -> tuple[int, int]:
    """Return how many valid tickets were won for a tournament, and their worth in cents (K-08)."""
    unused = Ticket.objects.filter(won_in__target=target, state=Ticket.State.VALID)
    sums = unused.aggregate(count=Count("pk"), worth=Sum("value", default=0))
    return sums["count"], int(sums["worth"])


def liability() -> int:
    """Return the worth of all valid tickets in cents (K-04)."""
    valid = Ticket.objects.filter(state=Ticket.State.VALID)
    return int(valid.aggregate(sum=Sum("value", default=0))["sum"])


def as_engine(ticket: Ticket) -> rules.HeldTicket:
    """Convert a ticket's row for the engine."""
    return rules.HeldTicket(
        owner=ticket.owner_id,
        value=ticket.value,
        scope=ticket.scope,
        valid_from_ms=_ms(ticket.valid_from),
        valid_until_ms=_ms(ticket.valid_until),
        # Columns with choices are typed as str.
        state=ticket.state,  # type: ignore[arg-type]
        exchangeable=ticket.exchangeable,
    )


def tell_issued(tx: UnitOfWork, ticket: Ticket) -> None:
    """Tell the owner of a new ticket."""
    until_ms = _ms(ticket.valid_until)
    event = TicketIssued(ticket.pk, ticket.value, ticket.scope, ticket.source, until_ms)
    tx.notify(ticket.owner_id, event)


def _check(value: int, scope: str, valid_from: datetime, valid_until: datetime) -> None:
    if not 0 < value <= limits.TRANSFER_MAX_CENTS:
        raise BadTicket(_("A ticket is worth an amount above nothing."))
    if not scope.strip():
        raise BadTicket(_("A ticket is for an activity: name it."))
    if valid_until <= valid_from or valid_until <= timezone.now():
        raise BadTicket(_("A ticket is valid for some time that is not over yet."))
    # PostgreSQL stores times too late for Python to read.
    if valid_until.year >= limits.YEAR_MAX:
        raise BadTicket(_("A ticket ends before the year %(year)s."), year=limits.YEAR_MAX)


def _wanted(wanted: str | int, user: User, tournament: Tournament) -> Ticket:
    if wanted != ANY:
        return _of(wanted)
    candidates = fitting(user, tournament)
    if not candidates:
        raise TicketRefused("no_fitting_ticket")
    return candidates[0]


def _of(ticket_id: str | int) -> Ticket:
    """Return the locked row; the lock order is tournament, ticket, money."""
    known = whole(str(ticket_id))
    ticket = None
    if known is not None:
        ticket = Ticket.objects.select_for_update().filter(pk=known).first()
    if ticket is None:
        raise TicketRefused("no_such_ticket")
    return ticket


def _club(ticket: Ticket) -> int | None:
    """Return the club in whose tournament a ticket was won; None: it is the room's."""
    return None if ticket.won_in is None else ticket.won_in.club_id


def _close(ticket: Ticket, state: str) -> bool:
    """End a ticket by compare-and-set; return whether this call ended it."""
    ticket.state, ticket.closed_at = state, timezone.now()
    rows = Ticket.objects.filter(pk=ticket.pk, state=Ticket.State.VALID)
    return rows.update(state=state, closed_at=ticket.closed_at) == 1


def _end(tx: UnitOfWork, tickets: list[Ticket], state: str) -> list[Ticket]:
    """Close locked, valid tickets to the room's good and tell their owners."""
    ended = [ticket for ticket in tickets if _close(ticket, state)]
    _pay_off(tx, ended, to_owner=False)
    return ended


def _pay_off(tx: UnitOfWork, tickets: Sequence[Ticket], *, to_owner: bool) -> None:
    tx.pay(money.tickets_closed(tickets, to_owner=to_owner))
    for ticket in tickets:
        tx.notify(ticket.owner_id, _closed(ticket))


def _closed(ticket: Ticket) -> TicketClosed:
    return TicketClosed(ticket.pk, ticket.value, ticket.scope, ticket.state)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000)
