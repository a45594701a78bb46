"""Values for spectators of a tournament: chip leaders, last knock-outs, the featured table."""

from __future__ import annotations

import msgspec

from accounts import money
from tables.models import Seat, Table
from tournaments import featuring, locks
from tournaments.models import Entry, Tournament
from tournaments.prizes import spins


class Leader(msgspec.Struct, frozen=True):
    """A seat among the chip leaders."""

    name: str
    chips: int
    table: int
    table_number: int


class Out(msgspec.Struct, frozen=True):
    """An entry that is out: its place once final, its prize in cents."""

    name: str
    place: int | None
    prize: int


class SpinRow(msgspec.Struct, frozen=True):
    """A multiplier of a spin: its pool and prizes in cents, its draws of 100,000."""

    multiplier: int
    pool: int
    prizes: tuple[int, ...]
    count: int
    is_drawn: bool

    @property
    def percent(self) -> str:
        """Its probability in percent, without trailing zeros."""
        return money.percent(self.count, 100_000)


def chip_leaders(tournament: Tournament, count: int) -> list[Leader]:
    """Return the biggest stacks at the last hand boundaries, biggest first."""
    seats = Seat.objects.filter(table__director=locks.DIRECTOR, table__game=tournament.pk)
    rows = seats.order_by("-chips", "entry").values_list("name", "chips", "table", "table__number")
    return [Leader(*row) for row in rows[:count]]


def last_out(tournament: Tournament, count: int) -> list[Out]:
    """Return the last eliminated entries, the latest first."""
    entries = tournament.entries.filter(state=Entry.State.OUT)
    rows = entries.order_by("-out_at", "-pk").values_list("name", "place", "prize")
    return [Out(*row) for row in rows[:count]]


def spin_rows(tournament: Tournament) -> list[SpinRow]:
    """Return every possible result of a spin, the largest first; none for other formats (F-05)."""
    if not tournament.format_rules.draws_pool:
        return []
    drawn = tournament.spin["multiplier"] if tournament.spin else None
    rows = []
    for multiplier, count in reversed(spins.odds_of(tournament).items()):
        pool = multiplier * tournament.buy_in
        prizes = tuple(prize for prize in spins.split(tournament, multiplier, pool) if prize)
        rows.append(SpinRow(multiplier, pool, prizes, count, multiplier == drawn))
    return rows


def featured_table(tournament: Tournament) -> int | None:
    """Return the featured table: the room's choice, else the one with the biggest stack.

    A final table is the only open one.
    """
    if (chosen := featuring.chosen(tournament)) is not None:
        return chosen
    seats = Seat.objects.filter(
        table__director=locks.DIRECTOR,
        table__game=tournament.pk,
        table__status=Table.Status.OPEN,
    )
    return seats.order_by("-chips", "table").values_list("table", flat=True).first()
