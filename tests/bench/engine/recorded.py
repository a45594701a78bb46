"""Hands of the benchmarks: equal setups and actions for both engines, from a fixed seed."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tables.engine.actions import Action, Bet, Call, Check, Fold, Option, Raise
from tables.engine.begin import begun
from tables.engine.betting import legal_actions
from tables.engine.cards import DECK
from tables.engine.decide import played
from tables.engine.events import Options, Stakes
from tables.engine.positions import clockwise, next_positions
from tables.engine.state import HandSetup, Player, Positions, Rules

STACK = 10_000


class Recorded(NamedTuple):
    """Played hand: its setup and its actions."""

    setup: HandSetup
    actions: tuple[tuple[int, Action], ...]


class Game(NamedTuple):
    """Measured game, under the name of its key in the report."""

    name: str
    variant: str
    limit: str
    seats: int


GAMES = (
    Game("holdem9", "holdem", "no_limit", 9),
    Game("holdem6", "holdem", "no_limit", 6),
    Game("omaha6", "omaha", "pot_limit", 6),
    Game("stud6", "stud", "fixed_limit", 6),
)


def recorded(game: Game, hands: int, *, to_showdown: bool) -> list[Recorded]:
    """Return hands with a usual rate of folds, or those of them that reach a showdown."""
    random = Random(7)
    found: list[Recorded] = []
    while len(found) < hands:
        hand, shown = _record(random, _setup(random, game))
        if shown or not to_showdown:
            found.append(hand)
    return found


def _setup(random: Random, game: Game) -> HandSetup:
    seats = tuple(range(1, game.seats + 1))
    button = random.choice(seats)
    positions = next_positions(None, seats, frozenset(), button=button)
    stakes = Stakes(50, 100, big_bet=200)
    if game.variant == "stud":
        positions = Positions(button, None, None, clockwise(button, seats))
        stakes = Stakes(0, 0, 10, "per_seat", 25, 100, 200)
    deck = list(DECK)
    random.shuffle(deck)
    return HandSetup(
        hand=1,
        rules=Rules(game.variant, game.limit, stakes, Options(cap_lift="event")),
        positions=positions,
        players=tuple(Player(seat, STACK) for seat in seats),
        deck=tuple(deck),
    )


def _record(random: Random, setup: HandSetup) -> tuple[Recorded, bool]:
    actions: list[tuple[int, Action]] = []
    state = begun(setup).state
    while state.actor is not None:
        option = legal_actions(state, state.actor)
        action = _choice(random, option)
        actions.append((state.actor, action))
        state = played(state, state.actor, action).state
    shown = any(seat.shown and not seat.folded for seat in state.seats)
    return Recorded(setup, tuple(actions)), shown and state.live.bit_count() > 1


def _choice(random: Random, option: Option) -> Action:
    roll = random.random()
    if roll < 0.12 and option.raise_min is not None and option.raise_max is not None:
        return Raise(random.randint(option.raise_min, min(option.raise_max, 3 * option.raise_min)))
    if roll < 0.25 and option.bet_min is not None and option.bet_max is not None:
        return Bet(random.randint(option.bet_min, min(option.bet_max, 4 * option.bet_min)))
    if option.check:
        return Check()
    return Fold() if roll > 0.45 and option.fold else Call()
