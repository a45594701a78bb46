"""Rules for player names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.names import allowed, fold, normal


@pytest.mark.parametrize("name", ["Ada", "jürgen", "Zoë-2", "a.b_c-d", "Straße", "0815", "ŁUKASZ"])
def test_letters_digits_and_single_marks_between_them_are_allowed(name: str) -> None:
    assert allowed(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a b",
        "-ada",
        "ada-",
        "a--b",
        "a._b",
        "<b>",
        "a\0b",
        "a\nb",
        "аda",
        "ad\u200ba",
        "😀😀😀",
    ],
)
def test_other_characters_are_refused(name: str) -> None:
    assert not allowed(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "aDA"),
        ("Straße", "STRASSE"),
        ("ＡＤＡ", "ada"),
        ("Jürgen", "JÜRGEN"),
        (" Ada ", "ada"),
    ],
)
def test_names_that_differ_in_spelling_only_are_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text(max_size=30))
def test_folding_is_stable_and_knows_every_case(name: str) -> None:
    assert fold(fold(name)) == fold(name)
    assert normal(normal(name)) == normal(name)
    if allowed(normal(name)):
        assert fold(name.swapcase()) == fold(name)
