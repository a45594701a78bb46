"""People of a measured room: honest bots of several kinds, and planted colluders."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from tables.bots.playing.kinds import KINDS
from tables.engine.actions import Action, Bet, Call, Check, Fold, Option, Raise
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS
from tournaments.bot_ladder.contestants import Contestant

Role = Literal["honest", "giver", "taker", "soft", "seer", "clockwork"]

HONEST_KINDS = ("solid", "solid", "solid", "solid", "caller", "pusher", "loose", "loose")
DUMP_SHARE = 0.25
"""Share of common hands in which a giver gives chips away."""
DUMPED_BLINDS = 20
SEEN_SHARE = 0.9
"""Share of bets after the flop at which a seer uses the hidden cards."""


@dataclass
class Person:
    """A player of a measured room; `mate` is the accomplice.

    `median_s` and `spread` are of the own log-normal times.
    """

    user: int
    role: Role
    bot: Contestant
    median_s: float
    spread: float
    mate: int = 0
    looseness: float = 0.0

    def act(
        self, state: HandState, option: Option, seats: dict[int, Person], lot: Random
    ) -> Action:
        """Return the decision of the seat to act; `seats` are the people by seat."""
        assert state.actor is not None
        live = {seats[seat.seat].user for seat in state.seats if not seat.folded}
        if self.role in ("giver", "taker") and self.mate in live and _is_dumped(state):
            return self._dump(state, option)
        if self.role == "soft" and live == {self.user, self.mate} and state.round:
            return Check() if option.check else Call()
        is_faced = self.role == "seer" and len(live) == 2 and bool(state.round) and not option.check
        if is_faced and option.fold and lot.random() < SEEN_SHARE:
            return Call() if _is_ahead(state, state.actor) else Fold()
        if lot.random() < self.looseness:
            return Check() if option.check else Call()
        return self.bot.act(state, option, lot)

    def think_ms(self, lot: Random) -> int:
        """Return the time of a decision."""
        if self.role == "clockwork":
            return round(1_000 * self.median_s * lot.uniform(0.9, 1.1))
        return round(1_000 * self.median_s * lot.lognormvariate(0.0, self.spread))

    def _dump(self, state: HandState, option: Option) -> Action:
        unit = state.rules.stakes.big_blind
        if self.role == "taker":
            if state.level > unit and option.raise_max is not None:
                return Raise(option.raise_max)
            return Check() if option.check else Call()
        if state.level > DUMPED_BLINDS * unit and option.fold:
            return Fold()
        if option.raise_max is not None and option.raise_min is not None and not state.round:
            wanted = max(option.raise_min, DUMPED_BLINDS * unit)
            return Raise(min(option.raise_max, wanted))
        if option.bet_min is not None and option.bet_max is not None:
            return Bet(option.bet_min)
        return Check() if option.check else Fold()


def room(lot: Random, honest: int, planted: bool) -> list[Person]:
    """Return honest people, and with `planted` three kinds of cheats and a clock."""
    roles: list[tuple[Role, int]] = [("honest", 0)] * honest
    if planted:
        start = honest + 1
        roles += [("giver", start + 1), ("taker", start), ("soft", start + 3), ("soft", start + 2)]
        roles += [("seer", 0), ("clockwork", 0)]
    return [_person(number + 1, role, mate, lot) for number, (role, mate) in enumerate(roles)]


def _person(user: int, role: Role, mate: int, lot: Random) -> Person:
    kind = lot.choice(HONEST_KINDS) if role == "honest" else "solid"
    loose = lot.uniform(0.1, 0.4) if kind == "loose" else 0.0
    bot = Contestant(f"{role}-{user}", KINDS["solid" if kind == "loose" else kind])
    return Person(user, role, bot, lot.uniform(1.5, 7.0), lot.uniform(0.5, 1.0), mate, loose)


def _is_dumped(state: HandState) -> bool:
    """Return whether a hand is one to give chips away: by its number, known to both."""
    return state.hand % round(1 / DUMP_SHARE) == 0


def _is_ahead(state: HandState, own: int) -> bool:
    high = VARIANTS[state.rules.variant].high
    strength = {seat.seat: high(seat.cards, state.board) for seat in state.seats if not seat.folded}
    return strength[own] >= max(strength.values())
