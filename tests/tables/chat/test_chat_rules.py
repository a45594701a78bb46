"""Rules of a chat text: length, marks, directions, links and words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.inputs.readable import MARKS_MAX
from tables.chat import refusals
from tables.chat.refusals import ChatRefusal
from tables.chat.rules import (
    TEXT_MAX_CHARACTERS,
    ChatTerms,
    clean_text,
    fold_word,
    has_link,
)

TERMS = ChatTerms(words=frozenset(map(fold_word, ("Hornochse", "bad"))))


@pytest.mark.parametrize(
    "text",
    [
        "nice hand",
        "Glückwunsch! 1:0",
        "<b>gg</b> & <script>alert(1)</script>",
        "{{ 7*7 }} %(x)s {% now %}",
        "👍🏽 👨‍👩‍👧 ❤️ 🇩🇪",
        "tốt lắm, chơi hay quá",
        "यह अच्छा था",
        "שָׁלוֹם",
        "สวัสดีครับ",
        "ok... one more. To me it was 3.5 to 1. No way",
        "badminton is not bad-mouthing",
        "I call 10.000",
        "é" * TEXT_MAX_CHARACTERS,
        "\U0001fae8",
    ],
)
def test_readable_texts_are_kept_as_they_are(text: str) -> None:
    terms = ChatTerms(words=frozenset({"hornochse"}))
    assert clean_text(text, terms) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("  well \t played\n\r\n sir ", "well played sir"),
        ("e\u0301" * TEXT_MAX_CHARACTERS, "é" * TEXT_MAX_CHARACTERS),
        ("a\u3000b", "a b"),
    ],
)
def test_texts_are_composed_and_put_on_one_line(raw: str, text: str) -> None:
    assert clean_text(raw, TERMS) == text


@pytest.mark.parametrize(
    ("raw", "refusal"),
    [
        ("", refusals.EmptyText),
        (" \n\t ", refusals.EmptyText),
        ("x" * 201, refusals.TextTooLong),
        ("x" * 10_000, refusals.TextTooLong),
        ("z\u0300\u0301\u0302\u0303a", refusals.UnreadableText),
        ("q" + "\u0336" * 40, refusals.UnreadableText),
        ("\u0301alone", refusals.UnreadableText),
        ("q\u0336\u200d\u0336\u200d\u0336\u200d\u0336", refusals.UnreadableText),
        ("a\u20dd", refusals.UnreadableText),
        ("fold\u202ellac", refusals.UnreadableText),
        ("\u2066x\u2069", refusals.UnreadableText),
        ("\u200f", refusals.UnreadableText),
        ("a\u200bb", refusals.UnreadableText),
        ("\ufeffhello", refusals.UnreadableText),
        ("bell\x07", refusals.UnreadableText),
        ("nul\x00", refusals.UnreadableText),
        ("\x1b[31mred", refusals.UnreadableText),
        ("\u2028", refusals.UnreadableText),
        ("\u3164", refusals.UnreadableText),
        ("b\u2065ad", refusals.UnreadableText),
        ("b\U000e0080ad", refusals.UnreadableText),
        ("\U0001d159", refusals.UnreadableText),
        ("\ue000", refusals.UnreadableText),
        ("\ud800", refusals.UnreadableText),
        ("a\u200d\u200db", refusals.UnreadableText),
        ("\U000e0041", refusals.UnreadableText),
        ("see https://example.com", refusals.LinkRefused),
        ("HTTP://X", refusals.LinkRefused),
        ("www.example.museum", refusals.LinkRefused),
        ("example.com", refusals.LinkRefused),
        ("go to shop.example.co.uk/now", refusals.LinkRefused),
        ("example (dot) com", refusals.LinkRefused),
        ("ｅｘａｍｐｌｅ．ｃｏｍ", refusals.LinkRefused),
        ("t.me/someone", refusals.LinkRefused),
        ("javascript:/alert", refusals.LinkRefused),
        ("example.c\ufe0fom", refusals.LinkRefused),
        ("example.c\u034fom", refusals.LinkRefused),
        ("example\u3002com", refusals.LinkRefused),
        ("𝐞𝐱𝐚𝐦𝐩𝐥𝐞.𝐜𝐨𝐦", refusals.LinkRefused),
        ("you bad one", refusals.WordRefused),
        ("you BÄD one", refusals.WordRefused),
        ("b4d!", refusals.WordRefused),
        ("b a d", refusals.WordRefused),
        ("b_a.d", refusals.WordRefused),
        ("ｂａｄ", refusals.WordRefused),
        ("b\u200dad", refusals.WordRefused),
        ("b\u034fad", refusals.WordRefused),
        ("𝐁𝐀𝐃", refusals.WordRefused),
        ("🄱🄰🄳", refusals.WordRefused),
        ("ᴮᴬᴰ", refusals.WordRefused),
        ("HORN0CHSE", refusals.WordRefused),
    ],
)
def test_bad_texts_are_refused(raw: str, refusal: type[ChatRefusal]) -> None:
    with pytest.raises(refusal):
        clean_text(raw, TERMS)


def test_links_may_be_allowed() -> None:
    assert clean_text("see https://example.com", ChatTerms(links=True)) == "see https://example.com"


@given(st.text(st.characters(codec=None), max_size=300))
def test_a_text_is_kept_or_refused_and_cleaning_twice_changes_nothing(raw: str) -> None:
    try:
        text = clean_text(raw, TERMS)
    except ChatRefusal:
        return
    assert 0 < len(text) <= TEXT_MAX_CHARACTERS
    assert unicodedata.is_normalized("NFC", text)
    assert text == text.strip() and "\n" not in text
    assert not {unicodedata.category(one) for one in text} & {"Cc", "Cs", "Zl", "Zp", "Co"}
    assert text.encode()
    assert clean_text(text, TERMS) == text


@given(st.sampled_from("azé字א"), st.lists(st.sampled_from("\u0300\u0323\u0336\u0489\u200d")))
def test_no_tower_of_marks_passes(base: str, marks: list[str]) -> None:
    try:
        text = clean_text(base + "".join(marks), TERMS)
    except ChatRefusal:
        return
    assert sum(unicodedata.category(one)[0] == "M" for one in text) <= MARKS_MAX


@given(st.text("a_. -(dot)[]/:w", max_size=TEXT_MAX_CHARACTERS))
def test_the_search_for_links_and_words_ends(raw: str) -> None:
    assert has_link(raw) in (True, False)
    assert fold_word(raw) == fold_word(fold_word(raw))
