"""Run of a ladder: Sit & Gos of changing contestants until the number of games is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from tournaments.bot_ladder.contestants import Contestant
from tournaments.bot_ladder.game import LadderGame, options
from tournaments.bot_ladder.rating import Ratings
from tournaments.duplicates.rotation import mean_places, rotated

HISTORY_POINTS = 50
"""Most points of a contestant's course in the report."""


class Ladder:
    """Games of a ladder in one process; with `duplicate` each deal is played from every seat.

    A duplicated game counts once, by the mean of each contestant's places.
    """

    def __init__(
        self, bots: Sequence[Contestant], *, seats: int, seed: int, duplicate: bool = False
    ) -> None:
        assert 2 <= seats <= len(bots), "a game has contestants for all seats"
        self.bots = list(bots)
        self.ratings = Ratings()
        self.hands = 0
        self.games = 0
        self._seats, self._seed, self._duplicate = seats, seed, duplicate
        self._terms = options(seats)
        self._lot = Random(seed)  # nosec B311

    def run(self, games: int, progress: Callable[[int], None] = lambda played: None) -> None:
        """Play so many games, those of a duplicate counted each, and rate them."""
        while self.games < games:
            seated = self._lot.sample(self.bots, self._seats)
            deal = self._lot.randrange(2**63)
            played = [self._play(seats, deal) for seats in self._rotations(seated)]
            self.ratings.rate(mean_places(played))
            progress(self.games)

    def _rotations(self, seated: list[Contestant]) -> Iterator[list[Contestant]]:
        for shift in range(len(seated) if self._duplicate else 1):
            yield rotated(seated, shift)

    def _play(self, seats: list[Contestant], deal: int) -> dict[str, int]:
        game = LadderGame(seats, deal, self._terms)
        game.run()
        self.games += 1
        self.hands += game.field.hands
        places = {bot.name: place for bot, place in zip(seats, game.places(), strict=True)}
        for bot in seats:
            bot.games += 1
            bot.wins += places[bot.name] == 1
            bot.places.append(places[bot.name])
        return places

    def report(self) -> dict[str, Any]:
        """Return the table of the ladder as one JSON object, the strongest first."""
        by_name = {bot.name: bot for bot in self.bots}
        rows = []
        for name in self.ratings.ranking():
            bot, rating = by_name[name], self.ratings.of(name)
            course = self.ratings.history[name]
            step = -(-len(course) // HISTORY_POINTS)
            rows.append(
                {
                    "bot": name,
                    "mu": round(rating.mu, 3),
                    "sigma": round(rating.sigma, 3),
                    "games": bot.games,
                    "wins": bot.wins,
                    "mean_place": round(sum(bot.places) / bot.games, 3),
                    "decisions": bot.decisions,
                    "crashes": bot.crashes,
                    "history": [
                        [round(point.mu, 2), round(point.sigma, 2)] for point in course[::step]
                    ],
                }
            )
        return {
            "games": self.games,
            "hands": self.hands,
            "seats": self._seats,
            "seed": self._seed,
            "duplicate": self._duplicate,
            "ladder": rows,
        }
