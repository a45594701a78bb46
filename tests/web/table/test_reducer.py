"""The page's reducer turns an old snapshot and later events into the fresh snapshot."""

from __future__ import annotations

import random
from typing import Any, get_args

import msgspec
from msgspec.structs import replace
from playwright.sync_api import Page

from tables.dealer import boundary
from tables.dealer.grants import Departure, Grant, RosterSeat, Timing, Wait
from tables.dealer.state import TableState
from tables.engine.events import HandEvent
from tables.engine.state import Rules
from tables.engine.visibility import view
from tables.wire.table_events import TableEvent
from tests.tables import playing, stages
from tests.tables.whole_state import snapshot
from tests.web.browsing import page

__all__ = ["page"]

VIEWERS = (None, 201, 203)
STEPS = 110

_FOLD = """
async (games) => {
  const { reduce } = await import('/static/js/state/reducer.js');
  return games.map(({ start, steps }) => {
    let state = start;
    return steps.map((events) => (state = events.reduce(reduce, state)));
  });
}
"""


def test_old_snapshot_and_events_make_the_fresh_snapshot(page: Page) -> None:
    told = set()
    for seed, rules in enumerate([stages.RULES, *stages.GAMES.values()]):
        games, wanted = _game(seed, rules)
        folded = page.evaluate(_FOLD, games)
        for viewer, got, want in zip(VIEWERS, folded, wanted, strict=True):
            for number, (made, fresh) in enumerate(zip(got, want, strict=True)):
                assert made == fresh, (seed, viewer, games[VIEWERS.index(viewer)]["steps"][number])
        told |= {event["type"] for step in games[0]["steps"] for event in step}
    assert {
        "run_out_began",
        "raised",
        "pot_awarded",
        "cards_shown",
        "timed_out",
        "seat_left",
        "seat_taken",
        "dealt_out",
        "dealt_in",
        "disconnect_time_started",
    } <= told


def test_the_reducer_knows_every_event_of_a_table(page: Page) -> None:
    known = page.evaluate("async () => (await import('/static/js/state/reducer.js')).known")
    tags = {kind.__struct_config__.tag for kind in get_args(TableEvent)}
    assert set(known) == tags


def test_an_unknown_event_changes_nothing(page: Page) -> None:
    state = _plain(snapshot(stages.dealt(stages.roster(500, 500, 500)), None))
    steps = [[{"type": "invented_later", "seat": 1}]]
    assert page.evaluate(_FOLD, [{"start": state, "steps": steps}]) == [[state]]


def _game(seed: int, rules: Rules) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """A table with changing seats, by viewer: messages of the page and the expected snapshot."""
    chance = random.Random(seed)
    # In every second game the first hand is dealt in place of a void one.
    state = replace(stages.empty(6), voided=1 if seed % 2 else None)
    first = stages.roster(*(chance.randrange(300, 1_500) for _ in range(5)), bank_ms=4_000)
    games = [{"start": _plain(snapshot(state, user)), "steps": []} for user in VIEWERS]
    wanted: list[list[Any]] = [[] for _ in VIEWERS]
    now_ms, newest = stages.START_MS, 6
    for number in range(STEPS):
        now_ms = max(now_ms + 20, state.due_ms)
        state, events = _step(state, first, rules, chance, now_ms, number, newest + number)
        for user, game, want in zip(VIEWERS, games, wanted, strict=True):
            game["steps"].append([_plain(_seen(event, state, user)) for event in events])
            want.append(_plain(snapshot(state, user)))
    return games, wanted


def _step(
    state: TableState,
    first: list[RosterSeat],
    rules: Rules,
    chance: random.Random,
    now_ms: int,
    number: int,
    newest: int,
) -> tuple[TableState, tuple[TableEvent, ...]]:
    if state.phase == "finished":
        return boundary.confirm(state), ()
    if state.phase == "boundary":
        return boundary.answer(state, _answer(state, first, rules, chance, newest), now_ms=now_ms)
    if state.phase in ("granted", "run_out"):
        return stages.at(state, now_ms, seed=number)
    assert state.turn is not None
    if chance.random() < 0.12:
        gone = frozenset({state.at(state.turn.seat).user} if chance.random() < 0.5 else ())
        return stages.at(state, state.turn.deadline_ms, seed=number, gone=gone)
    command = playing.choose(state, chance, number)
    return stages.at(state, now_ms, stages.by_actor(state, command, now_ms), seed=number)


def _answer(
    state: TableState, first: list[RosterSeat], rules: Rules, chance: random.Random, newest: int
) -> Grant | Wait:
    """Keep seats with chips; a new player often takes a free seat."""
    if state.hand_number == 0:
        return stages.grant(state, first, _pace(state), rules)
    staying = [
        RosterSeat(
            seat=seat.seat,
            entry=seat.entry,
            user=seat.user,
            name=seat.name,
            chips=seat.chips,
            bank_ms=seat.bank_ms,
            absent=seat.absent and chance.random() < 0.5,
            newcomer=False,
        )
        for seat in state.seats
        if seat.chips
    ]
    if len(staying) > 3:
        place = chance.randrange(len(staying))
        staying[place] = msgspec.structs.replace(staying[place], dealt=chance.random() < 0.5)
    free = sorted(set(range(1, state.seats_max + 1)) - {seat.seat for seat in staying})
    if free and chance.random() < 0.7:
        arrived = stages.roster(chance.randrange(200, 900))[0]
        staying.append(
            msgspec.structs.replace(
                arrived, seat=chance.choice(free), entry=100 + newest, user=200 + newest
            )
        )
    if len(staying) < 2:
        gone = tuple(Departure(s.entry, "knocked_out") for s in state.seats if not s.chips)
        return Wait("players", departures=gone)
    return stages.grant(state, sorted(staying, key=lambda seat: seat.seat), _pace(state), rules)


def _pace(state: TableState) -> Timing:
    """Run out every second decided hand slowly; wait for lost connections in every third."""
    return replace(
        stages.TIMING,
        street_pause_ms=1_000 * (state.hand_number % 2),
        disconnect_ms=2_000 * (state.hand_number % 3 == 0),
    )


def _seen(event: TableEvent, state: TableState, user: int | None) -> TableEvent:
    seat = None if user is None else state.seat_of(user)
    return view(event, seat.seat if seat else None) if isinstance(event, HandEvent) else event


def _plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
