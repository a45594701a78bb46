"""Cheats of a room that holds all keys, each with the check that must find it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tables.engine.cards import DECK
from tables.fairness import leaves
from tables.fairness.positions import dealt_positions
from tests.tables.fairness.forger import Forger

SEEDS = range(200)
OTHER_KEY = bytes([9]) * 32
"""Private key of somebody else."""


class Cheat(NamedTuple):
    """A forged proof and the code of the check that must find it."""

    code: str
    forge: Callable[[], dict[str, Any]]


CHEATS: dict[str, Cheat] = {}


def found_by(code: str) -> Callable[[Callable[[], dict[str, Any]]], Callable[[], dict[str, Any]]]:
    """Register a cheat under its function's name."""

    def register(forge: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
        CHEATS[forge.__name__] = Cheat(code, forge)
        return forge

    return register


def showdown(*, variant: str = "holdem", seats: int = 5) -> Forger:
    """A hand with all streets, shown cards of another seat, and a fold of another seat."""
    for seed in SEEDS:
        forger = Forger(seed, variant=variant, seats=seats)
        forger.forge()
        dealt = dealt_positions(forger.events)
        shown = [event["seat"] for event in forger.events if event["type"] == "cards_shown"]
        streets = sum(event["type"] == "street_dealt" for event in forger.events)
        whole = streets == (4 if variant == "stud" else 3)
        if whole and set(shown) - {forger.viewer} and dealt.folded - {forger.viewer}:
            return Forger(seed, variant=variant, seats=seats)
    raise AssertionError("no seed has such a hand")


def other_seat(forger: Forger) -> int:
    """The highest seat, which is not the viewer's."""
    return max(forger.seats)


def first(forger: Forger, kind: str) -> dict[str, Any]:
    """First event of a type."""
    return next(event for event in forger.events if event["type"] == kind)


def undealt(forger: Forger) -> str:
    """The last card of the deck, which no hand reaches."""
    return DECK[forger.deck.order[forger.cut[-1]]]


def void_in_play() -> Forger:
    """A hand that was void after its cards were dealt; forge it with `played=cut_short`."""
    forger = showdown()
    forger.fate, forger.reason = leaves.Fate.VOID_IN_PLAY, leaves.FateReason.MISSING_IN_REDIS
    return forger


def cut_short(forger: Forger) -> None:
    """End the course after the flop was dealt."""
    kinds = [event["type"] for event in forger.events]
    del forger.events[kinds.index("street_dealt") + 1 :]


def void_hand() -> Forger:
    """A hand that was void before the cards, with its secret published."""
    forger = Forger()
    forger.fate, forger.reason = leaves.Fate.VOID_BEFORE_CARDS, leaves.FateReason.REDIS_ADOPTED
    forger.public_secret = forger.secret
    return forger
