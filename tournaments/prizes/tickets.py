"""Tickets: issued, used, given back, exchanged, withdrawn, expired; each once, and owed (K)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from config import limits
from config.numbers import whole
from tournaments.engine import tickets as rules
from tournaments.engine.refusals import Refusal
from tournaments.events.client_events import TicketClosed, TicketIssued
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import user as notices_of
from tournaments.models import Entry, Ticket, Tournament
from tournaments.models.prizes import Methods, TicketBack
from tournaments.prizes import money
from tournaments.prizes.money import Payments
from tournaments.refusals import BadTicket, TicketRefused

ANY = "any"
"""Instead of a number: the ticket that fits and expires first."""


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
    """A ticket for each, owed by the room from now on (K-01, K-04); those that are new.

    `token` names the gift: the same token again gives nothing to whoever has it already.
    """
    _check(value, scope, valid_from, valid_until)
    payments, outbox = Payments(), Outbox()
    made = []
    with transaction.atomic():
        for owner in sorted(owners, key=lambda one: one.pk):
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
                made.append(ticket)
                payments.add(money.ticket_issued(ticket))
                tell_issued(ticket, outbox)
        payments.book()
        outbox.write()
    return made


def take(wanted: str | int, user: User, tournament: Tournament) -> Ticket | None:
    """The ticket that pays for this registration, used from now on; None when money does (K-01).

    Raises TicketRefused; the tournament is locked. A ticket pays once, whoever comes first.
    """
    by_ticket = wanted != ""
    try:
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
    except Refusal as refusal:
        raise TicketRefused(refusal.code) from refusal
    if not _close(ticket, Ticket.State.USED):
        raise TicketRefused("ticket_gone")
    return ticket


def fitting(user: User, tournament: Tournament) -> list[Ticket]:
    """The tickets a player could register with, the one that expires first at the top."""
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
    return list(rows.order_by("valid_until", "value", "pk"))


def payment(user: User, tournament: Tournament) -> str | None:
    """How a player could pay for an entry now, as `take` wants it: "" is money; None: in no way.

    Where both pay, a ticket does for who has not money enough (K-02).
    """
    if tournament.methods != Methods.TICKET and money.covers(user, tournament):
        return ""
    return ANY if fitting(user, tournament) else None


def give_back(
    tournament: Tournament, entries: Sequence[Entry], *, as_paid: bool = False
) -> frozenset[int]:
    """Make tickets of entries that are taken back valid again; the entries that get one (K-05).

    A ticket is then worth what it paid, as its surplus was credited; one that paid nothing is
    worth nothing. One that has expired, or was won for a tournament that is cancelled, comes back
    as money; so do all, by setting, unless everything goes back `as_paid` (T-12).
    """
    if tournament.ticket_back == TicketBack.MONEY and not as_paid:
        return frozenset()
    by_ticket = [entry for entry in entries if entry.ticket_id is not None]
    paid = {entry.ticket_id: entry for entry in by_ticket if money.ticket_part(entry)}
    rows = Ticket.objects.filter(
        pk__in=paid, state=Ticket.State.USED, valid_until__gt=timezone.now()
    )
    if as_paid:
        rows = rows.exclude(won_in__target=tournament)
    back = list(rows)
    for ticket in back:
        ticket.state, ticket.closed_at = Ticket.State.VALID, None
        ticket.value = money.ticket_part(paid[ticket.pk])
    Ticket.objects.bulk_update(back, ["state", "closed_at", "value"])
    return frozenset(paid[ticket.pk].pk for ticket in back)


def comes_back(tournament: Tournament, entry: Entry | None) -> bool:
    """Whether unregistering now gives a ticket back instead of money (K-05)."""
    if entry is None or entry.ticket is None or tournament.ticket_back == TicketBack.MONEY:
        return False
    if not entry.paid:
        return False
    return entry.ticket.valid_until > timezone.now()


def owned(user: User) -> list[Ticket]:
    """A player's tickets: the valid ones by when they expire, then the latest others."""
    rows = Ticket.objects.filter(owner=user).select_related("won_in")
    valid = rows.filter(state=Ticket.State.VALID).order_by("valid_until", "pk")
    others = rows.exclude(state=Ticket.State.VALID).order_by("-closed_at")
    return [*valid, *others[: limits.STATEMENT_ROWS_PER_PAGE]]


def exchange(user: User, ticket_id: int) -> Ticket:
    """Turn a ticket into its worth in money, if it is one of those for that (K-06)."""
    with transaction.atomic():
        ticket = _of(ticket_id)
        try:
            rules.exchange(as_engine(ticket), user=user.pk, now_ms=_ms(timezone.now()))
        except Refusal as refusal:
            raise TicketRefused(refusal.code) from refusal
        if not _close(ticket, Ticket.State.EXCHANGED):
            raise TicketRefused("ticket_gone")
        _pay_off([ticket], to_owner=True)
    return ticket


def withdraw(ticket_ids: Collection[int]) -> list[Ticket]:
    """The room takes valid tickets back, what they are worth too; those it took."""
    with transaction.atomic():
        rows = Ticket.objects.select_for_update().filter(
            pk__in=ticket_ids, state=Ticket.State.VALID
        )
        return _end(list(rows.order_by("pk")), Ticket.State.WITHDRAWN)


def expire() -> int:
    """Tickets whose time is over end, and what they were worth is the room's; how many (K-01)."""
    due = Ticket.objects.filter(state=Ticket.State.VALID, valid_until__lte=timezone.now())
    if not due.exists():
        return 0
    with transaction.atomic():
        rows = due.select_for_update(skip_locked=True).order_by("pk")
        return len(_end(list(rows[: limits.TICKETS_BATCH_MAX]), Ticket.State.EXPIRED))


def release(tournament: Tournament, payments: Payments, outbox: Outbox) -> None:
    """Tickets won for a tournament that is cancelled become their worth in money (K-08)."""
    # Only the tickets are locked: a satellite locks its target, so never the other way round.
    rows = Ticket.objects.select_for_update(of=("self",)).filter(
        won_in__target=tournament, state=Ticket.State.VALID
    )
    tickets = list(rows.order_by("pk"))
    for ticket in tickets:
        ticket.state, ticket.closed_at = Ticket.State.EXCHANGED, timezone.now()
        outbox.tell(notices_of(ticket.owner_id), _closed(ticket))
    Ticket.objects.bulk_update(tickets, ["state", "closed_at"])
    payments.add(money.tickets_closed(tickets, to_owner=True))


def liability() -> int:
    """What the valid tickets are worth together in cents (K-04)."""
    valid = Ticket.objects.filter(state=Ticket.State.VALID)
    return int(valid.aggregate(sum=Sum("value", default=0))["sum"])


def as_engine(ticket: Ticket) -> rules.Ticket:
    """A ticket's row as the rules read it."""
    return rules.Ticket(
        owner=ticket.owner_id,
        value=ticket.value,
        scope=ticket.scope,
        valid_from_ms=_ms(ticket.valid_from),
        valid_until_ms=_ms(ticket.valid_until),
        state=ticket.state,  # type: ignore[arg-type]
        exchangeable=ticket.exchangeable,
    )


def tell_issued(ticket: Ticket, outbox: Outbox) -> None:
    """Tell its owner of a new ticket."""
    until_ms = _ms(ticket.valid_until)
    told = TicketIssued(ticket.pk, ticket.value, ticket.scope, ticket.source, until_ms)
    outbox.tell(notices_of(ticket.owner_id), told)


def _check(value: int, scope: str, valid_from: datetime, valid_until: datetime) -> None:
    if not 0 < value <= limits.TRANSFER_MAX_CENTS:
        raise BadTicket(_("A ticket is worth an amount above nothing."))
    if not scope.strip():
        raise BadTicket(_("A ticket is for an activity: name it."))
    if valid_until <= valid_from or valid_until <= timezone.now():
        raise BadTicket(_("A ticket is valid for some time that is not over yet."))


def _wanted(wanted: str | int, user: User, tournament: Tournament) -> Ticket:
    if wanted != ANY:
        return _of(wanted)
    found = fitting(user, tournament)
    if not found:
        raise TicketRefused("no_fitting_ticket")
    return found[0]


def _of(ticket_id: str | int) -> Ticket:
    """The row, locked; before money, after a tournament."""
    known = whole(str(ticket_id))
    ticket = None
    if known is not None:
        ticket = Ticket.objects.select_for_update().filter(pk=known).first()
    if ticket is None:
        raise TicketRefused("no_such_ticket")
    return ticket


def _close(ticket: Ticket, state: str) -> bool:
    """Compare and set: whether this call ended the ticket."""
    ticket.state, ticket.closed_at = state, timezone.now()
    rows = Ticket.objects.filter(pk=ticket.pk, state=Ticket.State.VALID)
    return rows.update(state=state, closed_at=ticket.closed_at) == 1


def _end(tickets: list[Ticket], state: str) -> list[Ticket]:
    """Close locked, valid tickets to the room's good and tell their owners."""
    ended = [ticket for ticket in tickets if _close(ticket, state)]
    _pay_off(ended, to_owner=False)
    return ended


def _pay_off(tickets: Sequence[Ticket], *, to_owner: bool) -> None:
    payments, outbox = Payments(), Outbox()
    payments.add(money.tickets_closed(tickets, to_owner=to_owner))
    for ticket in tickets:
        outbox.tell(notices_of(ticket.owner_id), _closed(ticket))
    payments.book()
    outbox.write()


def _closed(ticket: Ticket) -> TicketClosed:
    return TicketClosed(ticket.pk, ticket.value, ticket.scope, ticket.state)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000)
