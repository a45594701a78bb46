"""Whole tables of every game and limit, with absence, time-outs, rake and rising stakes."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tables.dealer import boundary, record
from tables.dealer.commands import Received
from tables.dealer.grants import Close
from tables.dealer.state import TableState
from tables.engine.events import Called, Folded, HandEvent, Options, Posted, Rake, Stakes
from tables.engine.positions import clockwise
from tables.engine.state import Rules
from tables.engine.variants import LIMITS, VARIANTS
from tables.engine.visibility import view
from tables.wire.client_commands import ComeBack, SitOut
from tables.wire.table_events import SatOut, TableEvent, TimedOut
from tests.tables import playing, stages
from tests.tables.client_side import fold, snapshot
from tests.tables.stages import START_MS

STEPS_MAX = 5_000
VIEWERS = (None, 201, 202)
STUD = Stakes(0, 0, 5, "per_seat", bring_in=10, small_bet=40, big_bet=80)


class Played:
    """A table played to its last player: number of events by kind, and the rake of all hands."""

    def __init__(self, variant: str, limit: str, seed: int) -> None:
        self.chance = random.Random(f"{variant} {limit} {seed}")
        self.variant, self.limit = variant, limit
        self.kinds: Counter[type] = Counter()
        self.rake = 0
        self.buttons: list[tuple[int, list[int]]] = []
        seats = self.chance.randint(2, min(6, VARIANTS[variant].seats_max))
        self.roster = stages.roster(
            *(self.chance.randint(1, 3_000) for _ in range(seats)), bank_ms=3_000
        )
        self.chips = sum(seat.chips for seat in self.roster)
        self.options = self._options()
        self.state = stages.empty(8)
        self.seen = {user: snapshot(self.state, user) for user in VIEWERS}
        self.now_ms = START_MS

    def to_the_end(self) -> Played:
        """Step until one seat has all chips left after rake."""
        for number in range(STEPS_MAX):
            self.now_ms = max(self.now_ms + 10, self.state.due_ms)
            self.state, events = self._step(number)
            if self.state.phase == "closed":
                return self
            self._check(events)
        raise AssertionError("the table does not end")

    def _step(self, number: int) -> tuple[TableState, tuple[TableEvent, ...]]:
        state = self.state
        if state.phase == "finished":
            kept = record.of(state)
            self.rake += kept.result.rake
            assert record.replay(kept.setup, kept.actions)
            return boundary.confirm(state), ()
        if state.phase == "boundary":
            return self._next()
        if state.phase == "granted":
            dealt, events = stages.at(state, self.now_ms, seed=number)
            assert dealt.positions is not None
            self.buttons.append((dealt.positions.button, [seat.seat for seat in state.seats]))
            return dealt, events
        assert state.turn is not None
        roll = self.chance.random()
        if roll < 0.15:
            self.now_ms = state.turn.deadline_ms + self.chance.choice((0, 5_000))
            return stages.at(state, self.now_ms)
        if roll < 0.3:
            return stages.at(state, self.now_ms, self._coming_or_going(number))
        act = playing.choose(state, self.chance, number)
        return stages.at(state, self.now_ms, stages.by_actor(state, act, self.now_ms))

    def _next(self) -> tuple[TableState, tuple[TableEvent, ...]]:
        state = self.state
        now = {seat.entry: seat for seat in state.seats}
        if now:
            self.roster = [
                replace(seat, chips=now[seat.entry].chips, absent=now[seat.entry].absent)
                for seat in self.roster
                if now[seat.entry].chips
            ]
        if len(self.roster) < 2:
            return boundary.answer(state, Close(), now_ms=self.now_ms)
        grant = stages.grant(state, self.roster, rules=self._rules(state.hand_number))
        return boundary.answer(state, grant, now_ms=self.now_ms)

    def _rules(self, hands: int) -> Rules:
        """Stakes that double every eight hands."""
        times = 2 ** min(10, hands // 8)
        if VARIANTS[self.variant].brings_in:
            stakes = replace(
                STUD, ante=5 * times, bring_in=10 * times, small_bet=40 * times, big_bet=80 * times
            )
        else:
            kind = self.chance.choice(("none", "per_seat", "big_blind"))
            ante = 0 if kind == "none" else 5 * times
            stakes = Stakes(20 * times, 40 * times, ante, kind)  # type: ignore[arg-type]
        return Rules(self.variant, self.limit, stakes, self.options)

    def _options(self) -> Options:
        rake = Rake(250, 1, 50, per_street=self.chance.random() < 0.5)
        return Options(
            face_up=self.chance.random() < 0.5,
            s0_order=self.chance.random() < 0.3,
            rake=rake if self.chance.random() < 0.5 else None,
        )

    def _coming_or_going(self, number: int) -> Received:
        seat = self.chance.choice(self.state.seats)
        command = (
            ComeBack(f"x{number}", self.state.table)
            if seat.absent
            else SitOut(f"x{number}", self.state.table)
        )
        return Received(seat.user, self.now_ms, command)

    def _check(self, events: tuple[TableEvent, ...]) -> None:
        """Assert that chips are conserved and every viewer's fold equals the snapshot."""
        self.kinds.update(type(event) for event in events)
        over = self.state.hand if self.state.phase == "finished" else None
        pending = sum(award.rake for award in over.awarded) if over else 0
        assert sum(seat.chips for seat in self.state.seats) == self.chips - self.rake - pending
        for user in VIEWERS:
            seat = None if user is None else self.state.seat_of(user)
            for event in events:
                told = event
                if isinstance(event, HandEvent):
                    told = view(event, seat.seat if seat else None)
                self.seen[user] = fold(told, self.seen[user])
            assert self.seen[user] == snapshot(self.state, user)


@pytest.mark.rule("X-01")
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_tables_of_every_game_and_limit_play_to_their_end(variant: str, limit: str) -> None:
    kinds: Counter[type] = Counter()
    for seed in range(4):
        kinds += Played(variant, limit, seed).to_the_end().kinds
    assert {Called, Folded, TimedOut, SatOut} <= set(kinds)


def stud(*absent: int) -> TableState:
    """Three seats of fixed limit stud, waiting for the bring-in."""
    seats = stages.roster(1_000, 1_000, 1_000, absent=frozenset(absent))
    return stages.dealt(seats, rules=Rules("stud", "fixed_limit", STUD))


@pytest.mark.rule("D-02")
def test_a_seat_that_times_out_at_the_bring_in_pays_it() -> None:
    state = stud()
    assert state.turn is not None and state.hand is not None and state.hand.must_open
    seat = state.turn.seat
    after, events = stages.at(state, state.turn.deadline_ms)
    assert Posted(seat, "bring_in", 10) in events
    assert after.at(seat).absent
    assert after.hand is not None and not after.hand.seat(seat).folded


@pytest.mark.rule("D-02")
def test_an_absent_seat_brings_in_and_is_folded_at_its_next_turn() -> None:
    state = stud(1, 2, 3)
    assert state.phase == "finished" and state.hand is not None
    assert sum(seat.folded for seat in state.hand.seats) == 2
    brought = [seat for seat in state.hand.seats if not seat.folded]
    assert [seat.stack for seat in brought] == [1_010]


@pytest.mark.rule("D-02")
def test_a_seat_that_leaves_at_its_bring_in_has_paid_it() -> None:
    state = stud()
    assert state.turn is not None
    seat = state.at(state.turn.seat)
    after, events = stages.at(state, START_MS, Received(seat.user, START_MS, SitOut("o", 7)))
    assert Posted(seat.seat, "bring_in", 10) in events
    assert after.at(seat.seat).absent


@pytest.mark.rule("H-07")
def test_the_button_of_a_stud_table_moves_to_the_next_player_each_hand() -> None:
    played = Played("stud", "pot_limit", 7).to_the_end()
    assert len(played.buttons) > 3
    for (before, _), (button, occupied) in pairwise(played.buttons):
        assert button == clockwise(before, occupied)[0]
