"""Free texts that people read: ordinary ones are kept, hidden signs and towers are refused."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.inputs.readable import MARKS_MAX, is_readable, is_readable_line, normal_text


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("Every Friday\nat eight\t👩‍🌾", True),
        ("naïve café", True),
        ("שָׁלוֹם می\u200cخواهم", True),
        ("a\u202eb", False),
        ("a\u200bb", False),
        ("a\x00b", False),
        ("a\u2028b", False),
        ("\u3164", False),
        ("a\u2065b", False),
        ("a\ufff8b", False),
        ("a\U000e0fffb", False),
        ("\U0001d159", False),
        ("z" + "\u0300" * (MARKS_MAX + 1), False),
        ("\u0300", False),
        ("\ud800", False),
    ],
)
def test_a_text_has_no_hidden_signs(text: str, readable: bool) -> None:
    assert is_readable(normal_text(text)) is readable


@given(st.text())
def test_a_readable_text_has_no_control_and_no_change_of_direction(text: str) -> None:
    if is_readable(text):
        kinds = {unicodedata.category(one) for one in text if one not in "\n\r\t\u200c\u200d"}
        assert not kinds & {"Cc", "Cf", "Cs", "Co"}


@pytest.mark.parametrize("sign", ["\n", "\r", "\t"])
def test_a_name_stands_on_one_line(sign: str) -> None:
    assert is_readable_line("Friday at eight")
    assert is_readable(f"Friday{sign}at eight")
    assert not is_readable_line(f"Friday{sign}at eight")
