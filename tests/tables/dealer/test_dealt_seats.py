"""Seats of a roster that are not dealt in, and posts of those that are, as ring games need them."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from tables.dealer import boundary, record
from tables.dealer.grants import Grant, RosterSeat
from tables.dealer.state import Played, TableState
from tables.dealer.state import decode as state_read
from tables.dealer.state import encode as state_written
from tables.engine.events import HandBegan, HandEvent, HoleCardsDealt, Posted
from tables.engine.positions import clockwise, next_positions
from tables.engine.state import HandSetup, Post
from tables.engine.visibility import view
from tables.history import replays
from tables.wire.table_events import ChipsBought, DealtIn, DealtOut, TableEvent
from tests.tables import playing, stages
from tests.tables.client_side import fold, snapshot
from tests.tables.stages import START_MS

VIEWERS = (None, 201, 204)
DEAD, BIG, STRADDLE = Post("dead", 30), Post("big_blind", 100), Post("straddle", 200)


def _folded_to_the_end(state: TableState) -> TableState:
    while state.phase == "hand":
        state, _ = stages.at(state, START_MS, stages.by_actor(state, stages.act(state, "fold")))
    return state


def _second_hand(
    first: TableState, *changes: RosterSeat
) -> tuple[TableState, tuple[TableEvent, ...], tuple[TableEvent, ...]]:
    """The next hand with these seats of the roster: state, events of the grant and of the deal."""
    first = boundary.confirm(_folded_to_the_end(first))
    rows = {row.seat: row for row in _rows(first)} | {row.seat: row for row in changes}
    roster = [rows[seat] for seat in sorted(rows)]
    granted, told = boundary.answer(first, stages.grant(first, roster), now_ms=START_MS)
    dealt, happened = stages.at(granted, START_MS)
    return dealt, told, happened


def _rows(state: TableState) -> list[RosterSeat]:
    rows = stages.roster(*(seat.chips for seat in state.seats))
    return [
        replace(row, seat=seat.seat, entry=seat.entry, user=seat.user, newcomer=False)
        for row, seat in zip(rows, state.seats, strict=True)
    ]


def _first() -> TableState:
    return stages.dealt(stages.roster(1_000, 1_000, 1_000, 1_000))


@pytest.mark.rule("H-07")
def test_a_seat_that_is_not_dealt_keeps_its_chips_and_gets_no_card() -> None:
    first = _folded_to_the_end(_first())
    waiting = replace(_rows(first)[3], dealt=False)
    state, told, happened = _second_hand(first, waiting)
    assert told == (DealtOut(4),)
    dealt_to = {event.seat for event in happened if isinstance(event, HoleCardsDealt)}
    assert dealt_to == {1, 2, 3}
    assert state.positions is not None and set(state.positions.dealt) == {1, 2, 3}
    state = _folded_to_the_end(state)
    assert state.at(4).chips == waiting.chips
    kept = record.of(state)
    assert [seat.seat for seat in kept.seats if not seat.dealt] == [4]
    seat = replays.replay(kept, number=1, seats_max=9, user=204).start.seats[3]
    assert (seat.seat, seat.dealt, seat.chips) == (4, False, waiting.chips)
    back, told, _ = _second_hand(state)
    assert told == (DealtIn(4),) and back.at(4).dealt


def test_a_number_of_an_entry_that_is_given_again_is_another_players_seat() -> None:
    first = _folded_to_the_end(_first())
    again = replace(_rows(first)[3], user=209, name="Ina", chips=700, newcomer=True)
    state, told, _ = _second_hand(first, again)
    assert [(type(event).__name__, event.seat) for event in told[:2]] == [  # type: ignore[union-attr]
        ("SeatLeft", 4), ("SeatTaken", 4),
    ]  # fmt: skip
    seat = state.at(4)
    assert (seat.entry, seat.user, seat.name, seat.chips) == (again.entry, 209, "Ina", 700)


@pytest.mark.rule("H-07")
def test_a_new_seat_without_chips_waits_and_gets_the_chips_it_bought() -> None:
    first = _folded_to_the_end(_first())
    new = replace(stages.roster(0)[0], seat=6, entry=106, user=206, dealt=False)
    state, told, _ = _second_hand(first, new)
    assert [type(event).__name__ for event in told] == ["SeatTaken", "DealtOut"]
    richer = replace(new, chips=500, bought=500)
    _, told, _ = _second_hand(state, richer)
    assert told == (ChipsBought(6, 500, 500),)


@pytest.mark.rule("H-07", "H-09")
def test_posts_of_a_seat_are_paid_before_the_deal_and_replayed() -> None:
    first = _folded_to_the_end(_first())
    rows = _rows(first)
    assert first.positions is not None
    places = next_positions(first.positions, (1, 2, 3, 4), frozenset())
    assert places.big_blind is not None
    left = clockwise(places.big_blind, places.dealt)[0]
    other = clockwise(left, places.dealt)[0]
    straddles = replace(rows[left - 1], posts=(STRADDLE,))
    owes = replace(rows[other - 1], posts=(BIG, DEAD))
    if other in (places.small_blind, places.big_blind):
        owes = replace(owes, posts=(DEAD,))
    state, _, happened = _second_hand(first, straddles, owes)
    posted = [event for event in happened if isinstance(event, Posted)][2:]
    assert {(event.seat, event.kind, event.amount) for event in posted} == {
        (left, "straddle", 200),
        *((other, post.kind, post.amount) for post in owes.posts),
    }
    assert state.hand is not None and state.hand.dead == DEAD.amount
    assert state.turn is not None and state.turn.seat == clockwise(left, places.dealt)[0]
    kept = record.of(_folded_to_the_end(state))
    replayed = record.replay(kept.setup, kept.actions)
    assert [event for event in replayed if isinstance(event, Posted)][2:] == posted
    assert record.replay(*_stored(kept)) == replayed


@pytest.mark.rule("H-07")
def test_a_director_that_plans_the_deal_has_newcomers_dealt_in_at_once() -> None:
    spread = [replace(row, seat=2 * row.seat) for row in stages.roster(*[1_000] * 4)]
    first = boundary.confirm(_folded_to_the_end(stages.dealt(spread)))
    places = first.positions
    assert places is not None and places.small_blind is not None
    between = places.small_blind % 8 + 1  # the next button has the small blind of this hand
    new = replace(stages.roster(1_000)[0], seat=between, entry=900, user=900)
    roster = sorted([*_rows(first), new], key=lambda row: row.seat)
    for waits in (True, False):
        granted = replace(stages.grant(first, roster), newcomers_wait=waits)
        state, _ = boundary.answer(first, granted, now_ms=START_MS)
        state, _ = stages.at(state, START_MS)
        assert state.positions is not None
        assert (new.seat in state.positions.dealt) is not waits


def _stored(kept: record.HandRecord) -> tuple[HandSetup, tuple[Played, ...]]:
    again = record.decode(record.encode(kept))
    return again.setup, again.actions


def test_a_seat_pays_for_no_hand_that_it_is_not_dealt() -> None:
    first = _folded_to_the_end(_first())
    with pytest.raises(AssertionError, match="not dealt"):
        _second_hand(first, replace(_rows(first)[2], dealt=False, posts=(DEAD,)))


def test_states_and_grants_without_the_fields_decode_as_dealt_seats() -> None:
    state = _first()
    raw = msgspec.msgpack.decode(state_written(state)[1:])
    old_seats = [seat[:10] for seat in raw[9]]
    assert all(len(seat) == 15 for seat in raw[9])
    old = msgspec.msgpack.encode([*raw[:9], old_seats, *raw[10:]])
    assert state_read(old) == state
    granted = stages.grant(stages.empty(), stages.roster(500, 500))
    raw = msgspec.msgpack.decode(msgspec.msgpack.encode(granted))
    raw["roster"] = [row[:10] for row in raw["roster"]]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(raw), type=Grant) == granted


@pytest.mark.parametrize("seed", range(12))
def test_snapshot_is_the_fold_of_events_with_seats_that_wait(seed: int) -> None:
    chance = random.Random(seed)
    state = stages.empty(6)
    seen = {user: snapshot(state, user) for user in VIEWERS}
    kinds = set()
    for number in range(120):
        state, events = _random_step(state, chance, number)
        kinds |= {type(event) for event in events}
        for user in VIEWERS:
            for event in events:
                seen[user] = fold(_as_seen(event, state, user), seen[user])
            assert msgspec.to_builtins(seen[user]) == msgspec.to_builtins(snapshot(state, user))
    assert {DealtOut, DealtIn, HandBegan} <= kinds


def _as_seen(event: TableEvent, state: TableState, user: int | None) -> TableEvent:
    seat = None if user is None else state.seat_of(user)
    if not isinstance(event, HandEvent):
        return event
    return view(event, None if seat is None else seat.seat)


def _random_step(
    state: TableState, chance: random.Random, number: int
) -> tuple[TableState, tuple[TableEvent, ...]]:
    if state.phase == "finished":
        return boundary.confirm(state), ()
    if state.phase == "boundary":
        rows = _rows(state) if state.seats else stages.roster(*[100_000] * 5)
        out = set(chance.sample(range(len(rows)), chance.randint(0, 2)))
        rows = [replace(row, dealt=place not in out) for place, row in enumerate(rows)]
        return boundary.answer(state, stages.grant(state, rows), now_ms=START_MS)
    if state.phase == "granted":
        return stages.at(state, START_MS, seed=number)
    command = playing.choose(state, chance, number)
    if command.action in ("bet", "raise"):
        command = replace(command, action="fold", amount=None)
    return stages.at(state, START_MS, stages.by_actor(state, command, START_MS), seed=number)
