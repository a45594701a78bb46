"""The time of a world whose clock was set back."""

from __future__ import annotations

from tests.simulation.laws.set_backs import elapsed_ms, readings

JUMPS = [(100, 40), (200, -50), (180, -20)]
"""An outage of 40 ms, then two jumps back: to 150 and to 160."""


def test_elapsed_time_goes_on_where_the_clock_jumps_back() -> None:
    assert elapsed_ms(90, []) == 90
    assert elapsed_ms(200, JUMPS[:1]) == elapsed_ms(150, JUMPS[:2]) == 200
    assert elapsed_ms(180, JUMPS[:2]) == elapsed_ms(160, JUMPS) == 230


def test_a_reading_means_each_time_at_which_the_clock_showed_it() -> None:
    assert readings(120, JUMPS) == [120]
    assert readings(155, JUMPS) == [155, 205]
    assert readings(170, JUMPS) == [170, 220, 240]
    assert readings(190, JUMPS) == [190, 260]
    assert readings(300, JUMPS) == [370]
