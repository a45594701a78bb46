"""A fresh snapshot equals an older one folded with the later events, for every viewer."""

from __future__ import annotations

import random

import msgspec
import pytest

from tables.dealer import boundary, record
from tables.dealer import snapshot as room
from tables.dealer.commands import Received
from tables.dealer.grants import Close, RosterSeat
from tables.dealer.hiding import hide
from tables.dealer.state import Played, TableState
from tables.engine.events import HIDDEN, CardsShown, Folded, HandBegan, HandEvent, HoleCardsDealt
from tables.engine.state import HandSetup, Rules
from tables.engine.visibility import view
from tables.wire.client_commands import ShowCards
from tables.wire.table_events import ChipsBought, TableEvent
from tests.tables import client_side, playing, stages
from tests.tables.whole_state import snapshot

VIEWERS = (None, 201, 202, 203, 204)


def _as_seen(event: TableEvent, state: TableState, user: int | None) -> TableEvent:
    seat = None if user is None else state.seat_of(user)
    if not isinstance(event, HandEvent):
        return event
    return view(event, None if seat is None else seat.seat)


@pytest.mark.parametrize(
    ("seed", "rules"), list(enumerate([stages.RULES] * 6 + list(stages.GAMES.values())))
)
def test_snapshot_is_the_fold_of_events(seed: int, rules: Rules) -> None:
    chance = random.Random(seed)
    state = stages.empty(6)
    seats = stages.roster(*(chance.randrange(300, 2_000) for _ in range(5)), bank_ms=4_000)
    seen = {user: client_side.snapshot(state, user) for user in VIEWERS}
    now_ms = stages.START_MS
    for number in range(120):
        state, events = _step(state, seats, rules, chance, now_ms, number)
        now_ms = max(now_ms, state.due_ms)
        for user in VIEWERS:
            for event in events:
                seen[user] = client_side.fold(_as_seen(event, state, user), seen[user])
            assert msgspec.to_builtins(seen[user]) == msgspec.to_builtins(snapshot(state, user))
        if state.phase == "closed":
            return


def _step(
    state: TableState,
    seats: list[RosterSeat],
    rules: Rules,
    chance: random.Random,
    now_ms: int,
    number: int,
) -> tuple[TableState, tuple[TableEvent, ...]]:
    if state.phase == "finished":
        return boundary.confirm(state), ()
    if state.phase == "boundary":
        chips = {seat.entry: seat.chips for seat in state.seats}
        left = [
            msgspec.structs.replace(seat, chips=chips.get(seat.entry, seat.chips))
            for seat in seats
            if chips.get(seat.entry, 1)
        ]
        seats[:] = left
        if len(left) < 2:
            return boundary.answer(state, Close(), now_ms=now_ms)
        return boundary.answer(state, stages.grant(state, left, rules=rules), now_ms=now_ms)
    if state.phase == "granted":
        return stages.at(state, now_ms, seed=number)
    assert state.turn is not None
    if chance.random() < 0.1:
        return stages.at(state, state.turn.deadline_ms, seed=number)
    command = playing.choose(state, chance, number)
    return stages.at(state, now_ms, stages.by_actor(state, command, now_ms), seed=number)


@pytest.mark.parametrize("user", VIEWERS)
def test_the_log_of_a_snapshot_hides_the_cards_hidden_on_the_stream(user: int | None) -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000, 1_000))
    state, _ = stages.at(state, stages.START_MS, stages.by_actor(state, stages.act(state, "fold")))
    log = snapshot(state, user).log
    assert [event for event in log if isinstance(event, Folded)]
    [began] = [event for event in log if isinstance(event, HandBegan)]
    assert (began.deck, began.open_losers, began.closed_losers) == ((), (), ())
    for dealt in (event for event in log if isinstance(event, HoleCardsDealt)):
        is_own = user is not None and state.at(dealt.seat).user == user
        assert (HIDDEN not in dealt.cards) == is_own


def test_the_log_of_a_snapshot_has_cards_shown_after_the_hand() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000))
    state, _ = stages.at(state, stages.START_MS, stages.by_actor(state, stages.act(state, "fold")))
    assert state.phase == "finished" and state.hand is not None
    winner = next(seat for seat in state.hand.seats if not seat.folded)
    show = ShowCards("s1", state.table, state.epoch, state.hand_number, "both")
    user = state.at(winner.seat).user
    state, _ = stages.at(state, stages.START_MS, Received(user, stages.START_MS, show))
    assert snapshot(state, None).log[-1] == CardsShown(winner.seat, winner.cards, "")


def test_chips_bought_between_two_hands_are_in_the_snapshot() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000))
    state, _ = stages.at(state, stages.START_MS, stages.by_actor(state, stages.act(state, "fold")))
    state = boundary.confirm(state)
    seen = {user: client_side.snapshot(state, user) for user in VIEWERS}
    rows = stages.roster(*(seat.chips for seat in state.seats))
    rows[0] = msgspec.structs.replace(rows[0], chips=rows[0].chips + 500, bought=500)
    state, events = boundary.answer(state, stages.grant(state, rows), now_ms=stages.START_MS)
    assert [event.total for event in events if isinstance(event, ChipsBought)] == [rows[0].chips]
    for user in VIEWERS:
        for event in events:
            seen[user] = client_side.fold(event, seen[user])
        assert snapshot(state, user).seats[0].chips == rows[0].chips
        assert msgspec.to_builtins(seen[user]) == msgspec.to_builtins(snapshot(state, user))


def test_a_hand_is_replayed_once_for_all_viewers_of_a_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replayed: list[HandSetup] = []
    replay = record.replay

    def counted(setup: HandSetup, actions: tuple[Played, ...]) -> tuple[HandEvent, ...]:
        replayed.append(setup)
        return replay(setup, actions)

    state, _ = hide(stages.dealt(stages.roster(1_000, 1_000)))
    monkeypatch.setattr(record, "replay", counted)
    again = msgspec.structs.replace(state)
    own = (("As", "Ah"),)
    shown = [room.snapshot(one, user, own) for one in (state, again) for user in VIEWERS]
    assert len(replayed) == 2, "an equal state is another one"
    assert shown[: len(VIEWERS)] == shown[len(VIEWERS) :]
    assert len({msgspec.json.encode(one.log) for one in shown}) > 1, "own cards differ"
