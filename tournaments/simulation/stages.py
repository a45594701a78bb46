"""Rounds of a simulated shootout, disqualification, and leaving with chips (F-04, T-15, A-04)."""

from __future__ import annotations

from typing import Literal

from tournaments.engine import levels
from tournaments.engine.levels import Clock
from tournaments.engine.places import BustedEntry
from tournaments.simulation.field import SimulatedEntry, SimulatedTable
from tournaments.simulation.state import SimulationState

Next = Literal["deal", "wait", "again", "over"]
"""Next step of a table between two hands: deal, ask again later, ask at once, or end."""


def next_shootout_step(course: SimulationState, table: SimulatedTable) -> Next:
    """Return a shootout table's next step: play to a winner, who waits for the others (F-04)."""
    if len(table.seats) >= 2:
        return "deal"
    if all(other.playing is None and len(other.seats) == 1 for other in course.field.open_tables):
        _next_stage(course)
        return "over"
    return "wait"


def disqualify(course: SimulationState) -> None:
    """Disqualify one entry: chips leave play, placed at once, head to the winner (T-15)."""
    field = course.field
    here = [
        entry
        for entry in field.in_play()
        if entry.state == "seated" and field.tables[entry.table].playing is None
    ]
    if (
        not here
        or field.left <= 2
        or any(e.state == "disqualified" for e in field.entries.values())
    ):
        return
    out = here[course.lot.randrange(len(here))]
    course.nobodys.append(out.head)
    out.head = 0
    out.state = "disqualified"
    _get_up(course, out)


def leave(course: SimulationState, table: SimulatedTable) -> None:
    """Let players leave between hands with chips of cash value; one player stays (A-04)."""
    options, field = course.options, course.field
    if not options.cash_value:
        return
    for number in list(table.seats.values()):
        leaves = course.lot.randrange(100) < options.leave_percent
        if leaves and field.left > 1 and not course.is_over():
            out = field.entries[number]
            out.state = "out"
            course.left_with_stack += 1
            _get_up(course, out)


def _get_up(course: SimulationState, out: SimulatedEntry) -> None:
    """Remove an entry's chips, place it like a knock-out, and pay chips of cash value.

    The rest of the pool belongs to the live entries.
    """
    field = course.field
    out.dead = out.chips + out.owed
    field.retired += out.dead
    if course.options.cash_value:
        course.money.prizes[0] -= out.dead
        assert course.money.prizes[0] > 0, "other entries have chips, and the pool equals them"
    out.chips = out.owed = 0
    table = field.tables[out.table]
    table.leave(out.number)
    field.order += 1
    field.knock_outs.append(
        BustedEntry(
            entry=out.number,
            order=field.order,
            round=0,
            table=table.number,
            stack=out.dead,
            left_of_button=1,
        )
    )
    course.follow_up()


def _next_stage(course: SimulationState) -> None:
    """Seat the winners at the next stage with fresh stacks, at the first level."""
    assert course.stage < course.stages, "the last round ends the tournament"
    field = course.field
    for table in field.open_tables:
        table.seats = {}
        field.close(table)
    for entry in field.in_play():
        field.retired += entry.chips - course.options.starting_stack
        entry.chips = course.options.starting_stack
    course.stage += 1
    course.clock = Clock(started_ms=course.now_ms)
    course.mark = levels.START
    course.stage_hands = max(table.hand for table in field.tables.values())
    course.seat_all()
