"""Wakes and clocks of tournaments under concurrent changes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone
from redis import Redis

from config import clock, limits
from tests.tournaments.cast import open_offer, started
from tournaments.engine import levels
from tournaments.events import bells
from tournaments.models import Tournament
from tournaments.running import operations, tick

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_tick_keeps_a_wake_requested_meanwhile(house: Redis) -> None:
    tournament = started(6, seats_per_table=6)
    bells.schedule(tournament.pk, 0)
    seen = bells.due(tournament.pk)
    bells.wake(tournament.pk)
    pulled = bells.due(tournament.pk)
    assert pulled != seen
    bells.reschedule(tournament.pk, 30_000, seen)
    assert bells.due(tournament.pk) == pulled
    bells.reschedule(tournament.pk, 30_000, pulled)
    due_ms = bells.due(tournament.pk)
    assert due_ms is not None and due_ms > clock.redis_now_ms(house) + 20_000


def test_a_missing_wake_is_set_by_the_tick(house: Redis) -> None:
    tournament = started(6, seats_per_table=6)
    bells.schedule(tournament.pk, 0)
    seen = bells.due(tournament.pk)
    bells.cancel(tournament.pk)
    bells.reschedule(tournament.pk, 1_000, seen)
    assert bells.due(tournament.pk) is not None


def test_wakes_of_all_shards_are_looked_after_by_one_query(
    house: Redis, settings: Any, django_assert_num_queries: Any
) -> None:
    settings.SHARDS = 4
    tournaments = [open_offer() for _ in range(6)]
    for tournament in tournaments:
        bells.cancel(tournament.pk)
    with django_assert_num_queries(1):
        bells.ensure_all()
    assert all(bells.due(tournament.pk) is not None for tournament in tournaments)


def test_wakes_set_once_a_minute_leave_tournaments_out_that_ended_long_ago(
    house: Redis, django_assert_num_queries: Any
) -> None:
    going, paid, left, old = [open_offer() for _ in range(4)]
    now = timezone.now()
    for ended, since in ((paid, 0), (left, 6), (old, 8)):
        refunding, at = ended is not paid, now - timedelta(days=since)
        row = Tournament.objects.filter(pk=ended.pk)
        row.update(state="cancelled", refunding=refunding, finished_at=at)
    for tournament in (going, paid, left, old):
        bells.cancel(tournament.pk)
    with django_assert_num_queries(1):
        bells.ensure_recent()
    found = [one for one in (going, paid, left, old) if bells.due(one.pk) is not None]
    assert found == [going, left]
    # A worker that starts looks at all of them.
    bells.ensure_all()
    assert bells.due(old.pk) is not None and bells.due(paid.pk) is None


@pytest.mark.rule("L-05")
def test_an_outage_within_a_pause_is_counted_once(house: Redis) -> None:
    tournament = started(6, seats_per_table=6)
    tick.tick(tournament.pk)
    operations.pause(tournament.pk)
    # Ten minutes without a tick: every stored time is that old.
    gap_ms = 600_000
    Tournament.objects.filter(pk=tournament.pk).update(
        started_ms=F("started_ms") - gap_ms,
        heartbeat_ms=F("heartbeat_ms") - gap_ms,
        stopped_since_ms=F("stopped_since_ms") - gap_ms,
    )
    operations.resume(tournament.pk)
    tick.tick(tournament.pk)
    tournament = Tournament.objects.get(pk=tournament.pk)
    elapsed_ms = levels.elapsed_ms(tournament.clock(), clock.database_now_ms())
    assert 0 < elapsed_ms < gap_ms / 10
    assert gap_ms <= tournament.stopped_ms < gap_ms + limits.TOURNAMENT_GAP_MS
