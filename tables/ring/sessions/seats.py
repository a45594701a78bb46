"""Free seats of ring tables: not taken by a session, not held by an offer."""

from __future__ import annotations

from django.db.models import Count, Q
from django.utils import timezone

from tables.models import Table
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.models.session import LIVE
from tables.ring.money import DIRECTOR


def free_seats(table: Table, *, but_for: int | None = None) -> list[int]:
    """Return the free seats of a locked table; seats offered to the user `but_for` are free."""
    taken = set(
        RingSession.objects.filter(table=table, state__in=LIVE).values_list("seat", flat=True)
    )
    offers = WaitingPlayer.objects.filter(offered_table=table, offered_until__gt=timezone.now())
    held = set(offers.exclude(user=but_for).values_list("offered_seat", flat=True))
    return [seat for seat in range(1, table.seats_max + 1) if seat not in taken | held]


def tables_by_fullness(game: RingGame) -> list[int]:
    """Return the open tables of a game, the fullest first."""
    players = Count("ring_sessions", filter=Q(ring_sessions__state__in=LIVE))
    rows = Table.objects.filter(director=DIRECTOR, game=game.pk, status=Table.Status.OPEN)
    ordered = rows.annotate(players=players).order_by("-players", "pk")
    return list(ordered.values_list("pk", flat=True))
