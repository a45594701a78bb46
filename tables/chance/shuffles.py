"""The seven tests of GLI-19 chapter 3 on decks, each with an exact or normal distribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import comb, factorial, sqrt
from typing import NamedTuple

from tables.chance.probabilities import chi_square_tail, fit, normal_tails, poisson_tails

CARDS = 52
SUITS = 4
CONFIDENCE = 0.99
"""Confidence of all tests together: each may fail at a seventh of what is left."""

_CHUNK = 10_000
_MIDDLE = (CARDS - 1) / 2
_SQUARES = sum((card - _MIDDLE) ** 2 for card in range(CARDS))
_DRAWN = 5
"""Cards from the top that two decks must share to count as a duplicate."""


class ShuffleResult(NamedTuple):
    """A test: its name, its statistic, and the chance of one as far out."""

    name: str
    statistic: float
    chance: float

    @property
    def holds(self) -> bool:
        """Return whether the test holds at the common confidence of all seven."""
        return self.chance >= (1 - CONFIDENCE) / len(TESTS)


TESTS = (
    "total distribution",
    "overlaps",
    "coupon collector",
    "runs",
    "interplay correlation",
    "serial correlation",
    "duplicates",
)


class Shuffles:
    """Counts of decks, added one by one as bytes of card numbers."""

    def __init__(self) -> None:
        self.decks = 0
        self._waiting: list[bytes] = []
        self._places = [[0] * CARDS for _ in range(CARDS)]
        self._pairs: Counter[bytes] = Counter()
        self._equal_suits = 0
        self._complete = [0] * (CARDS + 1)
        self._descents = [0] * CARDS
        self._serial = 0.0
        self._last: bytes | None = None
        self._tops: Counter[bytes] = Counter()

    def add(self, deck: bytes) -> None:
        """Count a deck of 52 card numbers in the order of dealing."""
        self._waiting.append(deck)
        if len(self._waiting) >= _CHUNK:
            self._count()

    def add_all(self, decks: Iterable[bytes]) -> Shuffles:
        """Count all decks and return the counts."""
        for deck in decks:
            self.add(deck)
        return self

    def _count(self) -> None:
        decks, self._waiting = self._waiting, []
        self.decks += len(decks)
        whole = b"".join(decks)
        for place in range(CARDS):
            row = self._places[place]
            for card, count in Counter(whole[place::CARDS]).items():
                row[card] += count
        for deck in decks:
            self._pairs[deck[:2]] += 1
            self._tops[deck[:_DRAWN]] += 1
            suits = deck.translate(_SUITS)
            self._equal_suits += sum(map(int.__eq__, suits, suits[1:]))
            self._complete[max(map(suits.index, range(SUITS))) + 1] += 1
            self._descents[sum(map(int.__gt__, deck, deck[1:]))] += 1
            if self._last is not None:
                products = sum(map(int.__mul__, deck, self._last))
                self._serial += products - CARDS * _MIDDLE**2
            self._last = deck

    def results(self) -> list[ShuffleResult]:
        """Return the result of each test, in the order of `TESTS`."""
        self._count()
        return list(self._results())

    def _results(self) -> Iterator[ShuffleResult]:
        decks = self.decks
        # 1. Every card lies at every place as often: rows and columns have fixed sums.
        wanted = decks / CARDS
        squares = sum((seen - wanted) ** 2 for row in self._places for seen in row)
        statistic = squares / wanted * (CARDS - 1) / CARDS
        yield ShuffleResult(TESTS[0], statistic, chi_square_tail(statistic, (CARDS - 1) ** 2))
        # 2. Overlapping pairs of neighbours of one suit.
        mean, variance = _equal_suits()
        score = (self._equal_suits - decks * mean) / sqrt(decks * variance)
        yield ShuffleResult(TESTS[1], score, normal_tails(score))
        # 3. Cards until all four suits were seen.
        chance = fit(self._complete, _completions())
        average = sum(at * count for at, count in enumerate(self._complete)) / decks
        yield ShuffleResult(TESTS[2], average, chance)
        # 4. Rising runs in a deck, one more than its descents.
        average = sum((at + 1) * count for at, count in enumerate(self._descents)) / decks
        yield ShuffleResult(TESTS[3], average, fit(self._descents, _eulerian()))
        # 5. The first two cards together.
        wanted = decks / (CARDS * (CARDS - 1))
        seen = sum((count - wanted) ** 2 for count in self._pairs.values()) / wanted
        missing = CARDS * (CARDS - 1) - len(self._pairs)
        statistic = seen + missing * wanted
        chance = chi_square_tail(statistic, CARDS * (CARDS - 1) - 1)
        yield ShuffleResult(TESTS[4], statistic, chance)
        # 6. One deck and the next: their products have mean zero and are not correlated.
        variance = _SQUARES**2 / (CARDS - 1)
        score = self._serial / sqrt(max(1, decks - 1) * variance)
        yield ShuffleResult(TESTS[5], score, normal_tails(score))
        # 7. Pairs of decks with the same five cards on top.
        ways = factorial(CARDS) // factorial(CARDS - _DRAWN)
        pairs = sum(comb(count, 2) for count in self._tops.values())
        yield ShuffleResult(TESTS[6], pairs, poisson_tails(pairs, comb(decks, 2) / ways))


_SUITS = bytes(card % SUITS for card in range(256))


def _equal_suits() -> tuple[float, float]:
    """Return mean and variance of the neighbours of one suit in a deck."""
    one = 12 / 51
    chained = one * 11 / 50
    apart = one * (11 * 10 + 39 * 12) / (50 * 49)
    neighbours = CARDS - 1
    touching = neighbours - 1
    others = comb(neighbours, 2) - touching
    variance = (
        neighbours * one * (1 - one)
        + 2 * touching * (chained - one**2)
        + 2 * others * (apart - one**2)
    )
    return neighbours * one, variance


def _completions() -> list[float]:
    """Return the chance that the last suit appears with each card."""
    seen = [
        sum((-1) ** none * comb(SUITS, none) * comb(CARDS - 13 * none, drawn) for none in range(5))
        / comb(CARDS, drawn)
        for drawn in range(CARDS + 1)
    ]
    return [0.0, *(after - before for before, after in pairwise(seen))]


def _eulerian() -> list[float]:
    """Return the chance of each number of descents in a random order."""
    row = [1]
    for length in range(2, CARDS + 1):
        longer = [0] * length
        for at in range(length):
            stays = (at + 1) * row[at] if at < len(row) else 0
            adds = (length - at) * row[at - 1] if at else 0
            longer[at] = stays + adds
        row = longer
    whole = factorial(CARDS)
    return [count / whole for count in row]
