"""Law of cards-up streams: nothing before it is due, every settled hand once and in order."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from redis import Redis

from config import clock, limits
from tables.cardsup import watching
from tables.cardsup.models import Retelling
from tables.dealer import record
from tables.history.kept import kept_of, whole_of
from tables.store import keys
from tables.store.streams import publish
from tests.tournaments.cardsup.scene import DELAY_MS, CardsUpScene, forget_hands

MADE_HERE = ("hand_retold", "hand_chances")


class Killed(BaseException):
    """End of the process between two commands."""


class DyingRedis:
    """Real Redis whose process is killed before its command number `lives`."""

    def __init__(self, redis: Redis, lives: int) -> None:
        self._redis = redis
        self.lives = lives

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("x") and name not in ("publish", "expire"):
            return getattr(self._redis, name)
        if self.lives == 0:
            raise Killed
        self.lives -= 1
        return getattr(self._redis, name)


Times = dict[tuple[str, str], int]


def _note(scene: CardsUpScene, streams: list[str], times: Times, at_ms: int) -> None:
    for stream in streams:
        for event in scene.told(stream):
            times.setdefault((stream, event["id"]), at_ms)


@pytest.fixture
def scene(house: Redis) -> CardsUpScene:
    """Six hands of two tables, settled and not told."""
    made = CardsUpScene(house, players=6, seats=3)
    made.play(6)
    return made


@hypothesis_settings(
    max_examples=5,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
)
@given(data=st.data())
def test_no_event_is_told_early_and_every_hand_once_in_order(
    scene: CardsUpScene, data: st.DataObject
) -> None:
    Retelling.objects.all().delete()
    streams = [f"cardsup:{table}" for table in scene.tables]
    for stream in (*streams, scene.featured):
        scene.redis.delete(keys.events(stream, settings.SHARDS))
    times: Times = {}
    all_told: dict[str, dict[str, dict[str, Any]]] = {stream: {} for stream in streams}
    at_ms = scene.first_ms()
    for step in range(36):
        # The times of looks, the kills and the losses of Redis are drawn; the end is past all.
        at_ms += data.draw(st.sampled_from([1, 40, 700, 9_000, 30_000])) if step < 24 else 30_000
        lives = data.draw(st.integers(0, 12)) if step < 24 else -1
        if step < 24 and data.draw(st.integers(0, 9)) == 0:
            scene.redis.delete(*[keys.events(stream, settings.SHARDS) for stream in streams])
        try:
            scene.look(at_ms, DyingRedis(scene.redis, lives))  # type: ignore[arg-type]
        except Killed:
            forget_hands()
        _note(scene, streams, times, at_ms)
        for stream in streams:
            for event in scene.told(stream):
                before = all_told[stream].setdefault(event["id"], event)
                assert before == event, "an event was told twice, otherwise"
    for stream, table in zip(streams, scene.tables, strict=True):
        _judge(scene, table, all_told[stream], {i: t for (s, i), t in times.items() if s == stream})


def _judge(
    scene: CardsUpScene, table: int, told: dict[str, dict[str, Any]], times: dict[str, int]
) -> None:
    """Hold a stream against the hands themselves, counted from their records alone."""
    ids = sorted(told, key=lambda event_id: int(event_id[2:]))
    assert ids == [f"0-{number}" for number in range(1, len(ids) + 1)], "numbers have a gap"
    hands = [whole_of(hand) for hand in scene.hands(table)]
    begun = [told[event_id]["hand"] for event_id in ids if told[event_id]["type"] == "hand_retold"]
    assert begun == [kept.hand for kept in hands], "a hand is missing, twice or out of order"
    course = iter([event_id for event_id in ids if told[event_id]["type"] not in MADE_HERE])
    for kept in hands:
        dealt, *followed = record.steps(kept.setup, kept.actions)
        at_ms = [0, *(note.at_ms for note in kept.notes)]
        for happened_ms, events in zip(at_ms, (dealt, *followed), strict=True):
            for event in events:
                event_id = next(course)
                assert told[event_id]["type"] == event.__struct_config__.tag
                due_ms = max(kept.began_ms + happened_ms + DELAY_MS, kept.released_ms)
                assert times[event_id] >= due_ms, "told before it was due"
        shown_later = len(dict(kept.result.shown)) - _shown(dealt, followed)
        for _ in range(max(0, shown_later)):
            assert told[next(course)]["type"] == "cards_shown"
    assert next(course, None) is None


def _shown(dealt: Any, followed: Any) -> int:
    seats = set()
    for events in (dealt, *followed):
        for event in events:
            if event.__struct_config__.tag == "cards_shown":
                seats.add(event.seat)
            if event.__struct_config__.tag == "hands_revealed":
                seats |= {seat for seat, _ in event.hands}
    return len(seats)


def test_two_processes_tell_a_stream_by_turns_and_a_late_one_changes_nothing(
    scene: CardsUpScene,
) -> None:
    at_ms = scene.first_ms() + DELAY_MS
    watching.discover(scene.redis, at_ms)
    [first, *_] = held = watching.claim(at_ms)
    assert {row.stream for row in held} >= {f"cardsup:{table}" for table in scene.tables}
    assert watching.claim(at_ms) == [], "a claimed stream is claimed again"
    later_ms = at_ms + limits.CARDS_UP_LEASE_MS
    assert len(watching.claim(later_ms)) == len(held), "the streams of a dead process stay"
    assert not watching.save(first, first.due_ms), "a process that lost its claim saves"


def test_a_hand_after_a_loss_of_postgresql_is_told_with_its_first_events(house: Redis) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    scene.play(2)
    [table] = scene.tables
    stream, second = f"cardsup:{table}", kept_of(scene.hands(table)[1])
    scene.look_until(scene.first_ms() + DELAY_MS, second.began_ms + DELAY_MS - 1)
    row = scene.row(stream)
    last = row.base_seq + row.length
    assert len(scene.told(stream)) == last, "the first hand was told"
    # Redis still has what was told of a hand whose rows PostgreSQL lost.
    for seq in range(last + 1, last + 4):
        assert publish(house, stream, seq, b'{"type":"hand_chances","equities":[]}')
    scene.look_until(second.began_ms + DELAY_MS, second.released_ms + 2 * DELAY_MS)
    told = scene.told(stream)[last + 3 :]
    assert (told[0]["type"], told[0]["hand"]) == ("hand_retold", 2)
    assert told[-1]["type"] == "hand_ended" and len(told) == scene.row(stream).length


def test_a_clock_that_went_back_makes_no_long_pause(house: Redis) -> None:
    at_ms = clock.redis_now_ms(house)
    due_ms = watching.step(house, at_ms)
    assert 0 < watching.pause_ms(due_ms, at_ms) <= limits.CARDS_UP_LOOK_MS
    assert watching.pause_ms(due_ms, at_ms - 3_600_000) == limits.CARDS_UP_LOOK_MS
    assert watching.pause_ms(due_ms, at_ms + 3_600_000) == 0
