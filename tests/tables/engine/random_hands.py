"""Random hands of every game and limit, drawn from a repeatable source of chance."""

from __future__ import annotations

from random import Random

from tables.engine.actions import Action, Bet, Call, Check, Fold, Option, Raise
from tables.engine.cards import DECK
from tables.engine.events import AnteKind, Options, Stakes
from tables.engine.positions import next_positions
from tables.engine.state import HandSetup, Player, Rules
from tables.engine.variants import VARIANTS

BIG_BLIND = 20
STACK_BLINDS_MAX = 300
BLIND_GAMES = ("holdem", "omaha", "omaha5", "omaha_hilo", "omaha5_hilo")
STUD_GAMES = ("stud", "stud_hilo")
LIMITS = ("no_limit", "pot_limit", "fixed_limit")


def random_setup(
    random: Random, *, variant: str, limit: str, seats: int, ante_kind: AnteKind = "none"
) -> HandSetup:
    """Setup of a hand, with stacks between a fraction of a blind and 300 blinds."""
    numbers = tuple(sorted(random.sample(range(1, 11), seats)))
    positions = next_positions(None, numbers, frozenset(), button=random.choice(numbers))
    stakes = Stakes(BIG_BLIND // 2, BIG_BLIND, 4, ante_kind, big_bet=2 * BIG_BLIND)
    if VARIANTS[variant].brings_in:
        positions = type(positions)(positions.button, None, None, positions.dealt)
        stakes = Stakes(0, 0, 3, "per_seat", 5, BIG_BLIND, 2 * BIG_BLIND)
    deck = list(DECK)
    random.shuffle(deck)
    return HandSetup(
        hand=1,
        rules=Rules(variant, limit, stakes, Options(cap_lift="event")),
        positions=positions,
        players=tuple(Player(seat, _stack(random)) for seat in numbers),
        deck=tuple(deck),
    )


def _stack(random: Random) -> int:
    most = random.choice((2, 10, 10, 20, 20, 50, 100, STACK_BLINDS_MAX)) * BIG_BLIND
    return random.randint(1, most)


def random_action(random: Random, option: Option) -> Action:
    """A random legal action, with small, large and all-in amounts."""
    ways: list[Action] = [Check()] * 4 if option.check else [Fold()] * 4 if option.fold else []
    if option.call is not None:
        ways += [Call()] * 4
    if option.bet_min is not None and option.bet_max is not None:
        ways += [Bet(_amount(random, option.bet_min, option.bet_max))] * 3
    if option.raise_min is not None and option.raise_max is not None:
        ways += [Raise(_amount(random, option.raise_min, option.raise_max))] * 3
    return random.choice(ways)


def _amount(random: Random, least: int, most: int) -> int:
    reach = random.choice((least, min(most, 2 * least), min(most, 5 * least), most))
    return random.randint(least, reach)
