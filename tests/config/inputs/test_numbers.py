"""Whole numbers from outside: accepted and rejected spellings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.inputs.numbers import DIGITS_MAX, whole


@given(st.integers(0, 10**DIGITS_MAX - 1))
def test_a_number_in_plain_digits_is_read(number: int) -> None:
    assert whole(str(number)) == number


@pytest.mark.parametrize("written", ["", " 1", "-1", "+1", "1.0", "1e3", "٣", "x", "9" * 5_000])
def test_nothing_else_is_a_number(written: str) -> None:
    assert whole(written) is None
