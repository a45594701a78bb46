"""Seven tests of GLI-19 on a short sample of the room's decks, and on planted weak shuffles."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from tables.chance import probabilities
from tables.chance.shuffles import TESTS, Shuffles
from tests.bench.shuffles import judge
from tests.tables.chance.sampled_decks import decks

SAMPLE = 2_000


def test_a_short_sample_of_the_rooms_decks_passes_all_seven() -> None:
    results = judge(SAMPLE)
    assert tuple(result.name for result in results) == TESTS
    assert [result.name for result in results if not result.holds] == []


def test_the_same_seed_makes_the_same_decks_and_each_is_a_whole_deck() -> None:
    first, again = list(decks(b"a", 20)), list(decks(b"a", 20))
    assert first == again and len(set(first)) == 20
    assert all(sorted(deck) == list(range(52)) for deck in first)


def _fixed_sampler(random: Random) -> bytes:
    """A sampler that draws below the last place, so that no card stays in its place."""
    order = list(range(52))
    for last in range(51, 0, -1):
        place = random.randrange(last)
        order[last], order[place] = order[place], order[last]
    return bytes(order)


def _one_riffle(random: Random) -> bytes:
    """One riffle of a new deck: few rising runs."""
    cut = sum(random.random() < 0.5 for _ in range(52))
    left, right = list(range(cut)), list(range(cut, 52))
    order = []
    while left or right:
        take = random.random() * (len(left) + len(right)) < len(left)
        order.append((left if take else right).pop(0))
    return bytes(order)


def _few_seeds(random: Random) -> bytes:
    """A shuffle with 12 bits of seed."""
    order = list(range(52))
    Random(random.randrange(4_096)).shuffle(order)
    return bytes(order)


class _Sticky:
    """A shuffle that leaves a deck half as it was."""

    def __init__(self) -> None:
        self.order = list(range(52))

    def __call__(self, random: Random) -> bytes:
        some = random.sample(range(52), 20)
        cards = [self.order[at] for at in some]
        random.shuffle(cards)
        for at, card in zip(some, cards, strict=True):
            self.order[at] = card
        return bytes(self.order)


def _all_suits_first(random: Random) -> bytes:
    """A shuffle that puts the four aces on top, once in five times."""
    order = list(range(48))
    random.shuffle(order)
    if random.random() < 0.2:
        return bytes([48, 49, 50, 51, *order])
    whole = list(range(52))
    random.shuffle(whole)
    return bytes(whole)


def _suits_together(random: Random) -> bytes:
    """A shuffle that puts two cards of one suit side by side at one place."""
    order = list(range(52))
    random.shuffle(order)
    at = random.randrange(50)
    later = next((o for o in range(at + 1, 52) if order[o] % 4 == order[at] % 4), at)
    order[at + 1], order[later] = order[later], order[at + 1]
    return bytes(order)


@pytest.mark.parametrize(
    ("weak", "found"),
    [
        (_fixed_sampler, {"total distribution"}),
        (_one_riffle, {"runs", "overlaps", "interplay correlation"}),
        (_few_seeds, {"duplicates"}),
        (_Sticky(), {"serial correlation"}),
        (_suits_together, {"overlaps"}),
        (_all_suits_first, {"coupon collector"}),
    ],
    ids=["sampler", "riffle", "seeds", "sticky", "suits", "aces"],
)
def test_a_weak_shuffle_fails_its_tests(weak: Callable[[Random], bytes], found: set[str]) -> None:
    random = Random(7)
    results = Shuffles().add_all(weak(random) for _ in range(SAMPLE)).results()
    failed = {result.name for result in results if not result.holds}
    assert found <= failed


def test_tails_are_those_of_tables() -> None:
    # Critical values of common tables.
    for statistic, degrees, chance in [(3.841, 1, 0.05), (23.209, 10, 0.01), (124.342, 100, 0.05)]:
        assert probabilities.chi_square_tail(statistic, degrees) == pytest.approx(chance, rel=1e-3)
    assert probabilities.normal_tails(2.5758) == pytest.approx(0.01, rel=1e-3)
    assert probabilities.poisson_above(3, 1.0) == pytest.approx(0.0803, rel=1e-3)
    assert probabilities.binomial_above(8, 10, 0.5) == pytest.approx(56 / 1_024)
    assert probabilities.binomial_above(0, 10, 0.5) == 1.0
    assert probabilities.fit([50, 50], [0.5, 0.5]) == pytest.approx(1.0)
    assert probabilities.fit([80, 20], [0.5, 0.5]) < 1e-8
    assert probabilities.chi_square_tail(2_601, 2_601) == pytest.approx(0.496, abs=1e-3)
