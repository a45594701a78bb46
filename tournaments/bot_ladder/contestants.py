"""Contestants of a ladder: named bots of a kind, and their faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tables.bots.playing.brain import Choice, PlayerView
from tables.bots.playing.kinds import KINDS, Chooser
from tables.engine.actions import Action, Bet, Call, Check, Fold, Option, Raise
from tables.engine.state import HandState


@dataclass(slots=True)
class Contestant:
    """A bot of the ladder; decisions that raised an error or were not allowed are `crashes`."""

    name: str
    choose: Chooser
    games: int = 0
    wins: int = 0
    decisions: int = 0
    crashes: int = 0
    places: list[int] = field(default_factory=list)
    kind: str = ""

    def act(self, state: HandState, option: Option, chance: Random) -> Action:
        """Return the bot's action; after a crash it checks or folds."""
        self.decisions += 1
        try:
            action = _action(self.choose(sight(state, option), chance))
            if not _allowed(action, option):
                raise ValueError(action)
        except Exception:
            self.crashes += 1
            return Check() if option.check else Fold() if option.fold else Call()
        return action


def contestants(kinds: list[str], bots: int) -> list[Contestant]:
    """Return that many contestants, the kinds in turn; raises KeyError for an unknown kind."""
    return [
        Contestant(f"{kind}-{number // len(kinds) + 1}", KINDS[kind], kind=kind)
        for number in range(bots)
        for kind in [kinds[number % len(kinds)]]
    ]


def sight(state: HandState, option: Option) -> PlayerView:
    """Return what the seat to act knows."""
    assert state.actor is not None
    own = state.seat(state.actor)
    others = [seat for seat in state.seats if seat.seat != own.seat and not seat.folded]
    largest = max((seat.stack + seat.bet for seat in others), default=0)
    behind = state.pending & ~(1 << state.order.index(state.actor))
    return PlayerView(
        cards=own.cards,
        board=state.board,
        pot=sum(seat.start - seat.stack for seat in state.seats),
        option=option,  # type: ignore[arg-type]  # the client's options have the same fields
        stack=own.stack,
        bet=own.bet,
        at_risk=max(0, min(own.stack, largest - own.bet)),
        big_blind=state.rules.stakes.big_blind or state.rules.stakes.small_bet,
        opponents=len(others),
        behind=behind.bit_count(),
        raises=max(0, state.raises - (0 if state.round else 1)),
        variant=state.rules.variant,
    )


def _action(choice: Choice) -> Action:
    match choice:
        case Choice("raise", int(amount)):
            return Raise(amount)
        case Choice("bet", int(amount)):
            return Bet(amount)
        case Choice("call"):
            return Call()
        case Choice("check"):
            return Check()
        case Choice("fold"):
            return Fold()
    raise ValueError(choice)


def _allowed(action: Action, option: Option) -> bool:
    match action:
        case Raise(amount):
            return _within(amount, option.raise_min, option.raise_max)
        case Bet(amount):
            return _within(amount, option.bet_min, option.bet_max)
        case Call():
            return option.call is not None
        case Check():
            return option.check
    return option.fold


def _within(amount: int, least: int | None, most: int | None) -> bool:
    return least is not None and most is not None and least <= amount <= most
