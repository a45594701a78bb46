"""Games as data: the deal of each street, and the ranking of hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tables.engine import low_ranking, ranking
from tables.engine.cards import DECK
from tables.engine.events import Card, Street
from tables.engine.notation import made

LIMITS = ("no_limit", "pot_limit", "fixed_limit", "spread_limit")
"""All betting structures (B-01..B-04)."""

OMAHA_LIMITS = LIMITS[:3]

Strength = Callable[[tuple[Card, ...], tuple[Card, ...]], int]
"""Strength of the best hand from hole cards and board: more is better, 0 is none."""


class StreetDeal(NamedTuple):
    """Deal of one street: cards face down and face up to each seat, and cards to the board.

    `big` streets are played with the big bet of a fixed limit (B-03).
    """

    street: Street
    down: int = 0
    up: int = 0
    board: int = 0
    big: bool = False


class Variant(NamedTuple):
    """A game: streets, most seats, ranking of hands, and whether a seat brings in.

    `words` names a strength of `high` in the notation of made hands; `limits` are the betting
    structures offered with it (O-01, D-03).
    """

    name: str
    streets: tuple[StreetDeal, ...]
    seats_max: int
    high: Strength
    low: Strength | None = None
    brings_in: bool = False
    deck: tuple[Card, ...] = DECK
    words: Callable[[int], str] = made
    limits: tuple[str, ...] = LIMITS


def _board_streets(down: int) -> tuple[StreetDeal, ...]:
    return (
        StreetDeal("preflop", down=down),
        StreetDeal("flop", board=3),
        StreetDeal("turn", board=1, big=True),
        StreetDeal("river", board=1, big=True),
    )


def _omaha(name: str, down: int, high: Strength, low: Strength | None = None) -> Variant:
    """Return an Omaha game: ten seats with four cards, eight with five (O-01, O-02)."""
    seats_max = 10 if down == 4 else 8
    return Variant(name, _board_streets(down), seats_max, high, low, limits=OMAHA_LIMITS)


STUD_STREETS = (
    StreetDeal("third", down=2, up=1),
    StreetDeal("fourth", up=1),
    StreetDeal("fifth", up=1, big=True),
    StreetDeal("sixth", up=1, big=True),
    StreetDeal("seventh", down=1, big=True),
)

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant("holdem", _board_streets(2), 10, ranking.any_five),
        _omaha("omaha", 4, ranking.two_and_three),
        _omaha("omaha5", 5, ranking.two_and_three),
        _omaha("omaha5_house", 5, ranking.three_and_two),
        _omaha("omaha_hilo", 4, ranking.two_and_three, low_ranking.two_and_three),
        _omaha("omaha5_hilo", 5, ranking.two_and_three, low_ranking.two_and_three),
        Variant("stud", STUD_STREETS, 8, ranking.any_five, brings_in=True),
        Variant(
            "stud_hilo", STUD_STREETS, 8, ranking.any_five, low_ranking.any_five, brings_in=True
        ),
    )
}
