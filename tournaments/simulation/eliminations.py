"""The end of a simulated entry: its seat is freed and its bounty paid."""

from __future__ import annotations

from msgspec.structs import replace

from tournaments.engine.places import BustedEntry
from tournaments.simulation.field import SimulatedEntry
from tournaments.simulation.state import SimulationState


def go_out(
    course: SimulationState,
    out: SimulatedEntry,
    knock_out: BustedEntry,
    winners: list[SimulatedEntry],
) -> None:
    """Eliminate an entry for good: free its seat and pay its bounty."""
    out.state = "out"
    course.somebody_out = True
    course.field.tables[out.table].leave(out.number)
    course.field.knock_outs.append(replace(knock_out, entry=out.number))
    # Entries of one player may have merged since: the merged entry counts once (N-05).
    hunters = {(kept := course.field.lives_on(winner.number)).number: kept for winner in winners}
    course.money.knock_out(out, list(hunters.values()))
