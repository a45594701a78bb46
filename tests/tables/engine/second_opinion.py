"""Random hands in both engines."""

from __future__ import annotations

from random import Random

from tables.engine.state import HandSetup
from tables.second_opinion.comparing import Compared
from tables.second_opinion.comparing import compare as compare_chosen
from tests.tables.engine.random_hands import random_action


def compare(random: Random, setup: HandSetup) -> Compared:
    """Play one random hand in both engines; raises Disagreement."""
    return compare_chosen(setup, lambda _, option: random_action(random, option))
