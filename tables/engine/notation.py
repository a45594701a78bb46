"""Names of made hands, as data that a page can translate.

`made` is a category and the ranks that name it: "high:A", "pair:K", "two_pair:KT", "three:7",
"straight:9" (its top card), "flush:A", "full_house:KT", "four:9", "straight_flush:9",
"royal_flush", and for a low all its ranks, "low:8543A". Ranks are those of a card, "T" for ten.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement

from tables.engine.cards import RANKS
from tables.engine.low_ranking import ranks_of
from tables.engine.ranking import any_five

WHEEL = frozenset("A2345")


def made(strength: int) -> str:
    """Return the name of a strength, e.g. "two_pair:KT" for kings and tens."""
    return _words()[strength]


def made_low(strength: int) -> str:
    """Return the name of a low by its strength; "" for none."""
    return f"low:{ranks_of(strength)}" if strength else ""


@cache
def _words() -> dict[int, str]:
    words: dict[int, str] = {}
    for ranks in combinations_with_replacement(reversed(RANKS), 5):
        if max(Counter(ranks).values()) < 5:
            words[any_five(_offsuit(ranks), ())] = _grouped(ranks)
    for ranks in combinations(reversed(RANKS), 5):
        words[any_five(tuple(rank + "s" for rank in ranks), ())] = _suited(ranks)
    return words


def _offsuit(ranks: tuple[str, ...]) -> tuple[str, ...]:
    seen: Counter[str] = Counter()
    cards = []
    for place, rank in enumerate(ranks):
        suit = "cdhs"[seen[rank]] if ranks.count(rank) > 1 else "cdhsc"[place]
        seen[rank] += 1
        cards.append(rank + suit)
    return tuple(cards)


def _grouped(ranks: tuple[str, ...]) -> str:
    counts = Counter(ranks).most_common()
    shape = tuple(count for _, count in counts)
    first, second = counts[0][0], counts[1][0]
    if shape == (4, 1):
        return f"four:{first}"
    if shape == (3, 2):
        return f"full_house:{first}{second}"
    if shape[0] == 3:
        return f"three:{first}"
    if shape[:2] == (2, 2):
        return f"two_pair:{first}{second}"
    if shape[0] == 2:
        return f"pair:{first}"
    top = _straight_top(ranks)
    return f"straight:{top}" if top else f"high:{first}"


def _suited(ranks: tuple[str, ...]) -> str:
    top = _straight_top(ranks)
    if top == "A":
        return "royal_flush"
    return f"straight_flush:{top}" if top else f"flush:{ranks[0]}"


def _straight_top(ranks: tuple[str, ...]) -> str:
    if frozenset(ranks) == WHEEL:
        return "5"
    highest, lowest = RANKS.index(ranks[0]), RANKS.index(ranks[-1])
    return ranks[0] if len(set(ranks)) == 5 and highest - lowest == 4 else ""
