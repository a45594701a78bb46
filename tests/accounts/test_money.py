"""Amounts as text and back, exact to the cent."""

from __future__ import annotations

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from accounts import money


@pytest.mark.parametrize(
    ("amount", "english", "german"),
    [
        (0, "0.00", "0,00"),
        (5, "0.05", "0,05"),
        (-5, "-0.05", "-0,05"),
        (1_050, "10.50", "10,50"),
        (123_456_789, "1,234,567.89", "1.234.567,89"),
        (-(10**17) - 1, "-1,000,000,000,000,000.01", "-1.000.000.000.000.000,01"),
    ],
)
def test_an_amount_is_written_as_its_reader_writes_it(
    amount: int, english: str, german: str
) -> None:
    with translation.override("en"):
        assert money.text(amount) == english
    with translation.override("de"):
        assert money.text(amount) == german


@pytest.mark.parametrize(
    ("part", "whole", "english", "german"),
    [
        (0, 10_000, "0", "0"),
        (250, 10_000, "2.5", "2,5"),
        (1_000, 10_000, "10", "10"),
        (5, 100_000, "0.005", "0,005"),
        (100_000, 100_000, "100", "100"),
    ],
)
def test_a_share_is_written_as_its_reader_writes_it(
    part: int, whole: int, english: str, german: str
) -> None:
    with translation.override("en"):
        assert money.percent(part, whole) == english
    with translation.override("de"):
        assert money.percent(part, whole) == german


@pytest.mark.parametrize(
    ("typed", "amount"), [("10", 1_000), ("10.5", 1_050), ("10,05", 1_005), (" 0.01 ", 1)]
)
def test_typed_amounts_are_parsed(typed: str, amount: int) -> None:
    assert money.parse(typed) == amount


@pytest.mark.parametrize(
    "typed",
    ["", "-1", "+1", "1.005", "1e3", "1,000.00", "1.", ".5", "ten", "１０", "9" * 14, "1 0"],
)
def test_invalid_amounts_are_refused(typed: str) -> None:
    assert money.parse(typed) is None


@given(st.integers(0, 10**12))
def test_every_amount_reads_back(amount: int) -> None:
    with translation.override("en"):
        assert money.parse(money.text(amount).replace(",", "")) == amount
