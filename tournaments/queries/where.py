"""Find players by name: the tournaments and tables where they play or are registered."""

from __future__ import annotations

from typing import NamedTuple

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
    state: str
    table: int | None
    number: int | None
    seat: int | None
    chips: int

    @property
    def state_words(self) -> str:
        """State of the entry in words."""
        return str(Entry.State(self.state).label)


class OpenSeat(NamedTuple):
    """A seat of an open table with its chips, or nothing of it."""

    table: int | None
    number: int | None
    seat: int | None
    chips: int


_NO_SEAT = OpenSeat(None, None, None, 0)


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
    entries = matches.order_by("user__name_key", "tournament", "pk")
    columns = entries.values_list("pk", "name", "tournament", "tournament__name", "state")
    rows = list(columns[:FOUND_MAX])
    open_seats = Seat.objects.filter(
        entry__in=[entry for entry, *_ in rows], table__status=Table.Status.OPEN
    )
    seats = {
        entry: OpenSeat(table, number, seat, chips)
        for entry, table, number, seat, chips in open_seats.values_list(
            "entry", "table", "table__number", "seat", "chips"
        )
    }
    return [
        Whereabouts(player, tournament, name, state, *seats.get(entry, _NO_SEAT))
        for entry, player, tournament, name, state in rows
    ]
