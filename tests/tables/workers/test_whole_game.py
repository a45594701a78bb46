"""A table played to its end through the real scripts and transactions."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from redis import Redis

from tables.dealer import record
from tables.engine.events import HandEnded
from tables.models import Hand, Seat
from tables.records import stored
from tables.store import fenced, keys, private_events
from tables.workers import advance, recovery
from tests.conftest import adopt_run
from tests.redis_answers import entries_of, keys_of
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)


def _stream(room: Redis, name: str) -> list[tuple[str, dict[str, Any]]]:
    lines = [(entry_id.decode(), fields[b"e"]) for entry_id, fields in entries_of(room, name)]
    return [(line_id, json.loads(raw)) for line_id, raw in private_events.open_all(name, lines)]


@pytest.mark.rule("H-07")
@pytest.mark.parametrize(("seed", "shards"), [(1, 1), (2, 1), (3, 64)])
def test_a_table_plays_to_its_last_seat_and_conserves_every_chip(
    room: Redis, settings: Any, seed: int, shards: int
) -> None:
    settings.SHARDS = shards
    adopt_run(room)
    chance = random.Random(seed)
    chips = [chance.randrange(100, 3_000) for _ in range(chance.randrange(2, 10))]
    table = playing.sit_down(chips)
    recovery.open_tables(room, [table.pk])
    state, number = playing.run(room, table.pk), 0
    while state.phase != "closed":
        number += 1
        assert number < 5_000
        playing.send(room, state, chance, number)
        advance.advance(room, table.pk, chance)
        state = playing.run(room, table.pk)
        assert sum(Seat.objects.values_list("chips", flat=True)) == sum(chips)
    assert list(Seat.objects.values_list("chips", flat=True)) == [sum(chips)]
    member = keys.table(table.pk)
    own = {key.decode().partition(":")[0] for key in keys_of(room, f"*{member}*")}
    assert own == {f"{{{keys.shard(member, shards)}}}"}, "all its keys are in its shard"
    hands = list(Hand.objects.order_by("number"))
    assert [hand.number for hand in hands] == list(range(1, len(hands) + 1))
    for hand in hands:
        kept = stored.decode(bytes(hand.record))
        assert stored.decode(stored.encode(kept)) == kept
        ended = record.replay(kept.setup, kept.actions)[-1]
        assert isinstance(ended, HandEnded)
        assert {s.seat: s.chips for s in ended.stacks} == {
            s.seat: s.chips for s in kept.seats if s.dealt
        }


def test_streams_have_no_gap_and_no_foreign_card(room: Redis) -> None:
    chance = random.Random(7)
    table = playing.sit_down([1_000] * 6)
    recovery.open_tables(room, [table.pk])
    state = playing.run(room, table.pk)
    for number in range(60):
        if state.phase == "closed":
            break
        playing.send(room, state, chance, number)
        advance.advance(room, table.pk, chance)
        state = playing.run(room, table.pk)
    member = keys.table(table.pk)
    public = _stream(room, keys.events(member, 1))
    assert [line_id for line_id, _ in public] == [f"1-{n}" for n in range(1, len(public) + 1)]
    assert all(event["id"] == line_id for line_id, event in public)
    dealt = [event for _, event in public if event["type"] == "hole_cards_dealt"]
    assert dealt and all(event["cards"] == ["??", "??"] for event in dealt)
    assert all(not event["deck"] for _, event in public if event["type"] == "hand_began")
    for seat in range(1, 7):
        own = _stream(room, keys.cards(member, table.pk * 100 + seat, 1))
        assert own, "every seat was dealt in at least once"
        assert {event["seat"] for _, event in own} == {seat}
        assert all("??" not in event["cards"] for _, event in own)


def test_a_duplicate_bell_has_no_effect(room: Redis) -> None:
    chance = random.Random(5)
    table = playing.sit_down([1_000] * 3)
    recovery.open_tables(room, [table.pk])
    state = playing.run(room, table.pk)
    playing.send(room, state, chance, 1)
    advance.advance(room, table.pk, chance)
    after = room.hgetall(keys.state(keys.table(table.pk), 1))
    advance.advance(room, table.pk, chance)
    again = room.hgetall(keys.state(keys.table(table.pk), 1))
    assert {k: v for k, v in again.items() if k != b"bell"} == {
        k: v for k, v in after.items() if k != b"bell"
    }


def test_two_workers_with_the_same_state_store_one_step(room: Redis) -> None:
    chance = random.Random(5)
    table = playing.sit_down([1_000] * 3)
    recovery.open_tables(room, [table.pk])
    state = playing.run(room, table.pk)
    slow = fenced.load(room, table.pk)
    assert slow is not None
    playing.send(room, state, chance, 1)
    advance.advance(room, table.pk, chance)
    kept = room.hgetall(keys.state(keys.table(table.pk), 1))
    assert fenced.commit(room, slow, slow.state, (), drained=0) is None
    assert not fenced.rest(room, slow)
    assert room.hgetall(keys.state(keys.table(table.pk), 1)) == kept


def test_a_hand_lost_with_redis_is_void_and_its_chips_are_restored(room: Redis) -> None:
    chance = random.Random(11)
    table = playing.sit_down([1_000] * 4)
    recovery.open_tables(room, [table.pk])
    state = playing.run(room, table.pk)
    for number in range(9):
        playing.send(room, state, chance, number)
        advance.advance(room, table.pk, chance)
        state = playing.run(room, table.pk)
    settled = Hand.objects.filter(table=table).count()
    chips = dict(Seat.objects.values_list("entry", "chips"))
    room.flushall()
    assert recovery.adopt(room, 0)
    assert not recovery.adopt(room, 0), "adopted once"
    rebuilt = fenced.peek(room, table.pk)
    assert rebuilt is not None and rebuilt.epoch == 2
    assert rebuilt.hand_number == settled
    assert {seat.entry: seat.chips for seat in rebuilt.seats} == chips
    told = _stream(room, keys.events(keys.table(table.pk), 1))
    assert [event["type"] for _, event in told] == ["hand_voided"]
    assert told[0][1]["hand"] == settled + 1
    state = playing.run(room, table.pk)
    assert state.hand_number == settled + 1


def test_a_commit_of_the_old_epoch_is_refused_after_a_rebuild(room: Redis) -> None:
    table = playing.sit_down([1_000] * 3)
    recovery.open_tables(room, [table.pk])
    playing.run(room, table.pk)
    frozen = fenced.load(room, table.pk)
    assert frozen is not None
    assert recovery.rebuild(room, table.pk, seen_epoch=1)
    assert fenced.commit(room, frozen, frozen.state, (), drained=0) is None
    rebuilt = fenced.peek(room, table.pk)
    assert rebuilt is not None and rebuilt.epoch == 2
