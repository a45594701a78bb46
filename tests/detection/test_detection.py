"""A short sample of `make detection`: planted colluders are found, and nobody else."""

from __future__ import annotations

from tests.detection.rates import PLANTED, interval, measured

SEEDS = range(1_007, 1_008)
HANDS = 2_000
"""A room in which each sign finds its colluder early, from 1,500 hands on; others need more."""
HONEST = 3


def test_planted_colluders_are_found_and_nobody_else() -> None:
    (counts,) = measured(SEEDS, (HANDS,), HONEST).values()
    found = {name: (count.false_alarms, count.hits) for name, count in counts.items()}
    assert {name: alarms for name, (alarms, _) in found.items()} == dict.fromkeys(PLANTED, 0)
    assert {name: hits for name, (_, hits) in found.items()} == dict.fromkeys(PLANTED, 1)
    assert all(count.innocent >= 8 for count in counts.values())


def test_intervals_hold_the_rate_and_are_wide_for_few_tries() -> None:
    assert interval(0, 0) == (0.0, 100.0)
    low, high = interval(0, 20)
    assert low == 0 and 15 < high < 17
    low, high = interval(50, 100)
    assert (round(low, 1), round(high, 1)) == (40.4, 59.6)
