"""The showdown choice of a player reaches the engine at the next deal and no other player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from tables.dealer import boundary
from tables.dealer.commands import Received
from tables.dealer.state import TableState
from tables.dealer.state import decode as state_read
from tables.dealer.state import encode as state_written
from tables.engine.events import CardsShown, HandBegan, HandsRevealed, Mucked, PotAwarded
from tables.store import streams
from tables.wire.client_commands import ChooseShowdown, ClientMessage, ShowdownChoice, TableCommand
from tables.wire.table_events import TableEvent
from tests.tables import stages
from tests.tables.stages import START_MS
from tests.tables.whole_state import snapshot

SEEDS = range(12)


def _choose(user: int, choice: ShowdownChoice, name: str = "c") -> Received:
    return Received(user, START_MS, ChooseShowdown(name, 7, choice))


def _chosen(choice: ShowdownChoice, seats: int = 3) -> TableState:
    """A table whose seats made this choice in the hand before the next deal."""
    state = stages.dealt(stages.roster(*[1_000] * seats))
    for seat in state.seats:
        state, events = stages.at(state, START_MS, _choose(seat.user, choice))
        assert events == ()
    while state.phase == "hand":
        state, _ = stages.at(state, START_MS, stages.by_actor(state, stages.act(state, "fold")))
    return state


def _next_hand(state: TableState, seed: int) -> tuple[TableState, tuple[TableEvent, ...]]:
    roster = [
        replace(seat, chips=now.chips)
        for seat, now in zip(stages.roster(*[0] * len(state.seats)), state.seats, strict=True)
    ]
    state = boundary.confirm(state)
    state, _ = boundary.answer(state, stages.grant(state, roster), now_ms=START_MS)
    return stages.at(state, START_MS, seed=seed)


def _to_the_end(state: TableState, *, all_in: bool = False) -> list[TableEvent]:
    told: list[TableEvent] = []
    while state.phase == "hand":
        assert state.turn is not None and state.hand is not None
        checks = state.hand.level == state.hand.seat(state.turn.seat).bet
        act = stages.act(state, "check" if checks else "call")
        if all_in and state.hand.raises == 1 and state.hand.round == 0:
            act = stages.act(state, "raise", state.hand.seat(state.turn.seat).start)
        state, events = stages.at(state, START_MS, stages.by_actor(state, act))
        told += events
    return told


def _seats(told: Sequence[TableEvent], kind: type[CardsShown | Mucked]) -> set[int]:
    return {event.seat for event in told if isinstance(event, kind)}


def _winners(told: Sequence[TableEvent]) -> set[int]:
    awards = [event for event in told if isinstance(event, PotAwarded)]
    return {share.seat for award in awards for share in award.winners}


@pytest.mark.rule("S-01")
@pytest.mark.parametrize(
    ("choice", "flags"),
    [("auto", (False, False)), ("muck", (False, True)), ("show", (True, False))],
)
def test_a_showdown_choice_applies_from_the_next_deal_on(
    choice: ShowdownChoice, flags: tuple[bool, bool]
) -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000))
    user = state.seats[1].user
    chosen, _ = stages.at(state, START_MS, _choose(user, choice))
    assert chosen.setup == state.setup and chosen.hand == state.hand, (
        "the choice does not apply to the hand in play"
    )
    while chosen.phase == "hand":
        chosen, _ = stages.at(chosen, START_MS, stages.by_actor(chosen, stages.act(chosen, "fold")))
    for seed in (1, 2):
        chosen, _ = _next_hand(chosen, seed)
        assert chosen.setup is not None
        losers = {p.seat: (p.open_loser, p.closed_loser) for p in chosen.setup.players}
        assert losers == {1: (False, False), 2: flags, 3: (False, False)}
        while chosen.phase == "hand":
            fold = stages.by_actor(chosen, stages.act(chosen, "fold"))
            chosen, _ = stages.at(chosen, START_MS, fold)


@pytest.mark.rule("S-01")
def test_auto_shows_the_first_beaten_hand_muck_hides_all_and_show_shows_all() -> None:
    shown: dict[str, list[tuple[set[int], set[int], set[int]]]] = defaultdict(list)
    choices: tuple[ShowdownChoice, ...] = ("auto", "muck", "show")
    for choice in choices:
        for seed in SEEDS:
            told = _to_the_end(_next_hand(_chosen(choice), seed)[0])
            assert _winners(told) <= _seats(told, CardsShown), "a winner always shows"
            shown[choice].append((_seats(told, CardsShown), _seats(told, Mucked), _winners(told)))
    assert all(seen == winners for seen, _, winners in shown["muck"])
    assert all(len(seen) == 3 and not mucked for seen, mucked, _ in shown["show"])
    assert any(seen > winners for seen, _, winners in shown["auto"])
    assert any(mucked for _, mucked, _ in shown["auto"])


@pytest.mark.rule("S-04")
def test_an_all_in_hand_is_turned_up_despite_the_choice_to_muck() -> None:
    for seed in SEEDS:
        told = _to_the_end(_next_hand(_chosen("muck"), seed)[0], all_in=True)
        (revealed,) = [event for event in told if isinstance(event, HandsRevealed)]
        assert {seat for seat, _ in revealed.hands} == {1, 2, 3}
        assert not _seats(told, Mucked)


@pytest.mark.rule("S-02")
def test_a_showdown_choice_is_in_no_event() -> None:
    before = _chosen("auto")
    for choice in ("muck", "show"):
        after = _chosen(choice)
        assert {seat.showdown for seat in after.seats} == {choice}, "some choice must be hidden"
        for user in (None, 201, 202, 203):
            assert snapshot(after, user) == snapshot(before, user)
        hand, events = _next_hand(after, 1)
        plain = _next_hand(before, 1)[1]
        began = next(event for event in events if isinstance(event, HandBegan))
        assert began.open_losers or began.closed_losers
        assert streams.stream_entries(hand, events, before=after) == streams.stream_entries(
            hand, plain, before=after
        )


def test_a_showdown_choice_survives_encoding_and_older_seats_are_read() -> None:
    state = _chosen("muck")
    assert state_read(state_written(state)) == state
    raw = msgspec.msgpack.decode(state_written(state)[1:])
    seats = next(field for field in raw if isinstance(field, list) and len(field) == 3)
    for seat in seats:
        assert seat[9] == "muck"
        del seat[9:]
    old = state_read(msgspec.msgpack.encode(raw))
    assert [seat.showdown for seat in old.seats] == ["auto"] * 3


def test_a_new_seat_begins_with_auto() -> None:
    state = boundary.confirm(_chosen("muck"))
    roster = stages.roster(*(seat.chips for seat in state.seats))
    newcomer = replace(roster[2], entry=900, user=900)
    state, _ = boundary.answer(state, stages.grant(state, [*roster[:2], newcomer]), now_ms=START_MS)
    assert [seat.showdown for seat in state.seats] == ["muck", "muck", "auto"]


def test_a_repeated_choice_and_one_of_another_user_change_nothing() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000))
    once, _ = stages.at(state, START_MS, _choose(201, "show"))
    assert stages.at(once, START_MS, _choose(201, "muck")) == (once, ()), "a command counts once"
    assert stages.at(once, START_MS, _choose(999, "muck")) == (once, ())


@pytest.mark.parametrize(
    "change",
    [
        {"choice": "never"},
        {"choice": None},
        {"choice": True},
        {"choice": ["muck"]},
        {"choice": "muck", "seat": 2},
        {"choice": "muck", "table": -1},
        {"choice": "muck", "id": ""},
        {},
    ],
)
def test_an_unknown_choice_is_refused_by_the_protocol(change: dict[str, object]) -> None:
    good = {"type": "showdown", "id": "c", "table": 7}
    message = msgspec.json.encode({**good, "choice": "muck"})
    assert isinstance(msgspec.json.decode(message, type=ClientMessage), ChooseShowdown)
    assert isinstance(msgspec.json.decode(message, type=TableCommand), ChooseShowdown)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode({**good, **change}), type=ClientMessage)
