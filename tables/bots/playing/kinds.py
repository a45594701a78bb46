"""Kinds of bundled bots: each is one function from a player's knowledge to an action."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tables.bots.playing import brain, starting_hands
from tables.bots.playing.brain import Choice, PlayerView

Chooser = Callable[[PlayerView, Random], Choice]

PUSHED_SHARE = 0.12
"""Share of starting hands with which a pusher goes all-in."""


def pusher(sight: PlayerView, chance: Random) -> Choice:
    """All-in with the best eighth of starting hands before the flop, else check or fold."""
    if not sight.board and len(sight.cards) == 2 and _top(sight) <= PUSHED_SHARE:
        return _most(sight)
    return Choice("check") if sight.option.check else Choice("fold")


def caller(sight: PlayerView, chance: Random) -> Choice:
    """Check or call everything, and never raise."""
    return Choice("check") if sight.option.check else Choice("call")


KINDS: dict[str, Chooser] = {"solid": brain.choose, "pusher": pusher, "caller": caller}
"""Bundled kinds by name; `solid` is the player of the room's own bots."""


def _top(sight: PlayerView) -> float:
    return starting_hands.top(sight.cards)


def _most(sight: PlayerView) -> Choice:
    if sight.option.raise_max is not None:
        return Choice("raise", sight.option.raise_max)
    if sight.option.bet_max is not None:
        return Choice("bet", sight.option.bet_max)
    return Choice("check") if sight.option.check else Choice("call")
