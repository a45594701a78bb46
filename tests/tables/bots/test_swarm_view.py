"""The state of a bot equals a fresh snapshot after seats change between two hands."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tables.dealer import boundary
from tables.dealer.grants import Departure, Grant, RosterSeat, Wait
from tables.dealer.state import TableState
from tables.engine.events import HandEvent
from tables.engine.visibility import view
from tables.wire.table_events import TableEvent
from tests.tables import playing, stages
from tests.tables.client_side import fold, snapshot

VIEWERS = (None, *range(201, 240))


def _seen(event: TableEvent, state: TableState, user: int | None) -> TableEvent:
    seat = None if user is None else state.seat_of(user)
    return view(event, seat.seat if seat else None) if isinstance(event, HandEvent) else event


def _next_roster(state: TableState, newest: int, chance: random.Random) -> list[RosterSeat]:
    """Keep seats with chips; a new player takes a free seat, often one of a busted player."""
    staying = [
        RosterSeat(
            seat=seat.seat,
            entry=seat.entry,
            user=seat.user,
            name=seat.name,
            chips=seat.chips,
            bank_ms=seat.bank_ms,
            absent=seat.absent,
            newcomer=False,
        )
        for seat in state.seats
        if seat.chips
    ]
    free = sorted(set(range(1, state.seats_max + 1)) - {seat.seat for seat in staying})
    if free and chance.random() < 0.8:
        arrived = stages.roster(chance.randrange(200, 900))[0]
        arrived = replace(arrived, seat=chance.choice(free), entry=100 + newest, user=200 + newest)
        staying.append(arrived)
    return staying


@pytest.mark.rule("T-08")
@pytest.mark.parametrize("seed", range(8))
def test_a_new_player_on_a_taken_over_seat_has_only_own_chips(seed: int) -> None:
    chance = random.Random(seed)
    state = replace(stages.empty(5), voided=1 if seed % 2 else None)
    seats = stages.roster(*(chance.randrange(200, 900) for _ in range(4)))
    seen = {user: snapshot(state, user) for user in VIEWERS}
    now_ms, newest, arrivals = stages.START_MS, 5, 0
    for number in range(150):
        now_ms += 20
        events: tuple[TableEvent, ...] = ()
        if state.phase == "finished":
            state = boundary.confirm(state)
        elif state.phase == "boundary":
            roster = _next_roster(state, newest, chance) if state.hand_number else seats
            newest += 1
            arrivals += sum(seat.newcomer for seat in roster)
            if len(roster) < 2:
                gone = tuple(Departure(s.entry, "knocked_out") for s in state.seats if not s.chips)
                state, events = boundary.answer(
                    state, Wait("players", departures=gone), now_ms=now_ms
                )
            else:
                state, events = boundary.answer(state, _grant(state, roster), now_ms=now_ms)
        elif state.phase == "granted":
            state, events = stages.at(state, now_ms, seed=number)
        else:
            act = playing.choose(state, chance, number)
            state, events = stages.at(state, now_ms, stages.by_actor(state, act, now_ms))
        for user in VIEWERS:
            for event in events:
                seen[user] = fold(_seen(event, state, user), seen[user])
            assert seen[user] == snapshot(state, user)
    assert arrivals > 5


def _grant(state: TableState, roster: list[RosterSeat]) -> Grant:
    return stages.grant(state, sorted(roster, key=lambda seat: seat.seat))
