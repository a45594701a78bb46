"""Comparison of many random hands in both engines: agreements, and named reasons of differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from tables.engine.events import AnteKind
from tables.engine.state import HandSetup
from tables.engine.variants import VARIANTS
from tables.second_opinion.comparing import Disagreement
from tests.tables.engine.random_hands import BLIND_GAMES, LIMITS, STUD_GAMES, random_setup
from tests.tables.engine.second_opinion import compare

GAMES = tuple((variant, limit) for variant in (*BLIND_GAMES, *STUD_GAMES) for limit in LIMITS)
OFTEN = {"holdem": 24, "omaha": 3, "omaha_hilo": 2, "stud": 3, "stud_hilo": 2}
"""Weight of a game in the draw; games that pokerkit ranks slowly have weight 1."""
WEIGHTS = [OFTEN.get(variant, 1) for variant, _ in GAMES]
ANTES: tuple[AnteKind, ...] = ("none", "per_seat", "big_blind")


class Agreement(NamedTuple):
    """Result of a comparison: common decisions, hands by game, and differing hands by name.

    `unexplained` are the seeds of hands that differ without a name, each with its description.
    """

    agreed: int
    decisions: int
    parted: Counter[str]
    games: Counter[tuple[str, str]]
    unexplained: tuple[tuple[int, str], ...]

    @property
    def hands(self) -> int:
        """Number of compared hands."""
        return self.games.total()

    def __add__(self, other: Agreement) -> Agreement:  # type: ignore[override]
        """Sum of both results."""
        return Agreement(
            self.agreed + other.agreed,
            self.decisions + other.decisions,
            self.parted + other.parted,
            self.games + other.games,
            (*self.unexplained, *other.unexplained),
        )


NOTHING = Agreement(0, 0, Counter(), Counter(), ())


def agree(seeds: Iterable[int]) -> Agreement:
    """Compare one hand for each seed."""
    agreed = decisions = 0
    parted: Counter[str] = Counter()
    games: Counter[tuple[str, str]] = Counter()
    unexplained: list[tuple[int, str]] = []
    for seed in seeds:
        random = Random(seed)
        setup = random_game(random)
        games[setup.rules.variant, setup.rules.limit] += 1
        try:
            compared = compare(random, setup)
        except Disagreement as told:
            unexplained.append((seed, str(told)))
            continue
        decisions += compared.decisions
        if compared.parted is None:
            agreed += 1
        else:
            parted[compared.parted] += 1
    return Agreement(agreed, decisions, parted, games, tuple(unexplained))


def random_game(random: Random) -> HandSetup:
    """A hand of any game and limit of pokerkit, two to nine seats, mostly few."""
    variant, limit = random.choices(GAMES, WEIGHTS)[0]
    return random_setup(
        random,
        variant=variant,
        limit=limit,
        seats=min(random.choice((2, 2, 3, 3, 4, 5, 6, 9)), VARIANTS[variant].seats_max),
        ante_kind="none" if limit == "fixed_limit" else random.choice(ANTES),
    )
