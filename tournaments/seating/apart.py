"""Tables closed to an entry because another entry of its player sits there or is coming (E-03)."""

from __future__ import annotations

from tables.models import Seat
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, Move, Tournament


def taken(tournament: Tournament, entry: Entry) -> set[int]:
    """Tables of the other entries of this entry's player: their seats and pending moves."""
    if not tournament.several_at_once:
        return set()
    seats = Seat.objects.filter(
        user=entry.user_id, table__director=DIRECTOR, table__game=tournament.pk
    )
    moving = tournament.moves.filter(entry__user=entry.user_id, state__in=Move.PENDING)
    return {
        *seats.exclude(entry=entry.pk).values_list("table", flat=True),
        *moving.exclude(entry=entry.pk).values_list("to_table", flat=True),
    }
