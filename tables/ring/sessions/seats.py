"""Free seats of ring tables: not taken by a session, not held by an offer or for the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from tables.models import Table
from tables.ring.engine.waiting import open_seats
from tables.ring.models import RingGame, RingSession
from tables.ring.models.session import LIVE
from tables.ring.money import DIRECTOR
from tables.ring.queries import kept_seats


def free_seats(
    table: Table, *, but_for: int | None = None, ending: Collection[int] = ()
) -> list[int]:
    """Return the free seats of a locked table, with those offered to the user `but_for`.

    `ending` are keys of offers that the caller ends: their seats are free.
    """
    taken = set(
        RingSession.objects.filter(table=table, state__in=LIVE).values_list("seat", flat=True)
    )
    offers = kept_seats.offers_to_others(but_for).filter(offered_table=table)
    held = set(offers.exclude(pk__in=ending).values_list("offered_seat", flat=True))
    return [seat for seat in range(1, table.seats_max + 1) if seat not in taken | held]


def free_by_table(game: RingGame, *, but_for: int | None = None) -> dict[int, int]:
    """Return how many seats are free at each open table of a game, the fullest table first.

    Seats offered to the user `but_for` are free, and those that the next boundary offers to the
    waiting list. As many queries for many tables as for one.
    """
    rows = Table.objects.filter(director=DIRECTOR, game=game.pk, status=Table.Status.OPEN)
    sessions = RingSession.objects.filter(game=game, state__in=LIVE)
    taken = Counter(sessions.values_list("table", flat=True))
    offers = kept_seats.offers_to_others(but_for).filter(game=game)
    taken.update(offers.values_list("offered_table", flat=True))
    free = {pk: max(0, most - taken[pk]) for pk, most in rows.values_list("pk", "seats_max")}
    return dict(sorted(free.items(), key=lambda row: (row[1], row[0])))


def open_by_table(game: RingGame, user: int) -> dict[int, int]:
    """Return how many free seats of each table a user may take before the waiting list (R-01).

    The fullest table comes first.
    """
    waiting = kept_seats.waiting_ahead([game.pk], user)[game.pk]
    return open_seats(free_by_table(game, but_for=user), waiting)
