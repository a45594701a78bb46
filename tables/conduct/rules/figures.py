"""Figures of one finished hand about the conduct of its players, from its record alone (pure)."""

from __future__ import annotations

from random import Random

import msgspec

from config.sums import add_to, added
from tables.conduct.rules.calls import CALL_CELLS, call_cell
from tables.conduct.rules.flows import chips_flown
from tables.conduct.rules.times import TIME_BUCKETS, time_bucket
from tables.dealer.record import HandRecord
from tables.engine.actions import Action, Bet, Raise, Show
from tables.engine.begin import begun
from tables.engine.decide import played
from tables.engine.events import Card
from tables.engine.state import HandState

FLOW_CAP = 3_000
"""Hundredths of a big blind of one hand that count at most, so that no single pot decides."""

NO_TIMES = (0,) * TIME_BUCKETS
NO_CALLS = (0,) * CALL_CELLS

Pair = tuple[int, int]
"""Two users, the smaller key first."""


class PlayerFigures(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Figures of a player's hands, added up.

    `meetings` to `squares` are the sums over the pairs with this player, as given to others.
    `duels` came to two players with chips and no bet, after the first street; in `quiet_duels` this
    player bet no more. `times` counts own decisions by `time_bucket`, `calls` by `call_cell`.
    """

    hands: int = 0
    meetings: int = 0
    flow: int = 0
    capped: int = 0
    squares: int = 0
    duels: int = 0
    quiet_duels: int = 0
    times: tuple[int, ...] = NO_TIMES
    calls: tuple[int, ...] = NO_CALLS


class PairFigures(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Figures of the hands in which chips flowed between two players, or in which they duelled.

    `flow` is in hundredths of a big blind, from the first of the pair to the second; `capped` is
    its sum with at most FLOW_CAP in a hand, `squares` that of the squares of those. In
    `first_quiet` and `second_quiet` duels one player bet no more, in `both_quiet` neither.
    """

    meetings: int = 0
    flow: int = 0
    capped: int = 0
    squares: int = 0
    duels: int = 0
    first_quiet: int = 0
    second_quiet: int = 0
    both_quiet: int = 0


class HandFigures(msgspec.Struct, frozen=True):
    """Figures of a hand by user and by pair of users; hands without meetings make no pair."""

    players: dict[int, PlayerFigures]
    pairs: dict[Pair, PairFigures]


def hand_figures(record: HandRecord, chance: Random) -> HandFigures:
    """Return the figures of a hand; `chance` draws what is not counted out (equity, strength)."""
    course = _HandCourse(record, chance)
    users = {seat.seat: seat.user for seat in record.seats if seat.dealt}
    flown = chips_flown(record, course.last, course.board, chance)
    pairs: dict[Pair, PairFigures] = {}
    for (giver, taker), centi in flown.items():
        first, second = sorted((users[giver], users[taker]))
        if first != second:
            signed = centi if first == users[giver] else -centi
            capped = max(-FLOW_CAP, min(FLOW_CAP, signed))
            add_to(pairs, (first, second), PairFigures(1, signed, capped, capped * capped))
    if len({users[seat] for seat in course.duel}) == 2:
        first, second = sorted(users[seat] for seat in course.duel)
        quiet = [user not in {users[seat] for seat in course.bettors} for user in (first, second)]
        known = pairs.get((first, second), PairFigures(meetings=1))
        duel = PairFigures(
            duels=1,
            first_quiet=int(quiet[0]),
            second_quiet=int(quiet[1]),
            both_quiet=int(all(quiet)),
        )
        pairs[first, second] = added(known, duel)
    return HandFigures(_players(users, pairs, course), pairs)


def _players(
    users: dict[int, int], pairs: dict[Pair, PairFigures], course: _HandCourse
) -> dict[int, PlayerFigures]:
    found: dict[int, PlayerFigures] = {}
    for seat, user in users.items():
        times, calls = course.times.get(seat, NO_TIMES), course.calls.get(seat, NO_CALLS)
        own = PlayerFigures(int(user not in found), times=tuple(times), calls=tuple(calls))
        add_to(found, user, own)
    for (first, second), pair in pairs.items():
        for user, sign, quiet in ((first, 1, pair.first_quiet), (second, -1, pair.second_quiet)):
            own = PlayerFigures(
                meetings=pair.meetings,
                flow=sign * pair.flow,
                capped=sign * pair.capped,
                squares=pair.squares,
                duels=pair.duels,
                quiet_duels=quiet,
            )
            add_to(found, user, own)
    return found


class _HandCourse:
    """Course of a hand, replayed: its duel, its decisions' times, its calls.

    `bettors` bet or raised in the duel. `board` is the one of the last decision, `last` the state
    at the end.
    """

    def __init__(self, record: HandRecord, chance: Random) -> None:
        self.duel: tuple[int, ...] = ()
        self.bettors: set[int] = set()
        self.times: dict[int, list[int]] = {}
        self.calls: dict[int, list[int]] = {}
        self._chance = chance
        state = begun(record.setup).state
        self.board: tuple[Card, ...] = ()
        before_ms = 0
        for number, one in enumerate(record.actions):
            note = record.notes[number] if number < len(record.notes) else None
            if isinstance(one.action, Show):
                state = played(state, one.seat, one.action).state
                continue
            self.board = state.board
            is_own = note is None or note.made_by == "player"
            if note is not None:
                if is_own:
                    own = self.times.setdefault(one.seat, [0] * TIME_BUCKETS)
                    own[time_bucket(note.at_ms - before_ms)] += 1
                before_ms = note.at_ms
            self._follow(state, one.seat, one.action, is_own)
            state = played(state, one.seat, one.action).state
        self.last = state

    def _follow(self, state: HandState, seat: int, action: Action, is_own: bool) -> None:
        if (
            not self.duel
            and state.round
            and not state.level
            and state.live.bit_count() == 2 == state.able.bit_count()
        ):
            self.duel = tuple(one.seat for one in state.seats if not one.folded)
        if self.duel and isinstance(action, Bet | Raise):
            self.bettors.add(seat)
        if is_own:
            cell = call_cell(state, seat, action, self._chance)
            if cell is not None:
                self.calls.setdefault(seat, [0] * CALL_CELLS)[cell] += 1
