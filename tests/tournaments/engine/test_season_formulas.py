"""Formulas of points: known answers, fair presets, and no hostile text that hurts."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import limits
from tournaments.seasons.engine.expression import parse_formula
from tournaments.seasons.engine.formulas import (
    PRESETS,
    points_by_place,
    preset_of,
    preview,
    rewards_worse_places,
    validate_formula,
)
from tournaments.seasons.engine.refusals import BadFormula

GOLDEN = Path(__file__).parents[2] / "golden" / "season_points.json"

REFUSED = {
    "": "A formula is needed.",
    "   ": "A formula is needed.",
    "1 / (place - 5)": "The formula has no value at place 5 of 6, buy-in 0.00.",
    "1 / 0": "The formula has no value at place 1 of 1, buy-in 0.00.",
    "0 ^ 0": "The formula has no value at place 1 of 1, buy-in 0.00.",
    "sqrt(0 - place)": "The formula has no value at place 1 of 1, buy-in 0.00.",
    "log10(buy_in)": "The formula has no value at place 1 of 1, buy-in 0.00.",
    "field ^ 99": "An exponent of a formula is between -10 and 10.",
    "9 ^ 9 ^ 9": "“^” is not expected here in a formula.",
    "((9 ^ 9) ^ 9) ^ 9": "The formula exceeds 1000000000000 at place 1 of 1, buy-in 0.00.",
    "10 ^ 7": "The formula gives more than 1000000 points for one place.",
    "999999999999999": "A number of a formula has at most 12 digits.",
    "(" * 13 + "1" + ")" * 13: "A formula has at most 12 brackets within each other.",
    "1" + "+1" * 99: "A formula has at most 140 numbers, names and signs.",
    "+".join(["3^.3"] * 9): "A formula has at most 8 powers and logarithms.",
    "max(" + ",".join(["log10(place)"] * 9) + ")": "A formula has at most 8 powers and logarithms.",
    "1" * 201: "A formula has at most 200 characters.",
    "__import__('os')": "“'” is not expected here in a formula.",
    "place.real": "“.” is not expected here in a formula.",
    "place place": "“place” is not expected here in a formula.",
    "1e9": "“e9” is not expected here in a formula.",
    "sqrt": "“sqrt” is unknown in a formula.",
    "while(1)": "“while” is unknown in a formula.",
    "points + 1": "“points” is unknown in a formula.",
    "min(1)": "min takes 2 to 10 arguments in a formula.",
    "if(1, 2)": "if takes 3 to 3 arguments in a formula.",
    "1 < 2 < 3": "“<” is not expected here in a formula.",
    "sqrt(field": "The formula ends too early.",
    "1,5": "“,” is not expected here in a formula.",
}


def test_presets_give_the_points_of_the_golden_file() -> None:
    known = json.loads(GOLDEN.read_text())
    assert set(known) == {*PRESETS, *REAL_LEAGUES}
    for name, tables in known.items():
        formula = PRESETS.get(name) or REAL_LEAGUES[name]
        for key, points in tables.items():
            field, buy_in = map(int, key.split(" entries, buy-in "))
            assert [str(value) for value in preview(formula, field, buy_in)] == points, (name, key)


REAL_LEAGUES = {
    "top_half_and_bonus": "if(place <= ceil(field/2), field - place + 1, 0) + if(place = 1, 5, 0)",
    "percent_of_field": "round(100 * (field - place) / max(field - 1, 1))",
}


@pytest.mark.parametrize(("text", "words"), REFUSED.items(), ids=range(len(REFUSED)))
def test_hostile_formulas_are_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(BadFormula) as refused:
        validate_formula(text)
    assert str(refused.value).startswith(words)
    assert (refused.value.code, refused.value.field) == ("bad_formula", "formula")


def test_signs_bind_as_in_school() -> None:
    for text, value in {
        "1 + 2 * 3": "7", "(1 + 2) * 3": "9", "10 - 2 - 3": "5", "16 / 4 / 2": "2",
        "20 - 2 ^ 2": "16", "2 ^ -1": "0.5", "--3": "3", "0.1 + 0.2": "0.3", "max(1, 2, 3)": "3",
        "floor(1.9) + ceil(1.1) + round(2.5)": "6", "if(place = 1, 8, 1 / (place - 1))": "8",
    }.items():  # fmt: skip
        assert points_by_place(text, 1, 0) == (Decimal(value),), text


def test_sums_are_exact_where_floats_are_not() -> None:
    text = "+".join(["0.1"] * 10)
    assert points_by_place(text, 1, 0) == (Decimal(1),)
    assert sum([0.1] * 10) != 1


def test_a_place_without_a_value_is_worth_nothing_and_harms_no_other() -> None:
    assert points_by_place("12 / (place - 777)", 778, 0)[776] == 0
    assert points_by_place("place - 3", 4, 0) == tuple(map(Decimal, (0, 0, 0, 1))), "never below 0"
    assert points_by_place("place * 900000", 2, 0) == (Decimal(900_000), Decimal(limits.POINTS_MAX))


def test_formulas_that_reward_worse_places_are_named() -> None:
    assert rewards_worse_places(preview("place", 5, 0)) == 2
    assert rewards_worse_places(preview("if(place = 4, 9, 0)", 5, 0)) == 4
    assert rewards_worse_places(preview("1", 5, 0)) is None


def test_previews_fill_no_memory() -> None:
    kept = points_by_place.cache_info().currsize
    for field in range(1, 20):
        assert len(preview("2^.3 + place", field, 0)) == field
    assert points_by_place.cache_info().currsize == kept


def test_presets_are_known_by_their_text() -> None:
    assert [preset_of(text) for text in PRESETS.values()] == list(PRESETS)
    assert preset_of("1") == ""


@given(
    st.sampled_from(list(PRESETS.values())),
    st.integers(1, 3_000),
    st.integers(0, 10_000_00),
)
def test_presets_never_reward_a_worse_place(formula: str, field: int, buy_in: int) -> None:
    points = points_by_place(formula, min(field, 200), buy_in)
    assert all(better >= worse >= 0 for better, worse in pairwise(points))


@given(st.sampled_from(["linear", "square_root", "weighted"]), st.integers(1, 500))
def test_a_larger_field_is_worth_more(name: str, field: int) -> None:
    fewer, more = (points_by_place(PRESETS[name], entries, 100) for entries in (field, field + 1))
    assert all(one < other for one, other in zip(fewer, more, strict=False))


WORDS = [
    *("place", "field", "buy_in", "sqrt(", "if(", "table(", "min(", "log10(", ")", "(", ","),
    *("+", "-", "*", "/", "^", "<", "=", ">=", "0", "1", "2.5", "999999", " ", ".", "é", "x"),
]


@given(st.lists(st.sampled_from(WORDS), max_size=60).map("".join))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    try:
        parse_formula(text)
    except BadFormula:
        with pytest.raises(BadFormula):
            validate_formula(text)
        return
    points = points_by_place(text, 9, 1_000)
    assert all(0 <= value <= limits.POINTS_MAX for value in points)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        points = preview(text, 3, 0)
    except BadFormula:
        points = ()
    assert len(points) in (0, 3)
