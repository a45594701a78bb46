"""Quiet hours in the player's time zone, over midnight and over changes of the clocks."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.notifications.quiet_hours import audible_from

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"])
FIRST = datetime(2024, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(0, 3 * 365 * 86_400).map(lambda past: FIRST + timedelta(seconds=past))
TIMES = st.times().map(lambda at: at.replace(microsecond=0))


def at(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=BERLIN).astimezone(UTC)


@pytest.mark.parametrize(
    ("now", "begin", "end", "audible"),
    [
        ("2026-11-25 23:30", "22:00", "08:00", "2026-11-26 08:00"),
        ("2026-11-25 07:59", "22:00", "08:00", "2026-11-25 08:00"),
        ("2026-11-25 08:00", "22:00", "08:00", "2026-11-25 08:00"),
        ("2026-11-25 21:59", "22:00", "08:00", "2026-11-25 21:59"),
        ("2026-11-25 13:00", "12:00", "14:00", "2026-11-25 14:00"),
        ("2026-11-25 11:59", "12:00", "14:00", "2026-11-25 11:59"),
        # The clocks go back at 3:00, and forward at 2:00: the end is that of the wall clock.
        ("2026-10-24 23:00", "22:00", "08:00", "2026-10-25 08:00"),
        ("2026-03-28 23:00", "22:00", "08:00", "2026-03-29 08:00"),
        ("2026-11-25 23:30", "22:00", "22:00", "2026-11-25 23:30"),
    ],
)
def test_quiet_hours_end_by_the_clock_on_the_wall(
    now: str, begin: str, end: str, audible: str
) -> None:
    hours = (time.fromisoformat(begin), time.fromisoformat(end))
    assert audible_from(at(now), BERLIN, *hours) == at(audible)


def test_half_given_hours_are_none() -> None:
    now = at("2026-11-25 23:30")
    assert audible_from(now, BERLIN, None, time(8)) == audible_from(now, BERLIN, time(22), None)


@given(MOMENTS, ZONES, TIMES, TIMES)
def test_the_audible_moment_is_never_quiet_nor_early(
    now: datetime, zone: str, begin: time, end: time
) -> None:
    audible = audible_from(now, ZoneInfo(zone), begin, end)
    assert now <= audible <= now + timedelta(hours=26)
    assert audible_from(audible, ZoneInfo(zone), begin, end) == audible
    if audible > now:
        # The hour that a change of the clocks leaves out has no time of its own.
        wall = audible.astimezone(ZoneInfo(zone)).time()
        assert wall == end or wall == (datetime.combine(audible, end) + timedelta(hours=1)).time()
