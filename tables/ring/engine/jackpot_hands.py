"""Hands of a showdown as jackpots see them: rank, hole cards that play, pocket pairs (J-01)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tables.engine.events import Card
from tables.engine.notation import made
from tables.engine.ranking import BEST, any_five, three_and_two
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS

PAIRED = ("pair", "two_pair", "three", "full_house", "four")
"""Hands that win a jackpot only with a pocket pair in them."""

BOARD = 5
"""Community cards of a complete board."""


class ShowdownHand(NamedTuple):
    """A hand that did not fold before the showdown; `strength` is that of its best five.

    A hand `is_shown` unless its player chose not to show it: one that the room mucked by itself,
    because a better hand was shown before it, is no choice (J-02).
    """

    seat: int
    variant: str
    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    strength: int
    is_shown: bool

    def is_a(self, name: str) -> bool:
        """Return whether the hand has that name, as "pair" or "four:J"."""
        return _matches(made(self.strength), name)

    def plays_hole_cards(self) -> bool:
        """Return whether the hand is worth less without either of two hole cards (hold'em).

        A board that is as good with one hole card or none is not played with both. The rules of
        Omaha take cards from both anyway.
        """
        if VARIANTS[self.variant].high is not any_five:
            return True
        both = max(any_five(self.cards, three) for three in combinations(self.board, 3))
        one = max(any_five((card,), self.board) for card in self.cards)
        return one < both == self.strength

    def has_pair_it_needs(self) -> bool:
        """Return whether a pair, trips, full house or quads has a pocket pair in its best five."""
        if made(self.strength).partition(":")[0] not in PAIRED:
            return True
        return any(
            len({card[0] for card in own}) < len(own) and any_five(own, common) == self.strength
            for own, common in self._fives()
        )

    def _fives(self) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
        """Yield every five cards of this game with the usual number of hole cards in them."""
        own = 3 if VARIANTS[self.variant].high is three_and_two else 2
        for cards in combinations(self.cards, own):
            for common in combinations(self.board, BOARD - own):
                yield cards, common


def has_jackpots(variant: str) -> bool:
    """Return whether a game can win a jackpot: those without a whole board never do (J-01)."""
    return sum(street.board for street in VARIANTS[variant].streets) == BOARD


def showdown_hands(state: HandState) -> list[ShowdownHand]:
    """Return the live hands of a finished hand; empty without a whole board or a showdown."""
    variant = VARIANTS[state.rules.variant]
    live = [seat for seat in state.seats if not seat.folded]
    if len(live) < 2 or len(state.board) != BOARD:
        return []
    return [
        ShowdownHand(
            seat.seat,
            variant.name,
            seat.cards,
            state.board,
            variant.high(seat.cards, state.board),
            is_shown=seat.shown == seat.cards or seat.seat not in state.closed_losers,
        )
        for seat in live
    ]


def names_hand(name: str) -> bool:
    """Return whether some hand has that name, in the words of `tables.engine.notation`."""
    return _least(name) is not None


def least_strength(name: str) -> int:
    """Return the strength of the weakest hand of that name."""
    least = _least(name)
    assert least is not None, "no hand of that name"
    return least


@cache
def _least(name: str) -> int | None:
    strengths = (strength for strength in range(1, BEST + 1) if _matches(made(strength), name))
    return next(strengths, None)


def _matches(word: str, name: str) -> bool:
    """Return whether the name of a strength begins with `name` and means that hand."""
    category, _, ranks = name.partition(":")
    found, _, found_ranks = word.partition(":")
    return category == found and found_ranks.startswith(ranks)
