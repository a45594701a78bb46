"""Numbers of events after a PostgreSQL that came back without its last ones."""

from __future__ import annotations

import pytest
from django.db import connection
from redis import Redis

from tables.engine.events import Event
from tables.store import keys
from tests.redis_answers import entries_of
from tests.tournaments.club_scene import club_offer, make_club
from tournaments.events import outbox, published_numbers
from tournaments.events.client_events import FinalTable
from tournaments.events.unit_of_work import unit_of_work
from tournaments.models import Announcement, StreamHead
from tournaments.running import tasks

STREAMS = ("tournament:7", "user:3", "club:5", outbox.LOBBY)


def tell(stream: str, *tables: int) -> None:
    """Announce events in a separate transaction."""
    with unit_of_work() as tx:
        for table in tables:
            event: Event = FinalTable(table=table, left=2)
            tx.tell(stream, event)


def numbers(house: Redis, stream: str) -> list[int]:
    """Numbers of the events that were told."""
    entries = entries_of(house, keys.events(stream, 1))
    return [int(entry_id.decode().partition("-")[2]) for entry_id, _ in entries]


def lose(stream: str, keep: int) -> None:
    """Set a stream back to its first events, as a server that lacks the last commits has it."""
    Announcement.objects.filter(stream=stream, seq__gt=keep).delete()
    rows = StreamHead.objects.filter(stream=stream)
    rows.update(seq=keep) if keep else rows.delete()


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("keep", [0, 1])
def test_no_number_is_told_twice(house: Redis, stream: str, keep: int) -> None:
    tell(stream, 1, 2, 3)
    with connection.cursor() as cursor:
        assert list(published_numbers.behind(cursor, house)) == []
        lose(stream, keep)
        [sign] = published_numbers.behind(cursor, house)
        assert sign == f"1 streams of events told more, {stream} among them"
        published_numbers.raise_above(cursor, house)
        assert list(published_numbers.behind(cursor, house)) == []
    tell(stream, 4)
    assert numbers(house, stream) == [1, 2, 3, 3 + published_numbers.HEADS_JUMP + 1]


def test_streams_that_redis_forgot_go_on_far_above(house: Redis) -> None:
    tell("user:3", 1, 2)
    house.flushall()
    with connection.cursor() as cursor:
        published_numbers.raise_above(cursor, house)
    tell("user:3", 3)
    assert numbers(house, "user:3") == [2 + published_numbers.HEADS_JUMP + 1]


def test_a_damaged_stream_holds_up_no_judgement_of_postgresql(house: Redis) -> None:
    tell("user:3", 1, 2)
    house.set(keys.events("tournament:7", 1), "damaged")
    assert published_numbers.told(house) == {"user:3": 2}


def test_every_stream_of_events_is_of_a_known_kind(house: Redis) -> None:
    """A tournament of a club tells its row on the stream of the club, too."""
    club = make_club()
    made = club_offer(club)
    tasks.tick(made.member)
    streams = set(StreamHead.objects.values_list("stream", flat=True))
    assert club.member in streams
    assert set(published_numbers.told(house)) == streams


def test_events_of_tables_and_chats_have_numbers_of_their_own(house: Redis) -> None:
    for name in ("table:5", "chat:table:5"):
        house.xadd(keys.events(name, 1), {"e": b"{}"}, id="0-9")
    assert published_numbers.told(house) == {}
