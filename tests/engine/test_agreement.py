"""A second implementation plays the same random hands, decision by decision."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine import differences
from tests.engine.agreement import GAMES, agree, random_game
from tests.engine.second_opinion import compare

HANDS = 20_000
PARTS = 4
NAMES = {name for name in vars(differences).values() if isinstance(name, str) and "(" in name}


@pytest.mark.parametrize("part", range(PARTS))
def test_twenty_thousand_hands_agree_or_part_for_a_named_reason(part: int) -> None:
    found = agree(range(part, HANDS, PARTS))
    assert found.agreed + found.parted.total() == HANDS // PARTS
    assert found.agreed > HANDS // PARTS * 0.8
    assert found.decisions > HANDS // PARTS * 4
    assert set(found.games) == set(GAMES)
    assert set(found.parted) <= NAMES
    assert len(found.parted) >= 8


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(random=st.randoms(use_true_random=False))
def test_hands_that_hypothesis_can_shrink_agree(random: Random) -> None:
    compared = compare(random, random_game(random))
    assert compared.parted is None or compared.parted in NAMES
