"""Facts of a tournament's field for overlays: clock, players left, payouts, chips, last out."""

from __future__ import annotations

import msgspec

from tables.engine.events import Event, Stakes
from tournaments.models import Tournament
from tournaments.queries import overview, payouts, show

LEADERS = 8
OUT = 6
PLACES = 9


class FieldPayout(msgspec.Struct, frozen=True):
    """Places `first` to `last` win `prize` cents each."""

    first: int
    last: int
    prize: int


class FieldFacts(Event, frozen=True, tag="field_facts"):
    """Facts of a tournament at one moment, told at `due_ms` of the room's clock; money in cents.

    Times that were to come count from that moment: at `due_ms` the level ends in
    `level_ends_in_ms`, None while the clock stands or has no end.
    """

    due_ms: int
    name: str
    level: int | None
    stakes: Stakes | None
    level_ends_in_ms: int | None
    break_in_ms: int | None
    break_ends_in_ms: int | None
    left: int
    entrants: int
    average: int
    pool: int
    payouts: list[FieldPayout]
    leaders: list[show.Leader]
    out: list[show.Out]


class FieldSnapshot(msgspec.Struct, frozen=True):
    """Facts told last, None before the first ones."""

    facts: FieldFacts | None = None


def field_facts(tournament: Tournament, at_ms: int, due_ms: int) -> FieldFacts:
    """Return the facts of a tournament that was started, as they are at `at_ms`."""
    seen = overview.overview(tournament)

    def after(moment_ms: int | None) -> int | None:
        runs = seen.clock_runs and moment_ms is not None
        return max(0, moment_ms - at_ms) if runs and moment_ms is not None else None

    return FieldFacts(
        due_ms=due_ms,
        name=tournament.name,
        level=seen.level,
        stakes=seen.stakes,
        level_ends_in_ms=after(seen.level_ends_at_ms),
        break_in_ms=after(seen.break_at_ms),
        break_ends_in_ms=after(seen.break_until_ms),
        left=tournament.left,
        entrants=tournament.entrants,
        average=seen.average,
        pool=seen.summary.pool,
        payouts=[
            FieldPayout(row.first, row.last, row.prize)
            for row in payouts.payout_rows(tournament)[:PLACES]
        ],
        leaders=show.chip_leaders(tournament, LEADERS),
        out=show.last_out(tournament, OUT),
    )
