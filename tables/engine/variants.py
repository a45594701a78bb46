"""The games as data: what is dealt on each street, and how a hand is made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tables.engine import ranking
from tables.engine.events import Card, Street

High = Callable[[tuple[Card, ...], tuple[Card, ...]], int]
"""Strength of the best high hand from hole cards and board; more is better."""


class Deal(NamedTuple):
    """What one street deals: cards face down and face up to each seat, and to the board."""

    street: Street
    down: int = 0
    up: int = 0
    board: int = 0


class Variant(NamedTuple):
    """A game; `seats_max` seats are dealt in at most."""

    name: str
    streets: tuple[Deal, ...]
    seats_max: int
    high: High


BOARD_STREETS = (Deal("flop", board=3), Deal("turn", board=1), Deal("river", board=1))

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant("holdem", (Deal("preflop", down=2), *BOARD_STREETS), 10, ranking.any_five),
    )
}
