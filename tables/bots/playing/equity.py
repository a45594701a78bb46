"""Chance to win in any game, estimated by dealing the unknown cards at random a few times."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tables.engine.variants import VARIANTS, Variant

SAMPLES = 16


def equity(
    variant: str, cards: Sequence[str], board: Sequence[str], opponents: int, chance: Random
) -> float:
    """Share of the pot against `opponents` independent random hands."""
    game = VARIANTS[variant]
    known = {*cards, *board}
    unseen = [card for card in game.deck if card not in known]
    hand = sum(street.down + street.up for street in game.streets)
    common = sum(street.board for street in game.streets)
    own_missing, board_missing = hand - len(cards), common - len(board)
    won = 0.0
    for _ in range(SAMPLES):
        drawn = chance.sample(unseen, own_missing + board_missing + hand)
        own = (*cards, *drawn[:own_missing])
        whole = (*board, *drawn[own_missing : own_missing + board_missing])
        won += _won(game, own, tuple(drawn[own_missing + board_missing :]), whole)
    return float((won / SAMPLES) ** max(1, opponents))


def _won(
    game: Variant, own: tuple[str, ...], other: tuple[str, ...], board: tuple[str, ...]
) -> float:
    """Share of the pot of one hand against another: the high, or half each for high and low."""
    high = _share(game.high(own, board), game.high(other, board))
    if game.low is None:
        return high
    low, other_low = game.low(own, board), game.low(other, board)
    if not low and not other_low:
        return high
    return (high + _share(low, other_low)) / 2


def _share(own: int, other: int) -> float:
    return 1.0 if own > other else 0.5 if own == other else 0.0
