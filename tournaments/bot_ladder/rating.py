"""Ratings of contestants from the places of their games (Weng and Lin, by Plackett and Luce)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from openskill.models import PlackettLuce

CAUTION = 3.0
"""Standard deviations below the mean at which a rating is ranked."""

_MODEL = PlackettLuce()

Name = TypeVar("Name", int, str)


class Rating(NamedTuple):
    """Belief about a contestant's strength: mean and standard deviation, after some games."""

    mu: float
    sigma: float
    games: int = 0

    @property
    def ordinal(self) -> float:
        """Strength that the contestant has almost surely."""
        return self.mu - CAUTION * self.sigma


NEWCOMER = Rating(_MODEL.mu, _MODEL.sigma)
"""Rating of a contestant before its first game."""


def rated(before: Mapping[Name, Rating], places: Mapping[Name, float]) -> dict[Name, Rating]:
    """Return the ratings of all contestants of a game after it; equal places are a tie.

    Contestants without a rating are newcomers. One contestant alone proves nothing.
    """
    names = sorted(places)
    old = [before.get(name, NEWCOMER) for name in names]
    if len(names) < 2:
        return {
            name: one._replace(games=one.games + 1) for name, one in zip(names, old, strict=True)
        }
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in old]
    after = _MODEL.rate(teams, ranks=[places[name] for name in names])
    return {
        name: Rating(new.mu, new.sigma, one.games + 1)
        for name, one, (new,) in zip(names, old, after, strict=True)
    }


class Ratings:
    """Ratings of all contestants, and the course of each."""

    def __init__(self) -> None:
        self._now: dict[str, Rating] = {}
        self.history: dict[str, list[Rating]] = {}

    def of(self, name: str) -> Rating:
        """Return the rating of a contestant, that of a newcomer before its first game."""
        return self._now.get(name, NEWCOMER)

    def rate(self, places: Mapping[str, float]) -> None:
        """Take in a game: contestants with their places, equal ones for a tie."""
        for name, rating in rated(self._now, places).items():
            self._now[name] = rating
            self.history.setdefault(name, []).append(rating)

    def ranking(self) -> list[str]:
        """Return the contestants, the strongest first."""
        return sorted(self._now, key=lambda name: (-self._now[name].mu, name))
