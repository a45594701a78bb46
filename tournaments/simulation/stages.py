"""Rounds of a simulated shootout, and disqualification (F-04, T-15)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tournaments.engine import levels
from tournaments.engine.levels import Clock
from tournaments.engine.places import KnockOut
from tournaments.simulation.field import Table

if TYPE_CHECKING:
    from tournaments.simulation.course import Course


Next = Literal["deal", "wait", "again", "over"]
"""What a table that stands does: deal, ask again in a while, ask again at once, or nothing."""


def look(course: Course, table: Table) -> Next:
    """A table plays down to its winner, who waits for the other tables (F-04)."""
    if len(table.seats) >= 2:
        return "deal"
    if all(one.playing is None and len(one.seats) == 1 for one in course.field.open_tables):
        _next_stage(course)
        return "over"
    return "wait"


def disqualify(course: Course) -> None:
    """One player is sent away: chips leave play, placed at once, the head for the winner (T-15)."""
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
    stack = out.chips + out.owed
    field.retired += stack
    course.nobodys.append(out.head)
    out.chips = out.owed = out.head = 0
    out.state = "disqualified"
    table = field.tables[out.table]
    table.leave(out.number)
    field.order += 1
    field.knock_outs.append(
        KnockOut(
            entry=out.number,
            order=field.order,
            round=0,
            table=table.number,
            stack=stack,
            left_of_button=1,
        )
    )
    course.review()


def _next_stage(course: Course) -> None:
    """The winners sit down again with fresh stacks, at the first level."""
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
