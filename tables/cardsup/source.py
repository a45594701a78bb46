"""Sources of cards-up streams: what the director of a game says about its own hands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import msgspec

from tables.cardsup.events import Featured
from tables.dealer.record import HandRecord
from tables.engine.events import Event


class RetellingTerms(msgspec.Struct, frozen=True):
    """Delay of one hand in ms, and the seats whose cards stay hidden."""

    delay_ms: int
    hidden: frozenset[int] = frozenset()


class FeaturedTable(msgspec.Struct, frozen=True):
    """The featured table of a game and the reason for it."""

    table: int
    reason: Featured


class CardsUpSource(Protocol):
    """Answers of a director about its games with cards-up streams."""

    def games(self) -> Collection[int]:
        """Return the games whose hands are told again now, or are not told to their end."""

    def terms(self, game: int, hand: HandRecord) -> RetellingTerms | None:
        """Return the terms of a hand; None when the hands of this game are not told again."""

    def delay_ms(self, game: int) -> int:
        """Return the present delay of a game in ms, for clients that wait."""

    def featured(self, game: int, told: Mapping[int, int]) -> Sequence[FeaturedTable]:
        """Return the tables to feature among these, the best one first; a few are enough.

        `told` has the biggest stack of each in chips as viewers know it: stacks of now would betray
        hands that are not told yet.
        """

    def facts(self, game: int, at_ms: int, due_ms: int) -> Event:
        """Return what is known of the field of a game now, to be told at `due_ms`."""

    def viewers(self, game: int, users: Collection[int | None]) -> set[int] | None:
        """Return which of these users may follow the streams of a game; None for everybody.

        Raises NoSuchStream for a game whose hands are not told again.
        """


_sources: dict[str, CardsUpSource] = {}


def register(director: str, source: CardsUpSource) -> None:
    """Register the source of the games of a director; those without one have no such streams."""
    assert director not in _sources, director
    _sources[director] = source


def of(director: str) -> CardsUpSource | None:
    """Return the source of a director, None without cards-up streams (ring games)."""
    return _sources.get(director)


def every() -> dict[str, CardsUpSource]:
    """Return all sources by the names of their directors."""
    return dict(_sources)
