"""Starts of a series keep their time of the day where the clocks change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from redis import Redis

from tests.tournaments.cast import offer
from tournaments.models import Tournament
from tournaments.schedule import making

BERLIN = ZoneInfo("Europe/Berlin")
DAY_S = 86_400


def repeated(starts_at: datetime, every_s: int, zone: str = "Europe/Berlin") -> Tournament:
    """The next tournament of a series."""
    fields = {"starts_at": starts_at, "repeat_every_s": every_s, "start_zone": zone}
    following = making.follow(offer(start="scheduled", repeats=True, **fields))
    assert following is not None and following.start_zone == zone
    following.refresh_from_db()
    return following


@pytest.mark.parametrize(("month", "day"), [(3, 27), (10, 30)])
@pytest.mark.parametrize("days", [1, 7])
def test_whole_days_keep_the_time_of_the_day(house: Redis, month: int, day: int, days: int) -> None:
    evening = datetime(2060, month, day, 20, tzinfo=BERLIN)
    later = repeated(evening, days * DAY_S).starts_at
    assert later == evening + timedelta(days=days)
    assert later is not None and later.astimezone(BERLIN).hour == 20
    assert later.astimezone(UTC) - evening.astimezone(UTC) != timedelta(days=days)


@pytest.mark.parametrize(("every_s", "zone"), [(DAY_S // 2, "Europe/Berlin"), (DAY_S, "")])
def test_hours_and_starts_without_a_zone_go_by_the_time_that_passed(
    house: Redis, every_s: int, zone: str
) -> None:
    evening = datetime(2060, 10, 30, 20, tzinfo=BERLIN)
    later = repeated(evening, every_s, zone).starts_at
    assert later == evening.astimezone(UTC) + timedelta(seconds=every_s)


@pytest.mark.parametrize(
    ("zone", "hour", "moved"),
    [("Europe/Berlin", 2, "2060-03-28T03:30"), ("America/Nuuk", 23, "2060-03-28T00:30")],
)
def test_an_hour_that_the_clocks_skip_moves_the_start_of_that_day_alone(
    house: Redis, zone: str, hour: int, moved: str
) -> None:
    there = ZoneInfo(zone)
    starts = [datetime(2060, 3, 26, hour, 30, tzinfo=there)]
    tournament = repeated(starts[0], DAY_S, zone)
    while len(starts) < 4:
        assert tournament.starts_at is not None
        starts.append(tournament.starts_at.astimezone(there))
        following = making.follow(tournament)
        assert following is not None
        tournament = following
    local = [f"{start:%Y-%m-%dT%H:%M}" for start in starts]
    assert [start for start in local if f"T{hour:02}:30" not in start] == [moved]
    assert f"T{hour:02}:30" in local[-1], "the time of the day comes back"


def test_a_start_that_is_still_ahead_after_an_outage_is_not_skipped(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = datetime(2060, 10, 30, 20, tzinfo=BERLIN)
    last = offer(
        start="scheduled",
        repeats=True,
        starts_at=evening,
        repeat_every_s=DAY_S,
        start_zone="Europe/Berlin",
    )
    late = evening.astimezone(UTC) + timedelta(hours=24, minutes=30)
    monkeypatch.setattr(timezone, "now", lambda: late)
    following = making.follow(last)
    assert following is not None and following.starts_at == evening + timedelta(days=1)
