"""Effects of Redis losses and frozen workers on a table, one interleaving each."""

from __future__ import annotations

import json
import random

import msgspec
import pytest
from django.db.models import F
from redis import Redis

from config import limits
from tables.dealer import record
from tables.dealer.state import TableState
from tables.models import Hand, Seat, Table
from tables.store import fenced, inbox, keys, wakes
from tables.wire.client_commands import SitOut
from tables.workers import advance, recovery, settle
from tests.redis_answers import events_of
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)

BEAT = keys.beat(0)


def _adopted(room: Redis, chips: int = 3) -> Table:
    table = playing.sit_down([1_000] * chips)
    assert recovery.adopt(room, 0)
    playing.run(room, table.pk)
    return table


def _finished(room: Redis, table: Table, chance: random.Random) -> TableState:
    """Play the hand of a table to its end; return the state that waits for its settlement."""
    number = 0
    state = fenced.peek(room, table.pk)
    while state is not None and state.phase == "hand":
        number += 1
        playing.send(room, state, chance, number)
        advance.advance(room, table.pk, chance)
        state = fenced.peek(room, table.pk)
    assert state is not None and state.phase == "finished"
    return state


def _sit_out(room: Redis, table: int, user: int) -> None:
    command = msgspec.json.encode(SitOut("o", table))
    assert inbox.append(room, table, user, command).status == "accepted"


def test_a_load_after_an_outage_returns_the_lost_time_before_a_time_out(room: Redis) -> None:
    table = _adopted(room)
    wakes.sweep(room, 0)
    before = fenced.peek(room, table.pk)
    assert before is not None and before.turn is not None
    # The last sweep is a minute old, as after a minute without any process.
    room.hincrby(BEAT, "last", -60_000)
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    assert loaded.shift_ms >= 60_000
    advance.advance(room, table.pk, random.Random(1))
    after = fenced.peek(room, table.pk)
    assert after is not None and after.turn is not None
    assert after.turn.seat == before.turn.seat
    assert after.turn.deadline_ms >= before.turn.deadline_ms + 60_000


def test_a_frozen_settlement_voids_nothing(room: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    table = _adopted(room)
    chance = random.Random(3)
    stale: list[fenced.Loaded] = []
    original = fenced.load

    def once(redis: Redis, number: int) -> fenced.Loaded | None:
        return stale.pop() if stale else original(redis, number)

    state = fenced.peek(room, table.pk)
    number = 0
    while state is not None and state.phase == "hand":
        number += 1
        playing.send(room, state, chance, number)
        advance.advance(room, table.pk, chance)
        state = fenced.peek(room, table.pk)
    frozen = fenced.load(room, table.pk)
    assert frozen is not None and frozen.state.phase == "finished"
    for _ in range(3):
        state = playing.run(room, table.pk)
        if state.phase != "hand":
            return
        while state is not None and state.phase == "hand":
            number += 1
            playing.send(room, state, chance, number)
            advance.advance(room, table.pk, chance)
            state = fenced.peek(room, table.pk)
    if playing.run(room, table.pk).phase == "closed":
        settle.settle(room, table.pk)  # Opens the decks that nobody was dealt.
    healthy = fenced.peek(room, table.pk)
    stale.append(frozen)
    monkeypatch.setattr(fenced, "load", once)
    settle.settle(room, table.pk)
    assert fenced.peek(room, table.pk) == healthy
    assert healthy is not None
    assert Table.objects.get(pk=table.pk).epoch == healthy.epoch


def test_two_rebuilds_that_saw_the_same_epoch_raise_it_once(room: Redis) -> None:
    table = _adopted(room)
    epoch = Table.objects.get(pk=table.pk).epoch
    assert recovery.rebuild(room, table.pk, seen_epoch=epoch)
    assert not recovery.rebuild(room, table.pk, seen_epoch=epoch)
    assert Table.objects.get(pk=table.pk).epoch == epoch + 1


def test_a_table_closed_since_is_closed_in_an_older_redis_as_well(room: Redis) -> None:
    table, other = _adopted(room), playing.sit_down([1_000] * 2)
    before = fenced.peek(room, table.pk)
    assert before is not None and before.phase == "hand"
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED, epoch=F("epoch") + 1)
    room.delete(keys.generation(0))
    assert recovery.adopt(room, 0)
    after = fenced.peek(room, table.pk)
    assert after is not None and after.phase == "closed"
    assert wakes.due(room, keys.table(table.pk)) is None, (
        "no worker continues the hand of a closed table"
    )
    told = events_of(room, keys.events(keys.table(table.pk), 1))
    last = [json.loads(event)["type"] for event in told[-2:]]
    assert last == ["hand_voided", "table_closed"]
    assert wakes.due(room, keys.table(other.pk)) is not None, "all other tables continue"


def test_a_player_who_sits_out_between_hands_stays_absent_after_a_move(room: Redis) -> None:
    table = _adopted(room)
    state = _finished(room, table, random.Random(3))
    settle.settle_hand(record.of(state))
    assert Hand.objects.filter(table=table).count() == 1
    leaver = next(seat for seat in state.seats if seat.chips)
    _sit_out(room, table.pk, leaver.user)
    advance.advance(room, table.pk)
    settle.settle(room, table.pk)
    assert Seat.objects.get(entry=leaver.entry).absent


def test_an_unreadable_command_does_not_stop_the_table(room: Redis) -> None:
    table = _adopted(room)
    member = keys.table(table.pk)
    user = Seat.objects.filter(table=table).earliest("pk").user_id
    room.rpush(keys.inbox(member, 1), b"%d 1 {" % user)
    advance.advance(room, table.pk)
    assert room.llen(keys.inbox(member, 1)) == 0


def test_a_full_inbox_refuses_the_next_command(room: Redis) -> None:
    table = _adopted(room)
    user = Seat.objects.filter(table=table).earliest("pk").user_id
    for _ in range(limits.INBOX_COMMANDS_PER_SEAT_MAX):
        _sit_out(room, table.pk, user)
    command = msgspec.json.encode(SitOut("o", table.pk))
    assert inbox.append(room, table.pk, user, command).status == "full"
    assert inbox.append(room, table.pk, 999_999, command).status == "not_seated"
    assert inbox.append(room, 999_999, user, command).status == "no_table"


def test_a_waiting_command_does_not_make_the_settle_queue_spin(room: Redis) -> None:
    table = _adopted(room)
    state = _finished(room, table, random.Random(3))
    slow = msgspec.structs.replace(state, next_hand_ms=state.ended_ms + 60_000)
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    assert fenced.commit(room, loaded, slow, (), drained=0) is not None
    _sit_out(room, table.pk, state.seats[0].user)
    assert settle.settle(room, table.pk) == "play"


def test_a_table_closed_during_a_hand_announces_it_and_ends(room: Redis) -> None:
    table = _adopted(room)
    state = fenced.peek(room, table.pk)
    assert state is not None and state.phase == "hand"
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED, epoch=state.epoch + 1)
    recovery.close_tables(room, [table.pk])
    recovery.close_tables(room, [table.pk])
    told = [json.loads(event) for event in events_of(room, keys.events(f"table:{table.pk}", 1))]
    assert [event["type"] for event in told][-2:] == ["hand_voided", "table_closed"]
    assert wakes.due(room, keys.table(table.pk)) is None
    assert room.ttl(keys.events(f"table:{table.pk}", 1)) > 0
    ended = fenced.peek(room, table.pk)
    assert ended is not None and ended.phase == "closed"
    assert advance.advance(room, table.pk) is None


def test_a_hand_that_closes_its_table_is_settled_once(room: Redis) -> None:
    table = _adopted(room)
    state = _finished(room, table, random.Random(3))
    assert settle.settle_hand(record.of(state))
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED, epoch=state.epoch + 1)
    assert not settle.settle_hand(record.of(state)), "settled before, at any epoch"


def test_a_hand_of_an_older_epoch_is_not_written(room: Redis) -> None:
    table = _adopted(room)
    state = _finished(room, table, random.Random(5))
    Table.objects.filter(pk=table.pk).update(epoch=F("epoch") + 1)
    before = Table.objects.values().get(pk=table.pk)
    hand = record.of(state)
    with pytest.raises(settle.Superseded, match=f"epoch {hand.epoch}, not {hand.epoch + 1}"):
        settle.settle_hand(hand, state.next_seal)
    assert Table.objects.values().get(pk=table.pk) == before and not Hand.objects.exists()
