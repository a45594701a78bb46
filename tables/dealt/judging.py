"""Honest tests of the hole cards that one player was dealt (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Literal

import msgspec

from tables.chance import holes
from tables.dealt.figures import DealtFigures

TestName = Literal["ranks", "suits", "classes", "premium"]
Verdict = Literal["few", "holds", "seldom", "notice", "alarm"]

SELDOM = 0.01
"""Chance below which a result is seldom: one in a hundred players sees it in each test."""

TWO = 2
"""Hole cards of hold'em, the game whose pairs and best hands are judged."""

EXCESSES = (("premium", holes.PREMIUM_SHARE, 0.2), ("pairs", holes.CLASS_SHARES[0], 0.1))
"""Effects by name, share and excess, for which the page says how many hands show them."""

WITHIN = 1.96
"""Standard errors that hold 19 of 20 results."""


class CardTest(msgspec.Struct, frozen=True):
    """A test: how many `cases` it saw, and the chance of a result as far out as this one."""

    name: TestName
    cases: int
    chance: float
    verdict: Verdict


def judge(figures: Mapping[int, DealtFigures]) -> list[CardTest]:
    """Return the results of all tests, from figures by the number of hole cards."""
    return list(_judged(figures))


def expected_kind(figures: Mapping[int, DealtFigures], kinds: int) -> tuple[float, float]:
    """Return how often each of so many ranks or suits is expected, and its standard error."""
    mean = sum(one.hands * cards for cards, one in figures.items()) / kinds
    lost = 1 - 1 / kinds
    spread = sum(
        one.hands * cards / kinds * lost * (holes.CARDS - cards) / (holes.CARDS - 1)
        for cards, one in figures.items()
    )
    return mean, sqrt(spread)


def all_in_reach(figures: Mapping[int, DealtFigures]) -> float:
    """Return how far apart in big blinds won and due are by chance alone in 19 of 20 cases."""
    return WITHIN * sqrt(sum(one.spread for one in figures.values())) / 100


def _judged(figures: Mapping[int, DealtFigures]) -> Iterator[CardTest]:
    cards = sum(one.hands * number for number, one in figures.items())
    for name, kinds in (("ranks", holes.RANKS), ("suits", holes.SUITS)):
        groups = [
            (number, one.ranks if name == "ranks" else one.suits) for number, one in figures.items()
        ]
        is_few = max((one.hands * number for number, one in figures.items()), default=0) < 5 * kinds
        chance = holes.kinds_chance(groups)
        yield _result("ranks" if name == "ranks" else "suits", cards, chance, is_few=is_few)
    two = figures.get(TWO, DealtFigures())
    counts = (two.pairs, two.suited, two.hands - two.pairs - two.suited)
    is_few = two.hands * holes.CLASS_SHARES[0] < 5
    yield _result("classes", two.hands, holes.class_chance(counts), is_few=is_few)
    is_few = two.hands * holes.PREMIUM_SHARE < holes.CASES_MIN
    chance = holes.premium_chance(two.premium, two.hands)
    yield _result("premium", two.hands, chance, is_few=is_few)


def _result(name: TestName, cases: int, chance: float, *, is_few: bool) -> CardTest:
    return CardTest(name, cases, chance, "few" if is_few else _verdict(chance))


def _verdict(chance: float) -> Verdict:
    if chance < holes.ALARM:
        return "alarm"
    if chance < holes.NOTICE:
        return "notice"
    return "seldom" if chance < SELDOM else "holds"
