"""Ratings of contestants from the places of their games (Weng and Lin, by Plackett and Luce)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

CAUTION = 3.0
"""Standard deviations below the mean at which a rating is ranked."""


class Rating(NamedTuple):
    """Belief about a contestant's strength: mean and standard deviation, after some games."""

    mu: float
    sigma: float
    games: int = 0

    @property
    def ordinal(self) -> float:
        """Strength that the contestant has almost surely."""
        return self.mu - CAUTION * self.sigma


class Ratings:
    """Ratings of all contestants, and the course of each."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._now: dict[str, Rating] = {}
        self.history: dict[str, list[Rating]] = {}

    def of(self, name: str) -> Rating:
        """Return the rating of a contestant, that of a newcomer before its first game."""
        return self._now.get(name) or Rating(self._model.mu, self._model.sigma)

    def rate(self, places: Mapping[str, float]) -> None:
        """Take in a game: contestants with their places, equal ones for a tie."""
        names: Sequence[str] = sorted(places)
        before = [self.of(name) for name in names]
        teams = [[self._model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
        rated = self._model.rate(teams, ranks=[places[name] for name in names])
        for name, old, (new,) in zip(names, before, rated, strict=True):
            self._now[name] = Rating(new.mu, new.sigma, old.games + 1)
            self.history.setdefault(name, []).append(self._now[name])

    def ranking(self) -> list[str]:
        """Return the contestants, the strongest first."""
        return sorted(self._now, key=lambda name: (-self._now[name].mu, name))
