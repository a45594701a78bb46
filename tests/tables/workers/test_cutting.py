"""Cuts in the live room: pledges called with the grant, seeds opened in time, late or never."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from redis import Redis

from config import limits
from room_client.cutter import Cutter
from room_client.messages import commands as sent
from room_client.view import seat_of
from tables.dealer.state import TableState
from tables.engine.cards import DECK
from tables.fairness.cutting import CutState, call_of, cut_key_of, cut_of, pledge_of
from tables.models import Hand, Table
from tables.records import stored
from tables.store import fenced, inbox, keys
from tables.wire.client_commands import CutDeck, SitOut
from tables.workers import advance, recovery, sealing, settle
from tests.tables import playing
from tests.tables.client_side import command, snapshot

pytestmark = pytest.mark.django_db(transaction=True)

SEEDS = {seat: bytes([seat]) * 32 for seat in (1, 2, 3)}


@pytest.fixture
def table(room: Redis) -> Table:
    """A table of three in Redis, in its first hand, with a pledge of every seat."""
    made = playing.sit_down([900] * 3)
    recovery.open_tables(room, [made.pk])
    state = playing.run(room, made.pk)
    for seat in state.seats:
        pledge = pledge_of(sealing.room(), seat.entry, SEEDS[seat.seat]).hex()
        _cut(room, state, seat.seat, pledge=pledge)
    return made


def _cut(room: Redis, state: TableState, seat: int, *, by: int | None = None, **said: str) -> bool:
    """Send a cut of a seat, from the user of seat `by`; return whether a bell is rung for it."""
    user = state.at(by or seat).user
    cut = CutDeck(state.table, state.epoch, state.hand_number, **said)
    status, ring = inbox.append_cut(room, state.table, user, cut)
    assert status == "accepted"
    return ring


def _pledge(room: Redis, table: Table, seat: int, seed: bytes) -> str:
    return pledge_of(sealing.room(), _state(room, table).at(seat).entry, seed).hex()


def _state(room: Redis, table: Table) -> TableState:
    state = fenced.peek(room, table.pk)
    assert state is not None
    return state


def _called(room: Redis, table: Table) -> TableState:
    """Play to the end of the hand, and to the call of the next."""
    state = _state(room, table)
    hand = state.hand_number
    while state.phase != "granted" or state.hand_number == hand:
        state = playing.step_on(room, table.pk)
    return state


def _seeds(state: TableState) -> dict[int, CutState]:
    assert state.called is not None
    return {cut.seat: cut.state for cut in state.called.cuts}


def _wake(room: Redis, table: Table) -> int:
    score = room.zscore(keys.wakes(0), keys.table(table.pk))
    assert score is not None
    return int(score)


def test_the_deck_is_that_of_the_seal_cut_by_all_seeds(room: Redis, table: Table) -> None:
    state = _called(room, table)
    assert state.called is not None and set(_seeds(state).values()) == {CutState.SILENT}
    rings = [_cut(room, state, seat, seed=seed.hex()) for seat, seed in SEEDS.items()]
    assert rings == [False, False, True], "the last awaited seed rings, once"
    advance.advance(room, table.pk)
    dealt = _state(room, table)
    assert dealt.phase == "hand" and dealt.called is not None and dealt.setup is not None
    # Everybody can compute the deck's cut from what was told.
    sealed, roster = dealt.called.sealed, dealt.called.roster()
    assert [row.seed for row in roster] == [*SEEDS.values()]
    key = cut_key_of(call_of(sealed.hand_id, sealed.seal, roster), roster)
    order = sealed.cards().order
    places = cut_of(key, sealed.hand_id)
    assert dealt.setup.deck == tuple(DECK[order[place]] for place in places)
    assert all(not seat.pledge for seat in dealt.seats), "a pledge is called once"


def test_a_silent_seat_delays_the_deal_once_and_is_left_out(room: Redis, table: Table) -> None:
    state = _called(room, table)
    assert state.called is not None
    assert state.due_ms <= state.called.called_ms + limits.CUT_WAIT_MS
    assert not _cut(room, state, 1, seed=SEEDS[1].hex())
    assert not any(_cut(room, state, seat, pledge=f"{seat:02x}" * 32) for seat in (2, 3))
    advance.advance(room, table.pk)
    assert _state(room, table).phase == "granted", "two seeds are awaited"
    assert _wake(room, table) == state.due_ms
    playing.wait_until(state.due_ms)
    advance.advance(room, table.pk)
    dealt = _state(room, table)
    assert dealt.phase == "hand"
    assert _seeds(dealt) == {1: CutState.OPENED, 2: CutState.SILENT, 3: CutState.SILENT}
    after = _called(room, table)
    assert after.called is not None
    assert [cut.seat for cut in after.called.cuts] == [2, 3], "they have pledged again"


def test_absent_seats_are_called_and_not_awaited(room: Redis, table: Table) -> None:
    for seat in (2, 3):
        user = _state(room, table).at(seat).user
        playing.put_in(room, _state(room, table), user, SitOut(f"s{seat}", table.pk))
    advance.advance(room, table.pk)
    state = _called(room, table)
    assert state.called is not None
    assert [cut.awaited for cut in state.called.cuts] == [True, False, False]
    assert not _cut(room, state, 2, seed=SEEDS[2].hex()), "it counts, and rings for nobody"
    assert _cut(room, state, 1, seed=SEEDS[1].hex())
    advance.advance(room, table.pk)
    opened = [cut.state for cut in (_state(room, table).called or state.called).cuts]
    assert opened == [CutState.OPENED, CutState.OPENED, CutState.SILENT]


def test_a_seed_after_the_deal_is_kept_as_late_and_changes_no_card(
    room: Redis, table: Table
) -> None:
    state = _called(room, table)
    for seat in (1, 2):
        _cut(room, state, seat, seed=SEEDS[seat].hex())
    playing.wait_until(state.due_ms)
    advance.advance(room, table.pk)
    dealt = _state(room, table)
    _cut(room, dealt, 3, seed=SEEDS[3].hex())
    playing.check_or_call(room, dealt)
    advance.advance(room, table.pk)
    late = _state(room, table)
    assert _seeds(late)[3] is CutState.LATE
    assert late.called is not None and dealt.called is not None and late.setup == dealt.setup
    assert late.called.deck() == dealt.called.deck(), "late counts as silent"
    _called(room, table)
    kept = stored.decode(bytes(Hand.objects.latest("number").record))
    assert kept.called is not None and kept.called.roster()[2].state is CutState.LATE


@pytest.mark.parametrize("by", [2, 3])
def test_a_cut_of_another_user_opens_nothing(room: Redis, table: Table, by: int) -> None:
    state = _called(room, table)
    _cut(room, state, 1, by=by, seed=SEEDS[1].hex())
    advance.advance(room, table.pk)
    assert set(_seeds(_state(room, table)).values()) == {CutState.SILENT}


@pytest.mark.parametrize(
    "wrong", [{"hand": 1}, {"hand": 3}, {"epoch": 2}, {"seed": "0f" * 32}], ids=str
)
def test_a_cut_for_another_hand_or_with_a_foreign_seed_opens_nothing(
    room: Redis, table: Table, wrong: dict[str, Any]
) -> None:
    state = _called(room, table)
    cut = CutDeck(state.table, state.epoch, state.hand_number, seed=SEEDS[1].hex())
    inbox.append_cut(room, table.pk, state.at(1).user, replace(cut, **wrong))
    advance.advance(room, table.pk)
    after = _state(room, table)
    assert replace(after, seq=state.seq) == state, "nothing has changed"


def test_a_second_seed_and_a_pledge_after_the_call_change_nothing_of_it(
    room: Redis, table: Table
) -> None:
    state = _called(room, table)
    _cut(room, state, 1, seed=SEEDS[1].hex(), pledge="ab" * 32)
    _cut(room, state, 1, seed=SEEDS[2].hex(), pledge="cd" * 32)
    advance.advance(room, table.pk)
    after = _state(room, table)
    assert after.called is not None and state.called is not None
    assert after.called.call == state.called.call
    assert after.called.cuts[0].seed == SEEDS[1]
    assert after.at(1).pledge == bytes.fromhex("cd" * 32), "for the next call"


@pytest.mark.parametrize("wrong", [{"hand": 1}, {"hand": 3}, {"epoch": 2}], ids=str)
def test_a_called_seat_pledges_only_in_the_hand_of_its_call(
    room: Redis, table: Table, wrong: dict[str, int]
) -> None:
    state = _called(room, table)
    cut = CutDeck(state.table, state.epoch, state.hand_number, pledge="ab" * 32)
    inbox.append_cut(room, table.pk, state.at(1).user, replace(cut, **wrong))
    inbox.append_cut(room, table.pk, state.at(2).user, cut)
    advance.advance(room, table.pk)
    after = _state(room, table)
    assert after.at(1).pledge == state.at(1).pledge
    assert after.at(2).pledge == bytes.fromhex("ab" * 32)


def test_a_cut_that_comes_again_after_its_seed_was_opened_pledges_nothing(
    room: Redis, table: Table
) -> None:
    pledges = [_pledge(room, table, 1, bytes([number]) * 32) for number in (11, 12)]
    second = _called(room, table)
    _cut(room, second, 1, seed=SEEDS[1].hex(), pledge=pledges[0])
    third = _called(room, table)
    assert third.called is not None and third.called.cuts[0].pledge.hex() == pledges[0]
    _cut(room, third, 1, seed="0b" * 32, pledge=pledges[1])
    _cut(room, second, 1, seed=SEEDS[1].hex(), pledge=pledges[0])
    fourth = _called(room, table)
    assert fourth.called is not None and fourth.called.cuts[0].pledge.hex() == pledges[1]
    _cut(room, second, 1, seed=SEEDS[1].hex(), pledge=pledges[0])
    _cut(room, third, 1, seed="0b" * 32, pledge=pledges[1])
    fifth = _called(room, table)
    assert fifth.called is not None and not fifth.called.cuts


def test_a_pledge_between_two_hands_is_the_one_that_the_next_grant_calls(
    room: Redis, table: Table
) -> None:
    """A player may go on in another browser, which opens the seed that it pledged itself."""
    state = _state(room, table)
    while state.phase != "finished":
        state = playing.step_on(room, table.pk)
    seed = b"\x0d" * 32
    _cut(room, state, 1, pledge=_pledge(room, table, 1, seed))
    granted = _granted(room, table)
    assert granted.called is not None
    assert granted.called.cuts[0].pledge.hex() == _pledge(room, table, 1, seed)
    assert _cut(room, granted, 1, seed=seed.hex()) is False
    advance.advance(room, table.pk)
    after = _state(room, table)
    assert _seeds(after)[1] is CutState.OPENED and after.at(1).pledge == granted.at(1).pledge


def test_a_pledge_on_its_way_while_the_next_hand_is_granted_counts_without_a_call(
    room: Redis, table: Table
) -> None:
    first, second = _state(room, table), _called(room, table)
    third = _called(room, table)
    assert third.called is not None and not third.called.cuts
    _cut(room, first, 1, pledge="ab" * 32)
    _cut(room, second, 2, pledge="cd" * 32)
    advance.advance(room, table.pk)
    after = _state(room, table)
    assert after.at(1).pledge == b"", "two hands ago"
    assert after.at(2).pledge == bytes.fromhex("cd" * 32)


def test_equal_seeds_and_pledges_of_two_seats_count_once(room: Redis, table: Table) -> None:
    """Two players who agree on a value must not make the proofs of all others fail (V04)."""
    seed, first = b"\x0b" * 32, _state(room, table)
    for seat in (1, 2):
        _cut(room, first, seat, pledge=_pledge(room, table, seat, seed))
    second = _called(room, table)
    for seat in (1, 2):
        _cut(room, second, seat, seed=seed.hex(), pledge="ab" * 32)
    _cut(room, second, 3, pledge=_pledge(room, table, 3, b"\xab" * 32))
    playing.wait_until(second.due_ms)
    advance.advance(room, table.pk)
    dealt = _state(room, table)
    assert _seeds(dealt) == {1: CutState.OPENED, 2: CutState.SILENT, 3: CutState.SILENT}
    third = _called(room, table)
    assert [seat for seat, _ in sorted(_seeds(third).items())] == [1, 3], "one pledge is called"
    _cut(room, third, 3, seed="ab" * 32)
    playing.wait_until(third.due_ms)
    advance.advance(room, table.pk)
    assert _seeds(_state(room, table))[3] is CutState.SILENT, "the pledge of seat 1 is no seed"


def test_strangers_and_floods_of_cuts_are_refused(room: Redis, table: Table) -> None:
    state = _called(room, table)
    cut = CutDeck(state.table, state.epoch, state.hand_number, pledge="ab" * 32)
    assert inbox.append_cut(room, table.pk, 10**9, cut) == ("not_seated", False)
    assert inbox.append_cut(room, 10**9, state.at(1).user, cut) == ("no_table", False)
    found = [inbox.append_cut(room, table.pk, state.at(1).user, cut)[0] for _ in range(9)]
    most = limits.INBOX_CUTS_PER_SEAT_MAX
    assert found == ["accepted"] * most + ["full"] * (9 - most)
    playing.put_in(room, state, state.at(1).user, SitOut("a", table.pk))


def test_a_rebuilt_table_calls_no_pledge_that_may_be_open(room: Redis, table: Table) -> None:
    state = _called(room, table)
    for seat, seed in SEEDS.items():
        _cut(room, state, seat, seed=seed.hex())
    room.flushall()
    recovery.adopt(room, 0)
    again = _called(room, table) if _state(room, table).phase == "hand" else _granted(room, table)
    assert again.epoch > state.epoch and again.called is not None
    assert not again.called.cuts


def test_a_browser_pledges_cuts_and_pledges_again(room: Redis, table: Table) -> None:
    """The cutter of the bots, through three hands of the live room."""
    seeds = iter(range(100, 200))
    cutter = Cutter(lambda: bytes([next(seeds)]) * 32)
    cutter.enter(sealing.room().hex())
    opened = []
    for _ in range(3):
        state = _called(room, table)
        user = state.at(1).user
        shown = snapshot(state, user)
        own = seat_of(shown, user)
        assert own is not None
        for message in cutter.shown(shown, own):
            assert isinstance(message, sent.CutDeck)
            inbox.append_cut(room, table.pk, user, command(message))
        playing.wait_until(state.due_ms)
        advance.advance(room, table.pk)
        opened.append(_seeds(_state(room, table)).get(1))
    # The fixture's pledge was not this browser's, so its first answer opens nothing.
    assert opened == [CutState.SILENT, CutState.OPENED, CutState.OPENED]


def _granted(room: Redis, table: Table) -> TableState:
    while (state := _state(room, table)).phase != "granted":
        settle.settle(room, table.pk)
    return state
