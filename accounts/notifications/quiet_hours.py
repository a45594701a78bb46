"""Quiet hours: the moment from which a player may be told something, in the player's time zone."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo


def audible_from(now: datetime, zone: ZoneInfo, begin: time | None, end: time | None) -> datetime:
    """Return `now` outside the quiet hours from `begin` to `end`, else the moment of their end.

    Hours over midnight belong to the day they begin on. Times that a change of the clocks leaves
    out or repeats are taken as Python's zones take them. `now` is aware; the result is in UTC.
    """
    if begin is None or end is None or begin == end:
        return now.astimezone(UTC)
    local = now.astimezone(zone)
    for day in (local.date() - timedelta(days=1), local.date()):
        last = day if begin < end else day + timedelta(days=1)
        starts = datetime.combine(day, begin, zone).astimezone(UTC)
        ends = datetime.combine(last, end, zone).astimezone(UTC)
        if starts <= now < ends:
            return ends
    return now.astimezone(UTC)
