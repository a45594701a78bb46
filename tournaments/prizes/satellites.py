"""Satellites: tickets for another tournament as prizes, and the end of play (K-07, K-08)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from config import limits
from tournaments import club_people, locks
from tournaments.engine import lifecycle, payouts, satellites
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Admission, Entry, Ticket, Tournament
from tournaments.models.tournament import State
from tournaments.prizes import money, tickets

_OPEN = (State.ANNOUNCED, State.REGISTERING)


def is_one(tournament: Tournament) -> bool:
    """Return whether the prizes of a tournament are tickets."""
    return tournament.format_rules.pays_tickets


def value(tournament: Tournament) -> int:
    """Return a ticket's worth in cents: the target's whole price, or the set value (K-07)."""
    return tournament.ticket_value if tournament.target is None else tournament.target.price


def prizes(tournament: Tournament, entrants: int, pool: int) -> list[int]:
    """Return each place's prize in cents: tickets from the top, the rest to the next place (K-07).

    A pool below a whole ticket goes to the winner in money, because no other place would win.
    """
    worth = value(tournament)
    whole, _rest = payouts.satellite(pool, worth)
    if not whole:
        return [pool]
    won = satellites.ticket_prizes(pool, worth, entrants, winners_cash=tournament.winners_cash)
    amounts = [0] * max(prize.place for prize in won)
    for prize in won:
        amounts[prize.place - 1] += prize.amount
    return amounts


def winners(tournament: Tournament) -> int:
    """Return the number of places that win a ticket, once the pool is fixed."""
    return tickets_among(tournament, tournament.prizes)


def tickets_among(tournament: Tournament, prizes: Iterable[int]) -> int:
    """Return how many of these prizes by place, in cents, are a ticket."""
    worth = value(tournament)
    return sum(1 for prize in prizes if prize >= worth)


def enough(tournament: Tournament) -> bool:
    """Return whether only ticket winners are left (K-08); False while entries or chips are sold."""
    if not is_one(tournament) or tournament.pool is None:
        return False
    return satellites.is_over(tournament.left, winners(tournament))


def pay(tx: TournamentTransaction, placed: Iterable[Entry]) -> dict[int, int]:
    """Pay prizes as tickets and money; return entry -> cents paid as a ticket (K-07, K-08).

    Money replaces a ticket when the target is full or takes no more entries, for a player outside
    its audience, for more tickets of a player to it than it takes entries, whichever satellites
    they were won in, and by setting for a player registered there already.
    """
    tournament = tx.tournament
    paid = [entry for entry in placed if entry.prize]
    worth, count = value(tournament), winners(tournament)
    wins = [entry for entry in paid if (entry.place or 0) <= count and entry.prize >= worth]
    as_ticket = dict.fromkeys(_with_ticket(tx, wins, worth, count), worth)
    _admit(tournament, [entry for entry in wins if entry.pk in as_ticket])
    tx.pay(money.prizes(tournament, paid, as_ticket))
    for entry in wins:
        if entry.pk in as_ticket:
            tickets.tell_issued(tx, _ticket(tournament, entry, worth))
    return as_ticket


def may_enter(target: Tournament) -> bool:
    """Return whether a ticket to this tournament can be used now."""
    if target.is_full:
        return False
    if target.state in _OPEN:
        return True
    return target.state in lifecycle.PLAYED and target.entries_open


def _with_ticket(
    tx: TournamentTransaction, won_now: Sequence[Entry], worth: int, count: int
) -> list[int]:
    """Return the entries that get a ticket instead of its worth; a player's best place first.

    The target is locked: a concurrent cancellation would miss tickets that are not committed yet.
    """
    tournament = tx.tournament
    if tournament.target_id is None:
        return [entry.pk for entry in won_now]
    target = locks.target(tournament)
    if not may_enter(target):
        return []
    wins = {entry.pk: entry for entry in won_now}
    users = {entry.user_id for entry in wins.values()}
    # A better place of the same player gets the ticket, also where a later batch pays it.
    rivals = tournament.entries.filter(user__in=users, place__lte=count, prize__gte=worth)
    waiting = {entry.pk: entry for entry in money.unpaid(tournament, rivals, tx.ordered())}
    ordered = sorted((waiting | wins).values(), key=lambda entry: (entry.place or 0, entry.pk))
    there = target.entries.filter(user__in=users, state__in=Entry.LIVE)
    registered = set(there.values_list("user", flat=True))
    won: Counter[int] = Counter()
    unused = Q(won_in__target=target, state=Ticket.State.VALID)
    before = Ticket.objects.filter(Q(won_in=tournament) | unused, owner__in=users)
    won.update(before.values_list("owner", flat=True))
    shut_out = club_people.shut_out(target, users)
    taking = []
    for entry in ordered:
        if entry.user_id not in shut_out and satellites.takes_ticket(
            won[entry.user_id],
            entries_max=target.entries_max,
            registered=entry.user_id in registered,
            worth_if_registered=tournament.worth_if_registered,
        ):
            won[entry.user_id] += 1
            taking.append(entry.pk)
    return [pk for pk in taking if pk in wins]


def _admit(tournament: Tournament, winners: Sequence[Entry]) -> None:
    """Admit winners to a private target as its password does; else tickets would be lost (T-02)."""
    target = tournament.target
    if target is None or not target.password:
        return
    rows = [Admission(user_id=entry.user_id, tournament=target) for entry in winners]
    Admission.objects.bulk_create(rows, ignore_conflicts=True)


def _ticket(tournament: Tournament, entry: Entry, worth: int) -> Ticket:
    now, target = timezone.now(), tournament.target
    starts_at = now if target is None else target.starts_at or now
    days = tournament.ticket_days if target is None else limits.TICKET_PRIZE_VALID_DAYS
    return Ticket.objects.create(
        key=f"prize:{tournament.pk}:{entry.pk}",
        owner_id=entry.user_id,
        value=worth,
        scope=tournament.ticket_scope if target is None else target.activity,
        valid_from=now,
        valid_until=max(now, starts_at) + timedelta(days=days),
        exchangeable=target is None and tournament.ticket_exchangeable,
        source=Ticket.Source.PRIZE,
        won_in=tournament,
        reason=tournament.name,
    )
