"""Law of levels: stakes never go down at a table, and the clock is set by hand once in a while."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from tables.models import Hand
from tables.records import stored
from tournaments.locks import DIRECTOR
from tournaments.models import AuditRow
from tournaments.running.operations import SET_AGAIN_S

BY_HAND = ("next_level", "more_time")


def at_the_end() -> Iterator[str]:
    """Return the violations of all settled hands and of all steps on level clocks."""
    yield from _levels()
    yield from _steps()


def _levels() -> Iterator[str]:
    """Yield hands of a lower level than the hand before at the same table (L-01)."""
    reached: dict[int, int] = {}
    for hand in Hand.objects.filter(table__director=DIRECTOR).order_by("table", "number"):
        level = stored.decode(bytes(hand.record)).level
        before = reached.get(hand.table_id, level)
        if level < before:
            yield f"hand {hand.table_id}/{hand.number} is of level {level}, after level {before}"
        reached[hand.table_id] = level


def _steps() -> Iterator[str]:
    """Yield steps that set a clock again although it was set a moment ago, twice by one click."""
    last: dict[int, datetime] = {}
    rows = AuditRow.objects.filter(action__in=BY_HAND).order_by("pk")
    for tournament, at in rows.values_list("tournament", "at"):
        before = last.get(tournament)
        if before is not None and at < before + timedelta(seconds=SET_AGAIN_S):
            yield f"the clock of tournament {tournament} was set at {before} and again at {at}"
        last[tournament] = at
