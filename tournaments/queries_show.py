"""What spectators are shown of a tournament: chip leaders, last knock-outs, the best table."""

from __future__ import annotations

import msgspec

from tables.models import Seat, Table
from tournaments import locks
from tournaments.models import Entry, Tournament


class Leader(msgspec.Struct, frozen=True):
    """A seat with many chips."""

    name: str
    chips: int
    table: int
    table_number: int


class Out(msgspec.Struct, frozen=True):
    """An entry that is out: its place once that is certain, its prize in cents."""

    name: str
    place: int | None
    prize: int


def chip_leaders(tournament: Tournament, count: int) -> list[Leader]:
    """The biggest stacks at the last hand boundaries, biggest first."""
    seats = Seat.objects.filter(table__director=locks.DIRECTOR, table__game=tournament.pk)
    rows = seats.order_by("-chips", "entry").values_list("name", "chips", "table", "table__number")
    return [Leader(*row) for row in rows[:count]]


def last_out(tournament: Tournament, count: int) -> list[Out]:
    """Who went out last, the latest first."""
    entries = tournament.entries.filter(state=Entry.State.OUT)
    rows = entries.order_by("-out_at", "-pk").values_list("name", "place", "prize")
    return [Out(*row) for row in rows[:count]]


def featured_table(tournament: Tournament) -> int | None:
    """The table most worth watching: the final one, else the one with the biggest stack."""
    seats = Seat.objects.filter(
        table__director=locks.DIRECTOR,
        table__game=tournament.pk,
        table__status=Table.Status.OPEN,
    )
    return seats.order_by("-chips", "table").values_list("table", flat=True).first()
