"""Find players by name: the tournaments and tables where they play or are registered."""

from __future__ import annotations

import msgspec

from accounts.models import User
from accounts.names import fold
from tables.models import Seat, Table
from tournaments.entries.visible import open_to, visible
from tournaments.models import Entry

FOUND_MAX = 50
LETTERS_MIN = 2


class Whereabouts(msgspec.Struct, frozen=True):
    """An entry of a player; `table` is empty before the start and during a move."""

    player: str
    tournament: int
    name: str
    table: int | None
    number: int | None
    seat: int | None
    chips: int


def where(beginning: str, asks: User | None) -> list[Whereabouts]:
    """Find live entries of players by the beginning of their names, by name and tournament.

    Fewer than LETTERS_MIN letters find nothing. At most FOUND_MAX entries are returned, of
    tournaments that the user who asks may see (T-02).
    """
    key = fold(beginning)
    if len(key) < LETTERS_MIN or not key.isprintable():
        return []
    seen = open_to(members=False) if asks is None else visible(asks)
    matches = Entry.objects.filter(
        state__in=Entry.LIVE, user__name_key__startswith=key, tournament__in=seen
    )
    entries = matches.select_related("tournament").order_by("user__name_key", "tournament", "pk")
    rows = list(entries[:FOUND_MAX])
    seats = {
        seat.entry: seat
        for seat in Seat.objects.select_related("table").filter(
            entry__in=[entry.pk for entry in rows], table__status=Table.Status.OPEN
        )
    }
    return [_whereabouts(entry, seats.get(entry.pk)) for entry in rows]


def _whereabouts(entry: Entry, seat: Seat | None) -> Whereabouts:
    return Whereabouts(
        player=entry.name,
        tournament=entry.tournament_id,
        name=entry.tournament.name,
        table=None if seat is None else seat.table_id,
        number=None if seat is None else seat.table.number,
        seat=None if seat is None else seat.seat,
        chips=0 if seat is None else seat.chips,
    )
