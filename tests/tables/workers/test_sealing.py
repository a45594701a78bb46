"""Sealed decks of the live room: sealed before the grant, played or ended once, never readable."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY
from redis import Redis

from tables.dealer import deal, record, turns
from tables.dealer.state import TableState
from tables.engine.actions import Fold
from tables.fairness.leaves import Fate, FateReason
from tables.models import Hand, SealedDeck, Table
from tables.monitor import seals
from tables.records import stored
from tables.store import fenced, keys
from tables.workers import advance, recovery, sealing, settle
from tests.redis_answers import events_of
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(room: Redis) -> Table:
    """A table of three in Redis, before its first hand."""
    made = playing.sit_down([900] * 3)
    recovery.open_tables(room, [made.pk])
    return made


def _state(room: Redis, table: Table) -> TableState:
    state = fenced.peek(room, table.pk)
    assert state is not None
    return state


def _fates(table: Table) -> list[tuple[int, int, int | None, int]]:
    rows = SealedDeck.objects.filter(table=table).order_by("epoch", "hand")
    return list(rows.values_list("epoch", "hand", "fate", "reason"))


def _play_hand(room: Redis, table: Table) -> None:
    state = playing.run(room, table.pk)
    hand = state.hand_number
    while state.hand_number == hand:
        playing.check_or_call(room, state)
        advance.advance(room, table.pk)
        state = playing.run(room, table.pk)


def test_the_row_of_a_seal_is_written_before_its_hand_is_granted(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[tuple[int, int, int | None, int]]] = []
    real = playing.LastOneWins.next

    def next_hand(game: playing.LastOneWins, number: int, hand: int) -> object:
        asked.append(_fates(table))
        return real(game, number, hand)

    monkeypatch.setattr(playing.LastOneWins, "next", next_hand)
    state = playing.run(room, table.pk)
    assert asked == [[(1, 1, None, 0)]]
    assert state.called is not None and state.next_seal is None
    assert bytes(SealedDeck.objects.get().seal) == state.called.sealed.seal


def test_a_settled_hand_ends_its_seal_and_seals_the_next(room: Redis, table: Table) -> None:
    _play_hand(room, table)
    hand = Hand.objects.get()
    kept = stored.decode(bytes(hand.record))
    assert kept.called is not None
    assert _fates(table) == [(1, 1, Fate.PLAYED, 0), (1, 2, None, 0)]
    assert kept.called.seats == tuple((s.seat, s.entry) for s in kept.seats if s.dealt)
    assert kept.called.deck() == kept.setup.deck
    row = SealedDeck.objects.get(hand=1)
    assert row.sealed_ms <= kept.began_ms and row.ended_ms == kept.ended_ms
    assert list(seals.violations()) == []


def test_the_seal_is_told_before_the_cards_and_the_secret_to_nobody(
    room: Redis, table: Table
) -> None:
    state = playing.run(room, table.pk)
    assert state.called is not None
    sealed = state.called.sealed
    told = events_of(room, keys.events(keys.table(table.pk), 1))
    events = [msgspec.json.decode(line) for line in told]
    types = [event["type"] for event in events]
    assert types.index("cut_called") < types.index("hand_began")
    assert events[types.index("cut_called")]["seal"] == sealed.seal.hex()
    secrets = (sealed.secret, sealed.secret.hex().encode())
    rows = [bytes(row) for row in SealedDeck.objects.values_list("seal", flat=True)]
    assert not any(secret in text for secret in secrets for text in (*told, *rows))


def test_a_dealt_hand_is_measured_by_the_time_that_its_cut_added(room: Redis, table: Table) -> None:
    name = "room_cut_wait_seconds"
    before = REGISTRY.get_sample_value(f"{name}_count"), REGISTRY.get_sample_value(f"{name}_sum")
    state = playing.run(room, table.pk)
    assert state.called is not None and None not in before
    added_s = max(0, state.began_ms - state.called.deal_ms) / 1_000
    assert REGISTRY.get_sample_value(f"{name}_count") == (before[0] or 0) + 1
    assert REGISTRY.get_sample_value(f"{name}_sum") == pytest.approx((before[1] or 0) + added_s)


def test_a_void_hand_ends_its_seal_with_the_reason(room: Redis, table: Table) -> None:
    first = playing.run(room, table.pk)
    assert recovery.rebuild(room, table.pk, seen_epoch=1, reason=FateReason.REDIS_ADOPTED)
    again = playing.run(room, table.pk)
    assert _fates(table) == [
        (1, 1, Fate.VOID_IN_PLAY, FateReason.REDIS_ADOPTED),
        (2, 1, None, 0),
    ]
    assert first.called is not None and again.called is not None
    assert first.called.sealed.seal != again.called.sealed.seal, "a void deck is never dealt again"


def test_a_deck_that_is_not_granted_when_its_table_ends_is_unplayed(
    room: Redis, table: Table
) -> None:
    _play_hand(room, table)
    Table.objects.filter(pk=table.pk).update(granted_hand=1)
    sealing.end([table.pk], FateReason.CLOSED)
    assert _fates(table)[1] == (1, 2, Fate.UNPLAYED, FateReason.CLOSED)
    sealing.end([table.pk], FateReason.SUPERSEDED)
    assert _fates(table)[1] == (1, 2, Fate.UNPLAYED, FateReason.CLOSED), "a fate is final"


def test_a_state_with_another_seal_than_its_row_is_rebuilt(room: Redis, table: Table) -> None:
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    other = sealing.with_next_seal(loaded.state, loaded.now_ms)
    assert other.next_seal is not None and sealing.keep(table.pk, other.next_seal)
    assert sealing.keep(table.pk, other.next_seal), "the same seal again changes nothing"
    settle.settle(room, table.pk)
    assert _state(room, table).epoch == 2
    playing.run(room, table.pk)
    assert _fates(table) == [(1, 1, Fate.UNPLAYED, FateReason.SUPERSEDED), (2, 1, None, 0)]


def test_a_hand_without_the_row_of_its_seal_is_not_settled(room: Redis, table: Table) -> None:
    state = playing.run(room, table.pk)
    while state.phase == "hand":
        playing.check_or_call(room, state)
        advance.advance(room, table.pk)
        state = _state(room, table)
    finished = record.of(replace(state, phase="finished"))
    SealedDeck.objects.all().delete()
    with pytest.raises(AssertionError, match="no row"):
        settle.settle_hand(finished, state.next_seal)
    assert not Hand.objects.exists() and not SealedDeck.objects.exists()


def test_the_auditor_finds_an_open_seal_and_an_unsealed_grant(room: Redis, table: Table) -> None:
    playing.run(room, table.pk)
    Table.objects.filter(pk=table.pk).update(epoch=5)
    assert list(seals.violations()) == [
        f"the seal of table {table.pk} hand 1 in epoch 1 has no fate"
    ]
    SealedDeck.objects.update(epoch=5, fate=Fate.UNPLAYED)
    assert list(seals.violations()) == [
        f"table {table.pk} hand 1 was granted before its deck was sealed"
    ]


def test_times_of_a_hand_keep_their_order_when_the_clock_is_set_back(
    room: Redis, table: Table
) -> None:
    while _state(room, table).phase != "granted":
        playing.step_on(room, table.pk)
    state = _state(room, table)
    assert state.called is not None
    sealed = state.called.sealed
    early = sealed.sealed_ms - 60_000
    granted = replace(state, called=None, next_seal=sealed)
    called = sealing.call_granted(granted, early)
    assert called is not None
    state, _ = deal.deal(replace(granted, called=called), now_ms=early, shuffle=tuple)
    while state.phase == "hand":
        assert state.turn is not None
        state, events = turns.play(state, state.turn.seat, Fold(), at_ms=early)
        state, _ = turns.go_on(state, events, now_ms=early)
    assert state.called is not None
    moments = [state.called.called_ms, state.began_ms, state.ended_ms]
    assert moments == [sealed.sealed_ms] * 3, "none is before the one that it follows (V06)"
