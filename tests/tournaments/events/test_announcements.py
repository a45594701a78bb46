"""The outbox: events numbered in order of commits, published once, only of committed facts."""

from __future__ import annotations

import threading
from typing import Any, get_args

import msgspec
import pytest
from django.db import connection, transaction
from redis import Redis
from redis.exceptions import ConnectionError

from config import limits, redis
from tables.engine.events import Event, Stakes
from tables.gateway.streams import known_kinds
from tables.store import keys
from tests.redis_answers import entries_of
from tests.tournaments.cast import Arena, started
from tournaments.events import bells, client_events, lobby_row
from tournaments.events import outbox as announcements
from tournaments.events.client_events import Cancelled, FinalTable, LevelBegan, TournamentEvent
from tournaments.events.notices import Notice
from tournaments.events.outbox import publish
from tournaments.events.unit_of_work import UnitOfWork, unit_of_work
from tournaments.models import Announcement
from tournaments.running import tasks

STREAM = "tournament:7"


def tell(*tables: int, stream: str = STREAM) -> None:
    """Announce an event in a separate transaction."""
    with unit_of_work() as tx:
        for table in tables:
            tx.tell(stream, FinalTable(table=table, left=2))


def published(house: Redis, stream: str = STREAM) -> list[tuple[str, int]]:
    """Ids and tables of the published events."""
    lines = entries_of(house, keys.events(stream, 1))
    return [(line_id.decode(), msgspec.json.decode(raw[b"e"])["table"]) for line_id, raw in lines]


def test_events_are_numbered_and_published_in_order(house: Redis) -> None:
    tell(1, 2)
    tell(3)
    assert published(house) == [("0-1", 1), ("0-2", 2), ("0-3", 3)]
    assert announcements.head(STREAM) == 3 and announcements.head("tournament:8") == 0
    assert not Announcement.objects.filter(published=False).exists()


def test_a_crowd_waits_for_what_befalls_others_only(house: Redis) -> None:
    """Registrations, moves and knock-outs are calm; a name makes no other event so."""
    name = '"type":"player_out"'
    who: dict[str, Any] = {"entry": 1, "user": 1, "name": name}
    told: list[TournamentEvent] = [
        client_events.PlayerRegistered(**who, entrants=1),
        client_events.PlayerUnregistered(**who, entrants=0),
        client_events.PlayerOut(**who, left=2, place=None, prize=0),
        client_events.Moved(**who, from_table=1, to_table=2, to_seat=3),
        client_events.PlayerPlaced(**who, place=3, prize=0),
        FinalTable(table=1, left=2),
    ]
    with unit_of_work() as tx:
        for event in told:
            tx.tell(STREAM, event)
    kind = known_kinds.kind_of(STREAM)
    assert kind is not None
    lines = entries_of(house, keys.events(STREAM, 1))
    assert [kind.is_calm(raw[b"e"]) for _, raw in lines] == [True] * 4 + [False] * 2


def test_a_rolled_back_event_is_never_published(house: Redis) -> None:
    with transaction.atomic():
        tx = UnitOfWork()
        tx.tell(STREAM, Cancelled("no"))
        tx.write()
        transaction.set_rollback(True)
    assert announcements.head(STREAM) == 0
    tell(1)
    assert published(house) == [("0-1", 1)]


def test_publishing_twice_publishes_each_event_once(house: Redis) -> None:
    tell(1)
    Announcement.objects.update(published=False)
    assert publish([STREAM]) == 1
    assert published(house) == [("0-1", 1)]


def test_events_of_many_streams_are_published_together_each_in_order(house: Redis) -> None:
    streams = [f"tournament:{number}" for number in range(1, 61)]
    with unit_of_work() as tx:
        for table in (1, 2, 3):
            for stream in streams:
                tx.tell(stream, FinalTable(table=table, left=2))
    assert len(streams) * 3 > announcements.TOGETHER
    for stream in streams:
        assert published(house, stream) == [("0-1", 1), ("0-2", 2), ("0-3", 3)]
        assert 0 < house.ttl(keys.events(stream, 1)) <= limits.STREAM_KEPT_S
    # An attempt that ended after some of the events: the others follow, none comes twice.
    for stream in streams[::2]:
        house.xtrim(keys.events(stream, 1), maxlen=0, approximate=False)
        tell(4, stream=stream)
    Announcement.objects.update(published=False)
    assert publish(streams) == len(streams) * 3 + len(streams) // 2
    assert {len(published(house, stream)) for stream in streams[1::2]} == {3}
    assert {tuple(published(house, stream)) for stream in streams[::2]} == {(("0-4", 4),)}
    assert not Announcement.objects.filter(published=False).exists()


def test_followers_of_a_stream_get_a_hint_of_its_events(house: Redis) -> None:
    told: Any = house.pubsub()  # type: ignore[no-untyped-call]
    told.ssubscribe(keys.hints(STREAM, 1))
    while told.get_sharded_message(timeout=5) is None:
        pass
    tell(1, 2)
    heard = told.get_sharded_message(ignore_subscribe_messages=True, timeout=5)
    assert heard is not None and heard["data"] == STREAM.encode()
    told.close()


def test_a_damaged_stream_begins_anew_and_holds_up_no_other(house: Redis) -> None:
    house.set(keys.events(STREAM, 1), "damaged")
    with unit_of_work() as tx:
        for stream in (STREAM, "user:3"):
            tx.tell(stream, FinalTable(table=1, left=2))
    assert published(house) == published(house, "user:3") == [("0-1", 1)]
    assert not Announcement.objects.filter(published=False).exists()


def test_a_redis_that_takes_no_event_keeps_them_for_later(house: Redis) -> None:
    house.config_set("maxmemory", 1)
    try:
        tell(1)
    finally:
        house.config_set("maxmemory", 0)
    assert Announcement.objects.filter(published=False).count() == 1
    assert publish([STREAM]) == 1 and published(house) == [("0-1", 1)]


def test_no_event_is_lost_while_redis_is_unreachable(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> Redis:
        raise ConnectionError("Redis is unreachable")

    with monkeypatch.context() as patch:
        patch.setattr(redis, "room", away)
        tell(1)
        tell(2)
    assert published(house) == []
    tell(3)
    assert published(house) == [("0-1", 1), ("0-2", 2), ("0-3", 3)]


def test_the_schedule_publishes_the_rest_of_a_finished_tournament(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(streams: object) -> int:
        raise ConnectionError("Redis is unreachable")

    with monkeypatch.context() as patch:
        patch.setattr(announcements, "publish", away)
        tell(1)
    assert published(house) == []
    tasks.tick(bells.member(bells.SCHEDULE))
    assert published(house) == [("0-1", 1)]


def test_concurrent_writers_leave_no_gap_and_no_disorder(house: Redis) -> None:
    def write(number: int) -> None:
        for step in range(10):
            tell(number * 100 + step)
        connection.close()

    threads = [threading.Thread(target=write, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    announcements.publish_rest()
    seen = published(house)
    assert [line_id for line_id, _ in seen] == [f"0-{number}" for number in range(1, 41)]
    for number in range(4):
        own = [table for _, table in seen if table // 100 == number]
        assert own == sorted(own)


def test_every_event_survives_its_encoding() -> None:
    events = (*get_args(TournamentEvent), *get_args(Notice), lobby_row.TournamentChanged)
    assert len({event.__name__ for event in events}) == len(events)
    for union in (TournamentEvent, Notice):
        tags = [event.__struct_config__.tag for event in get_args(union)]
        assert len(set(tags)) == len(tags) and all(tag == tag.lower() for tag in tags)
    level = LevelBegan(2, Stakes(10, 20), 5, None, None, None)
    assert msgspec.json.decode(msgspec.json.encode(level), type=TournamentEvent) == level
    assert all(issubclass(event, Event) for event in events)


def test_the_events_of_a_whole_tournament_are_consistent(house: Redis) -> None:
    tournament = started(10, seats_per_table=5)
    Arena(tournament.pk, seed=3).run()
    lines = entries_of(house, keys.events(tournament.member, 1))
    story = [msgspec.json.decode(raw[b"e"], type=TournamentEvent) for _, raw in map(_bare, lines)]
    kinds = [type(event).__name__ for event in story]
    assert kinds.count("PlayerRegistered") == 10 and kinds.count("PlayerOut") == 9
    assert kinds[-1] == "Finished" and kinds.count("Finished") == 1
    assert kinds.count("TableOpened") == 3 and kinds.count("FinalTable") == 1
    assert kinds.count("TournamentTableClosed") == 2
    lefts = [event.left for event in story if isinstance(event, client_events.PlayerOut)]
    assert lefts == sorted(lefts, reverse=True) and lefts[-1] == 1


def _bare(line: tuple[bytes, dict[bytes, bytes]]) -> tuple[bytes, dict[bytes, bytes]]:
    """A stream entry without the id in front of its event."""
    line_id, raw = line
    told = msgspec.json.decode(raw[b"e"])
    assert told.pop("id") == line_id.decode()
    return line_id, {b"e": msgspec.json.encode(told)}
