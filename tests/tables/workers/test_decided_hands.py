"""A decided hand is stored at once, settled after its run-out, and survives the loss of Redis."""

from __future__ import annotations

import random
import time
from datetime import timedelta

import msgspec
import pytest
from django.db.models import F
from django.utils import timezone
from msgspec.structs import replace
from redis import Redis

from config import limits
from tables.dealer.grants import Timing
from tables.dealer.snapshot import private_groups
from tables.dealer.state import TableState
from tables.gateway.streams.recent import position
from tables.models import DecidedHand, Hand, Seat, Table
from tables.store import fenced, hidden_states, inbox, keys, private_events
from tables.wire.client_commands import ShowCards
from tables.workers import advance, recovery, settle
from tables.workers import decided as decided_hands
from tests.redis_answers import entries_of, events_of
from tests.tables import damage, playing, stages

pytestmark = pytest.mark.django_db(transaction=True)

BREATH_MS = 250
PACE = Timing(action_ms=60_000, hand_pause_ms=0, showdown_pause_ms=0, street_pause_ms=BREATH_MS)


@pytest.fixture
def decided(room: Redis, monkeypatch: pytest.MonkeyPatch) -> TableState:
    """A table whose two players are all-in before the flop; the hand is not stored yet."""
    monkeypatch.setattr(playing, "TIMING", PACE)
    table = playing.sit_down([1_000, 1_000])
    assert recovery.adopt(room, 0)
    state = playing.run(room, table.pk)
    for kind, amount in (("raise", 1_000), ("call", None)):
        raw = msgspec.json.encode(stages.act(state, kind, amount))
        assert state.turn is not None
        user = state.at(state.turn.seat).user
        assert inbox.append(room, table.pk, user, raw).status == "accepted"
        said = advance.advance(room, table.pk, random.Random(3))
        state = _state(room, table.pk)
    assert state.phase == "run_out"
    assert said == "settle", "the hand is to be stored at once"
    return state


def _state(room: Redis, table: int) -> TableState:
    state = fenced.peek(room, table)
    assert state is not None
    return state


def _told(room: Redis, table: int) -> list[str]:
    told = events_of(room, keys.events(keys.table(table), 1))
    return [msgspec.json.decode(event)["type"] for event in told]


def _show(room: Redis, table: int) -> TableState:
    """Show the run-out step by step, each when due, until the hand may be settled."""
    state = _state(room, table)
    while state.phase == "run_out":
        _wait(state)
        advance.advance(room, table)
        state = _state(room, table)
    _wait(state)
    return state


def _wait(state: TableState) -> None:
    """Wait until a table's wake is due."""
    time.sleep(max(0.0, state.due_ms / 1_000 - time.time()) + 0.02)


def test_a_decided_hand_is_stored_at_once_and_settled_after_its_run_out(
    room: Redis, decided: TableState
) -> None:
    table = decided.table
    settle.settle(room, table)
    kept = DecidedHand.objects.get(table=table)
    assert (kept.epoch, kept.number) == (decided.epoch, decided.hand_number)
    assert not Hand.objects.exists() and Table.objects.get(pk=table).hand == 0
    assert set(Seat.objects.values_list("chips", flat=True)) == {1_000}
    state = _show(room, table)
    assert state.ended_ms >= state.released_ms == decided.released_ms
    settle.settle(room, table)
    [hand] = Hand.objects.all()
    assert hand.released_at is not None
    assert round(hand.released_at.timestamp() * 1_000) == decided.released_ms
    assert _told(room, table).index("run_out_began") < _told(room, table).index("street_dealt")


def test_each_shown_step_rings_until_the_hand_is_stored(room: Redis, decided: TableState) -> None:
    table = decided.table
    time.sleep((BREATH_MS + 20) / 1_000)
    assert advance.advance(room, table) == "settle", "the first bell was lost"
    settle.settle(room, table)
    time.sleep((BREATH_MS + 20) / 1_000)
    assert advance.advance(room, table) is None
    state = _state(room, table)
    assert state.run_out is not None and state.run_out.kept


def test_an_early_settlement_settles_nothing(room: Redis, decided: TableState) -> None:
    for _ in range(3):
        settle.settle(room, decided.table)
        assert _state(room, decided.table).phase == "run_out"
    assert not Hand.objects.exists()


def test_the_next_step_waits_until_spectators_have_the_result(
    room: Redis, decided: TableState
) -> None:
    table, state = decided.table, decided
    while state.phase == "run_out":
        _wait(state)
        advance.advance(room, table)
        state = _state(room, table)
    assert state.due_ms == state.ended_ms + limits.SPECTATOR_FRAME_MS
    settle.settle(room, table)
    assert not Hand.objects.exists(), "an early bell settles nothing"
    _wait(state)
    settle.settle(room, table)
    assert Hand.objects.exists()


def test_cards_can_be_shown_only_after_the_result(room: Redis, decided: TableState) -> None:
    table, winner = decided.table, decided.seats[0]
    command = ShowCards("s", table, decided.epoch, decided.hand_number, "both")
    inbox.append(room, table, winner.user, msgspec.json.encode(command))
    told = _told(room, table)
    advance.advance(room, table)
    [*_, outcome] = _state(room, table).at(winner.seat).results
    assert (outcome.ok, outcome.code) == (False, "no_hand")
    assert _told(room, table) == told


def test_a_run_out_continues_at_its_step_after_a_loss_of_redis(
    room: Redis, decided: TableState
) -> None:
    table = decided.table
    settle.settle(room, table)
    room.flushall()
    assert recovery.adopt(room, 0)
    again = _state(room, table)
    assert (again.phase, again.epoch) == ("run_out", decided.epoch + 1)
    assert again.run_out is not None and decided.run_out is not None
    assert again.run_out.coming == decided.run_out.coming
    assert again.released_ms == decided.released_ms
    assert _told(room, table) == []
    state = _show(room, table)
    settle.settle(room, table)
    [hand] = Hand.objects.all()
    assert hand.epoch == decided.epoch + 1
    assert sorted(seat.chips for seat in state.seats) == sorted(
        [*Seat.objects.values_list("chips", flat=True), 0][:2]
    )
    assert "hand_voided" not in _told(room, table)


def test_players_find_their_own_cards_of_a_run_out_after_a_loss_of_redis(
    room: Redis, decided: TableState
) -> None:
    table = decided.table
    settle.settle(room, table)
    room.flushall()
    assert recovery.adopt(room, 0)
    seen = fenced.peek_open(room, table)
    assert seen is not None and decided.hand is not None
    held = {seat.seat: seat.cards for seat in decided.hand.seats}
    for seat in seen.seats:
        key = keys.cards(keys.table(table), seat.entry, 1)
        lines = [(at.decode(), fields[b"e"]) for at, fields in entries_of(room, key)]
        assert all(position(at) < (seen.epoch, seen.seq) for at, _ in lines)
        assert len(lines) == private_groups(seen, seat.user) == 1
        [(_, raw)] = private_events.open_all(key, lines)
        assert tuple(msgspec.json.decode(raw)["cards"]) == held[seat.seat]


def test_a_run_out_survives_repeated_losses_of_redis(room: Redis, decided: TableState) -> None:
    settle.settle(room, decided.table)
    for lost in (1, 2, 3):
        room.flushall()
        assert recovery.adopt(room, 0)
        assert _state(room, decided.table).epoch == decided.epoch + lost
        assert _state(room, decided.table).phase == "run_out"


def test_a_run_out_continues_where_redis_is_some_epochs_ahead(
    room: Redis, decided: TableState
) -> None:
    settle.settle(room, decided.table)
    # PostgreSQL came back with older rows: Redis saw the next epochs already.
    ahead = replace(decided, epoch=decided.epoch + 3)
    name = keys.state(keys.table(decided.table), 1)
    room.hset(name, mapping={"epoch": ahead.epoch, "state": hidden_states.encode(ahead)})
    room.delete(keys.generation(0))
    assert recovery.adopt(room, 0)
    again = _state(room, decided.table)
    assert (again.phase, again.epoch) == ("run_out", decided.epoch + 4)
    assert DecidedHand.objects.get().epoch == again.epoch


def test_a_decided_hand_not_stored_is_void_after_a_loss_of_redis(
    room: Redis, decided: TableState
) -> None:
    room.flushall()
    assert recovery.adopt(room, 0)
    assert _state(room, decided.table).phase == "boundary"
    assert _told(room, decided.table) == ["hand_voided"]


def test_a_stored_hand_is_not_played_again_after_settlement(
    room: Redis, decided: TableState
) -> None:
    table = decided.table
    settle.settle(room, table)
    _show(room, table)
    settle.settle(room, table)
    room.flushall()
    assert recovery.adopt(room, 0)
    state = fenced.peek(room, table)
    assert state is None or state.phase == "boundary", "the next hand is requested"
    assert Hand.objects.count() == 1


def test_a_settled_hand_is_not_adopted_as_the_next_granted_hand(
    decided: TableState,
) -> None:
    assert decided_hands.keep(decided)
    row, epoch, number = Table.objects.get(pk=decided.table), decided.epoch, decided.hand_number
    row.hand, row.granted_hand = number, number + 1
    assert not decided_hands.take_over(row, epoch + 1)
    assert DecidedHand.objects.get().epoch == epoch
    row.hand, row.granted_hand = number - 1, number
    assert decided_hands.take_over(row, epoch + 1)
    assert DecidedHand.objects.get().epoch == epoch + 1


def test_a_decided_hand_is_stored_only_at_the_epoch_and_hand_of_its_row(
    decided: TableState,
) -> None:
    epoch, hand = decided.epoch, decided.hand_number
    for elsewhere in ((epoch - 1, hand), (epoch + 1, hand), (epoch, hand - 1), (epoch, hand + 1)):
        state = replace(decided, epoch=elsewhere[0], hand_number=elsewhere[1])
        assert not decided_hands.keep(state), elsewhere
        assert not DecidedHand.objects.exists()
    assert decided_hands.keep(decided)


def test_a_hand_that_failed_to_store_does_not_count_as_stored(
    room: Redis, decided: TableState
) -> None:
    Table.objects.filter(pk=decided.table).update(epoch=decided.epoch + 1)
    settle.settle(room, decided.table)
    state = _state(room, decided.table)
    assert state.run_out is not None and not state.run_out.kept
    assert not DecidedHand.objects.exists()


def test_a_table_closed_in_a_run_out_announces_the_void_hand(
    room: Redis, decided: TableState
) -> None:
    table = decided.table
    settle.settle(room, table)
    Table.objects.filter(pk=table).update(status=Table.Status.CLOSED, epoch=decided.epoch + 1)
    recovery.close_tables(room, [table])
    assert _told(room, table)[-2:] == ["hand_voided", "table_closed"]
    state = _state(room, table)
    assert (state.phase, state.run_out, state.hand) == ("closed", None, None)


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("harm", damage.ALL)
def test_a_stored_hand_outlives_the_damage_of_its_state(
    room: Redis, decided: TableState, harm: damage.Damage
) -> None:
    table = decided.table
    settle.settle(room, table)
    harm(room, table)
    assert advance.advance(room, table) == "settle"
    settle.settle(room, table)
    _show(room, table)
    settle.settle(room, table)
    [hand] = Hand.objects.all()
    assert hand.number == decided.hand_number
    assert sum(Seat.objects.values_list("chips", flat=True)) == 2_000


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("kept", [b"", b"\xc1 not a state"])
def test_an_unreadable_stored_hand_is_void_with_its_redis_and_stops_no_other_table(
    room: Redis, decided: TableState, kept: bytes
) -> None:
    table = decided.table
    settle.settle(room, table)
    DecidedHand.objects.filter(table=table).update(state=kept)
    other = playing.sit_down([500, 500])
    room.flushall()
    assert recovery.adopt(room, 0)
    assert _told(room, table) == ["hand_voided"]
    for number in (table, other.pk):
        assert playing.run(room, number).phase == "hand"
    assert not Hand.objects.exists()
    assert sum(Seat.objects.values_list("chips", flat=True)) == 3_000


def test_an_unreadable_stored_hand_is_settled_as_redis_has_it(
    room: Redis, decided: TableState
) -> None:
    table = decided.table
    settle.settle(room, table)
    DecidedHand.objects.filter(table=table).update(state=b"\xc1 not a state")
    _show(room, table)
    settle.settle(room, table)
    assert Hand.objects.get().number == decided.hand_number
    assert sum(Seat.objects.values_list("chips", flat=True)) == 2_000


@pytest.mark.parametrize("ended", ["settled", "void"])
def test_a_decided_hand_goes_a_day_after_it_was_decided_once_it_is_over(
    room: Redis, decided: TableState, ended: str
) -> None:
    table = decided.table
    settle.settle(room, table)
    rows, now = DecidedHand.objects.filter(table=table), timezone.now()
    long_ago = now - timedelta(days=2)
    rows.update(decided_at=long_ago)
    assert decided_hands.SHOWN.survey(now).going == decided_hands.SHOWN.prune() == 0, "it goes on"
    if ended == "settled":
        _show(room, table)
        settle.settle(room, table)
    else:
        Table.objects.filter(pk=table).update(status=Table.Status.CLOSED, epoch=F("epoch") + 1)
    rows.update(decided_at=now)
    assert decided_hands.SHOWN.prune() == 0
    rows.update(decided_at=long_ago)
    assert decided_hands.SHOWN.survey(now).going == 1
    assert decided_hands.prune_hourly() == 1 and not rows.exists()
