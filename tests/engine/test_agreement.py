"""A second implementation plays the same random hands, decision by decision."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine import differences
from tests.engine.agreement import GAMES, agree, random_game
from tests.engine.second_opinion import compare

HANDS = 20_000


def test_twenty_thousand_hands_agree() -> None:
    found = agree(range(HANDS))
    assert sum(found.parted.values()) + found.agreed == HANDS
    assert found.agreed > HANDS * 0.8
    assert found.decisions > HANDS * 5
    assert set(found.games) == set(GAMES)


def test_every_named_difference_occurs() -> None:
    names = {name for word, name in vars(differences).items() if word.isupper()}
    assert isinstance(names, set) and len(names) >= 10


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(random=st.randoms(use_true_random=False))
def test_hands_that_shrink_agree(random: Random) -> None:
    compared = compare(random, random_game(random))
    assert compared.decisions >= 0
    assert compared.parted in {None, *Counter(vars(differences).values())}
