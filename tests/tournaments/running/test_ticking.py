"""The tick starts tournaments, counts levels, keeps the clock through outages, and cleans up."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.utils import timezone
from redis import Redis

from accounts.ledger import promotions, transfers
from accounts.users import bots
from config import limits
from tables.models import Table
from tables.store import fenced, keys
from tests.redis_answers import entries_of
from tests.tournaments.cast import Arena, by_hands, offer, open_offer, passive, started
from tests.tournaments.entries.balances import balance_of
from tests.tournaments.events.announced import event_types
from tests.tournaments.running.earlier_start import MINUTE_MS, backdate
from tournaments import progress
from tournaments.engine import levels
from tournaments.entries import registration
from tournaments.events import bells
from tournaments.events.client_events import HandsLeft, LevelBegan, TournamentEvent
from tournaments.models import Announcement, Tournament
from tournaments.prizes import money
from tournaments.queries import overview
from tournaments.running import operations, tasks, tick


def scheduled(players: int, **fields: object) -> Tournament:
    """A tournament whose start time has just come."""
    tournament = open_offer(
        start="scheduled",
        starts_at=timezone.now() + timedelta(hours=1),
        **({"players_max": 50} | fields),
    )
    for bot in bots.create(players):
        registration.register(bot, tournament)
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now())
    return tournament


@pytest.mark.rule("T-04")
@pytest.mark.rule("F-03")
def test_a_scheduled_tournament_starts_at_its_time(house: Redis) -> None:
    tournament = scheduled(3)
    assert tick.tick(tournament.pk) == 0
    tournament.refresh_from_db()
    assert tournament.state == "running" and tournament.left == 3


@pytest.mark.rule("T-04")
def test_a_scheduled_tournament_with_too_few_players_is_cancelled_and_refunded(
    house: Redis,
) -> None:
    tournament = scheduled(3, players_min=4)
    assert tick.tick(tournament.pk) is None
    tournament.refresh_from_db()
    assert tournament.state == "cancelled"
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.balance(money.fees())
    assert event_types(f"user:{bots.create(1)[0].pk}") == ["registered", "tournament_cancelled"]


@pytest.mark.rule("T-01")
@pytest.mark.rule("T-04")
@pytest.mark.parametrize(("players", "state"), [(1, "cancelled"), (2, "running")])
def test_several_entries_of_one_player_alone_start_nothing(
    house: Redis, players: int, state: str
) -> None:
    tournament = scheduled(players, entries_max=2, several_at_once=True, guarantee=50_000)
    assert promotions.set_aside() > 0
    [first, *_] = bots.create(players)
    registration.register(first, tournament)
    assert (operations.missing_players(Tournament.objects.get()) is None) is (players == 2)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == state
    if state == "cancelled":
        assert balance_of(first) == 1_000_000, "both entries came back"
        assert promotions.set_aside() == 0, "so did the guarantee"


def test_a_tick_before_the_start_time_changes_nothing(house: Redis) -> None:
    tournament = scheduled(3)
    began = timezone.now()
    Tournament.objects.update(starts_at=began + timedelta(seconds=20))
    again_ms = tick.tick(tournament.pk)
    passed_ms = (timezone.now() - began) / timedelta(milliseconds=1)
    assert again_ms is not None and 20_000 - passed_ms - 10 < again_ms <= 20_000
    tournament.refresh_from_db()
    assert tournament.state == "registering"


@pytest.mark.rule("T-04")
@pytest.mark.rule("F-02")
def test_a_sit_and_go_starts_when_it_is_full(house: Redis) -> None:
    tournament = open_offer(players_max=3)
    first, second, third = bots.create(3)
    for player in (first, second):
        registration.register(player, tournament)
    assert tick.tick(tournament.pk) == limits.TOURNAMENT_IDLE_MS
    registration.register(third, tournament)
    assert house.zscore(keys.wakes(0), tournament.member) == 0, "the last place wakes the tick"
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "running"


def test_a_tournament_never_opened_is_cancelled_at_its_start_time(house: Redis) -> None:
    tournament = offer(start="scheduled", starts_at=timezone.now() - timedelta(seconds=1))
    assert tick.tick(tournament.pk) is None
    tournament.refresh_from_db()
    assert tournament.state == "cancelled"


def test_a_scheduled_series_continues_after_too_few_registrations(house: Redis) -> None:
    tournament = scheduled(1, repeats=True, repeat_every_s=600)
    tick.tick(tournament.pk)
    follower = Tournament.objects.get(follows=tournament)
    assert follower.starts_at is not None and follower.state == "registering"
    assert timezone.now() < follower.starts_at <= timezone.now() + timedelta(seconds=600)


@pytest.mark.rule("L-04")
def test_a_level_is_announced_and_played_from_the_next_hand(house: Redis) -> None:
    tournament = started(2)
    arena = Arena(tournament.pk)
    arena.choose = passive
    table = arena.tables()[0]
    tick.tick(tournament.pk)
    assert arena.step(table) == "grant"
    assert arena.states[table].level == 1
    backdate(tournament, 3 * MINUTE_MS)
    tick.tick(tournament.pk)
    assert event_types(tournament.member).count("level_began") == 2
    assert arena.states[table].level == 1, "the hand in play keeps its level"
    arena.hand(table)
    while arena.step(table) != "grant":
        pass
    assert arena.states[table].level == 2


@pytest.mark.rule("L-01")
def test_levels_by_hands_go_by_the_table_that_played_most(house: Redis) -> None:
    tournament = by_hands(4, hands=2, seats_per_table=2)
    arena = Arena(tournament.pk)
    arena.choose = passive
    first, second = arena.tables()

    def level() -> int:
        tick.tick(tournament.pk)
        return progress.level(Tournament.objects.get(pk=tournament.pk))[0]

    assert level() == 1
    arena.hand(first)
    arena.hand(second)
    assert level() == 1, "two tables played one hand each"
    arena.hand(first)
    assert level() == 2
    Tournament.objects.update(final_table=True)
    Table.objects.filter(pk=first).update(status="closed")
    assert level() == 2, "two hands before and one at the final table"
    arena.hand(second)
    assert level() == 3


@pytest.mark.rule("L-01")
def test_hands_left_of_a_level_are_announced_once_for_each_hand(house: Redis) -> None:
    tournament = by_hands(4, hands=3, seats_per_table=2)
    arena = Arena(tournament.pk)
    arena.choose = passive
    first, second = arena.tables()

    def heard() -> list[object]:
        tick.tick(tournament.pk)
        rows = Announcement.objects.filter(stream=tournament.member).order_by("seq")
        story = [msgspec.json.decode(row.payload, type=TournamentEvent) for row in rows]
        kinds = (LevelBegan, HandsLeft)
        return [
            (event.level, event.ends_in_hands, event.ends_at_ms)
            if isinstance(event, LevelBegan)
            else event.hands
            for event in story
            if isinstance(event, kinds)
        ]

    assert heard() == [(1, 3, None)]
    arena.hand(first)
    assert heard() == [(1, 3, None), 2]
    arena.hand(second)
    assert heard() == [(1, 3, None), 2], "the second table only reached the first one's hand"
    arena.hand(first)
    assert heard() == [(1, 3, None), 2, 1]
    row = Tournament.objects.get(pk=tournament.pk)
    assert overview.overview(row).level_ends_in_hands == 1
    assert overview.overview(row).level_ends_at_ms is None
    arena.hand(first)
    assert heard() == [(1, 3, None), 2, 1, (2, 3, None)]


@pytest.mark.rule("L-05")
def test_a_break_stops_all_tables_until_its_end(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    arena = Arena(tournament.pk)
    tick.tick(tournament.pk)
    backdate(tournament, 45 * MINUTE_MS)
    tick.tick(tournament.pk)
    assert event_types(tournament.member)[-1] == "break_began"
    assert [arena.step(table) for table in arena.tables()] == ["break", "break"]
    backdate(tournament, 5 * MINUTE_MS)
    again_ms = tick.tick(tournament.pk)
    assert again_ms == limits.TOURNAMENT_TICK_MS
    assert event_types(tournament.member)[-1] == "level_began"
    assert [arena.step(table) for table in arena.tables()] == ["grant", "grant"]


@pytest.mark.rule("T-13")
def test_an_outage_takes_no_time_off_the_clock(house: Redis) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    row = Tournament.objects.get(pk=tournament.pk)
    beat_ms = row.heartbeat_ms or 0
    before = levels.elapsed_ms(row.clock(), beat_ms)
    row.started_ms, row.heartbeat_ms = (row.started_ms or 0) - MINUTE_MS, beat_ms - MINUTE_MS
    row.save()
    tick.tick(tournament.pk)
    row.refresh_from_db()
    assert row.heartbeat_ms is not None and row.heartbeat_ms >= beat_ms
    gone_on = levels.elapsed_ms(row.clock(), row.heartbeat_ms)
    assert before <= gone_on < before + 1_000
    assert row.stopped_ms >= MINUTE_MS
    assert event_types(tournament.member)[-1] == "resumed", "pages with a countdown reload"


def test_a_late_tick_is_no_outage(house: Redis) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    row = Tournament.objects.get(pk=tournament.pk)
    row.heartbeat_ms = (row.heartbeat_ms or 0) - limits.TOURNAMENT_GAP_MS // 2
    row.save()
    tick.tick(tournament.pk)
    row.refresh_from_db()
    assert row.stopped_ms == 0 and "resumed" not in event_types(tournament.member)


def test_tables_left_unopened_by_a_dead_worker_are_opened(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    tables = list(Table.objects.values_list("pk", flat=True))
    house.flushall()
    tick.tick(tournament.pk)
    assert all(fenced.peek(house, table) is not None for table in tables)


def test_announcements_of_a_dead_worker_are_published_in_order(house: Redis) -> None:
    tournament = started(2)
    events = keys.events(tournament.member, 1)
    count = house.xlen(events)
    house.delete(events)
    Announcement.objects.filter(stream=tournament.member).update(published=False)
    tick.tick(tournament.pk)
    ids = [entry_id.decode() for entry_id, _ in entries_of(house, events)]
    assert ids[:count] == [f"0-{number}" for number in range(1, count + 1)]


def test_the_lobby_is_notified_of_a_change_once(house: Redis) -> None:
    tournament = open_offer()
    tick.tick(tournament.pk)
    tick.tick(tournament.pk)
    assert event_types("lobby") == ["tournament_summary"]
    for bot in bots.create(3):
        registration.register(bot, tournament)
    tick.tick(tournament.pk)
    assert event_types("lobby") == ["tournament_summary"] * 2
    last = Announcement.objects.filter(stream="lobby").latest("seq")
    assert b'"entrants":3' in bytes(last.payload)


def test_every_live_tournament_has_a_wake_and_a_finished_one_has_none(house: Redis) -> None:
    tournament = started(2)
    assert house.zscore(keys.wakes(0), tournament.member) is not None
    house.flushall()
    bells.ensure_all()
    assert house.zscore(keys.wakes(0), tournament.member) is not None
    tasks.tick(tournament.member)
    assert house.zscore(keys.wakes(0), tournament.member) is not None
    bells.ensure_all()
    Arena(tournament.pk).run()
    tasks.tick(tournament.member)
    assert house.zscore(keys.wakes(0), tournament.member) is None
    assert event_types("lobby")[-1] == "tournament_summary"


def test_a_lost_wake_is_set_again(house: Redis) -> None:
    tournament = open_offer()
    house.flushall()
    registration.register(bots.create(1)[0], tournament)
    assert house.zscore(keys.wakes(0), tournament.member) is not None


def test_a_wake_without_tournament_is_removed(house: Redis) -> None:
    bells.schedule(999, 0)
    tasks.tick("tournament:999")
    assert house.zscore(keys.wakes(0), "tournament:999") is None
