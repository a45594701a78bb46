"""Fixed family of tests on the decks that a room dealt, with the thresholds of fairness.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import exp, factorial, sqrt
from typing import NamedTuple

from tables.chance.holes import (
    ALARM,
    CLASSES,
    NOTICE,
    class_chance,
    hole_class,
    is_premium,
    premium_chance,
)
from tables.chance.probabilities import binomial_above, chi_square_tail, fit, normal_tails
from tables.chance.shuffles import CARDS

UNOPENED_SHARE = 0.005
"""Share of called pledges that may stay unopened, by lines that are lost."""

VOID_SHARE = 0.001
"""Share of hands that may become void, by faults."""

GROUPS = ("person", "bot", "staff")
_FIXED_MAX = 8


class DealtDeck(NamedTuple):
    """Deck of a played hand: cards and cut; two cards for each seat of hold'em by account group."""

    cards: bytes
    cut: bytes
    holes: tuple[tuple[int, str, bytes], ...]
    called: int
    unopened: int


class FamilyResult(NamedTuple):
    """A test of the family: name, how many cases it saw, its statistic, and the chance."""

    name: str
    cases: int
    statistic: float
    chance: float

    @property
    def verdict(self) -> str:
        """Return "alarm", "notice" or "holds"."""
        if self.chance < ALARM:
            return "alarm"
        return "notice" if self.chance < NOTICE else "holds"


class DealtCounts:
    """Counts of the decks of one period.

    `decks` were added; `played` and `void` are the ends of all called decks, burnt months included;
    hands are void in play or before their cards.
    """

    def __init__(self) -> None:
        self.decks = 0
        self.played = 0
        self.void = 0
        self._places: Counter[tuple[int, int]] = Counter()
        self._fixed = [0] * (_FIXED_MAX + 1)
        self._classes: Counter[str] = Counter()
        self._by_group: Counter[tuple[str, bool]] = Counter()
        self._serial: list[float] = []
        self._before: dict[int, float] = {}
        self._seen: set[bytes] = set()
        self._equal = 0
        self._called = 0
        self._unopened = 0

    def add(self, table: int, deck: DealtDeck) -> None:
        """Count a deck; decks of one table come in their order."""
        self.decks += 1
        self._places.update(enumerate(deck.cards))
        fixed = sum(place == at for at, place in enumerate(deck.cut))
        self._fixed[min(fixed, _FIXED_MAX)] += 1
        self._equal += deck.cards in self._seen
        self._seen.add(deck.cards)
        self._called += deck.called
        self._unopened += deck.unopened
        for seat, group, hole in deck.holes:
            self._classes[hole_class(hole)] += 1
            self._by_group[group, is_premium(hole)] += 1
            strength = (sum(card // 4 for card in hole) - 12) / sqrt(_RANKS_VARIANCE)
            known = self._before.get(table * 100 + seat)
            if known is not None:
                self._serial.append(known * strength)
            self._before[table * 100 + seat] = strength

    def results(self) -> Iterator[FamilyResult]:
        """Yield the result of each test that has cases."""
        if self.decks:
            yield from self._of_decks()
        if hands := self.played + self.void:
            chance = binomial_above(self.void, hands, VOID_SHARE)
            yield FamilyResult("void hands", hands, self.void / hands, chance)

    def _of_decks(self) -> Iterator[FamilyResult]:
        wanted = self.decks / CARDS
        squares = sum(
            (self._places[at, card] - wanted) ** 2 for at in range(CARDS) for card in range(CARDS)
        )
        statistic = squares / wanted * (CARDS - 1) / CARDS
        chance = chi_square_tail(statistic, (CARDS - 1) ** 2)
        yield FamilyResult("position by card", self.decks, statistic, chance)
        poisson = [exp(-1) / factorial(count) for count in range(_FIXED_MAX)]
        average = sum(count * seen for count, seen in enumerate(self._fixed)) / self.decks
        chance = fit(self._fixed, [*poisson, 1 - sum(poisson)])
        yield FamilyResult("fixed points of the cut", self.decks, average, chance)
        yield from self._of_holes()
        yield FamilyResult("equal decks", self.decks, self._equal, 0.0 if self._equal else 1.0)
        if self._called:
            chance = binomial_above(self._unopened, self._called, UNOPENED_SHARE)
            share = self._unopened / self._called
            yield FamilyResult("unopened pledges", self._called, share, chance)

    def _of_holes(self) -> Iterator[FamilyResult]:
        holes = self._classes.total()
        if not holes:
            return
        seen = [self._classes[name] for name in CLASSES]
        yield FamilyResult("classes of two cards", holes, seen[0] / holes, class_chance(seen))
        for group in GROUPS:
            good, others = self._by_group[group, True], self._by_group[group, False]
            if count := good + others:
                chance = premium_chance(good, count)
                yield FamilyResult(f"best hands of a {group}", count, good / count, chance)
        if len(self._serial) >= 100:
            score = sum(self._serial) / sqrt(len(self._serial))
            chance = normal_tails(score)
            yield FamilyResult("one hand and the next", len(self._serial), score, chance)


_RANKS_VARIANCE = 2 * 14 * (1 - 1 / 51)
"""Variance of the sum of two ranks, 0 to 12, of one deck."""
