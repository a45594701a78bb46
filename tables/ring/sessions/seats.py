"""Free seats of ring tables: not taken by a session, not held by an offer."""

from __future__ import annotations

from collections import Counter

from django.utils import timezone

from tables.models import Table
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.models.session import LIVE
from tables.ring.money import DIRECTOR


def free_seats(table: Table, *, but_for: int | None = None) -> list[int]:
    """Return the free seats of a locked table, with those offered to the user `but_for`."""
    taken = set(
        RingSession.objects.filter(table=table, state__in=LIVE).values_list("seat", flat=True)
    )
    offers = WaitingPlayer.objects.filter(offered_table=table, offered_until__gt=timezone.now())
    held = set(offers.exclude(user=but_for).values_list("offered_seat", flat=True))
    return [seat for seat in range(1, table.seats_max + 1) if seat not in taken | held]


def free_by_table(game: RingGame, *, but_for: int | None = None) -> dict[int, int]:
    """Return how many seats are free at each open table of a game, the fullest table first.

    Seats offered to the user `but_for` are free. As many queries for many tables as for one.
    """
    rows = Table.objects.filter(director=DIRECTOR, game=game.pk, status=Table.Status.OPEN)
    sessions = RingSession.objects.filter(game=game, state__in=LIVE)
    taken = Counter(sessions.values_list("table", flat=True))
    offers = WaitingPlayer.objects.filter(game=game, offered_until__gt=timezone.now())
    taken.update(offers.exclude(user=but_for).values_list("offered_table", flat=True))
    free = {pk: max(0, most - taken[pk]) for pk, most in rows.values_list("pk", "seats_max")}
    return dict(sorted(free.items(), key=lambda row: (row[1], row[0])))
