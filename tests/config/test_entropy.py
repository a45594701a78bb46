"""Shuffles are fair and keep every card."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import SystemRandom

from hypothesis import given
from hypothesis import strategies as st

from config import entropy


def test_play_is_shuffled_by_the_operating_system() -> None:
    assert isinstance(entropy.system(), SystemRandom)


@given(st.lists(st.integers()), st.integers())
def test_a_shuffle_keeps_every_card(items: list[int], seed: int) -> None:
    assert Counter(entropy.shuffled(items, entropy.seeded(seed))) == Counter(items)


def test_the_same_seed_gives_the_same_deck() -> None:
    assert entropy.shuffled(range(52), entropy.seeded(7)) == entropy.shuffled(
        range(52), entropy.seeded(7)
    )


def test_every_order_is_equally_likely() -> None:
    chance = entropy.seeded(20_261_121)
    draws = 24_000
    seen = Counter(entropy.shuffled("abcd", chance) for _ in range(draws))
    expected = draws / 24
    chi_square = sum((seen[order] - expected) ** 2 / expected for order in permutations("abcd"))
    assert set(seen) == set(permutations("abcd"))
    # 23 degrees of freedom: above 49.7 once in a thousand fair tries; the seed is fixed.
    assert chi_square < 49.7
