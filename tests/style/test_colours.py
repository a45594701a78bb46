"""Colours of pages are said in one file, by day and by night, and can be read on each other."""

from __future__ import annotations

import re

import pytest

from config.environment import HOME

SHEETS = HOME / "static" / "css"

ALIKE = {
    "cards",  # cards look alike in every theme
    "looks",  # felts and the deck of two colours
    "table",  # seats, chips and the dealer button lie on the felt
    "showdown",
    "player_notes",  # the colours that a player gives
    "overlay",  # has themes of its own, chosen by its link
    "structure_editor",  # in Django's admin
}
"""Files of parts with colours that no theme changes."""

_LITERAL = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgb|hsl|oklch)a?\(", re.I)
_SHADOW = re.compile(r"#000[0-9a-f]$")
_NAMED = re.compile(r"--([\w-]+):\s*([^;]+);")


INKS = [
    "ink",
    "ink-soft",
    "ink-faint",
    "link",
    "gold",
    "gold-soft",
    "plus",
    "minus",
    "red",
    "wrong",
]
GROUNDS = ["ground", "ground-deep", "panel", "panel-low", "field", "panel-high"]
FILLED = [
    ("on-gold", "gold-fill"),
    ("on-gold", "gold-high"),
    ("gold-soft", "gold-tint"),
    ("on-pressed", "pressed"),
    ("on-fill", "green-fill"),
    ("on-fill", "call"),
    ("on-fill", "fold"),
    ("on-fill", "raise"),
    ("ink", "panel-hover"),
    ("ink", "wrong-high"),
    ("wrong", "wrong-fill"),
    ("on-banner", "banner"),
    ("on-banner-stopped", "banner-stopped"),
    ("on-banner-research", "banner-research"),
    ("on-bubble", "bubble"),
]
"""Words and what they stand on."""

CONTRAST_MIN = 4.5
"""Least contrast of words, as WCAG 2.2 asks (1.4.3)."""


def _literals(text: str) -> list[str]:
    return [word for word in _LITERAL.findall(text) if not _SHADOW.match(word)]


@pytest.mark.parametrize(
    "sheet", sorted({path.stem for path in SHEETS.glob("*.css")} - ALIKE - {"colours"})
)
def test_a_page_takes_its_colours_by_name(sheet: str) -> None:
    assert _literals((SHEETS / f"{sheet}.css").read_text(encoding="utf-8")) == []


def test_every_colour_by_name_is_there_and_is_taken() -> None:
    named = dict(_NAMED.findall((SHEETS / "colours.css").read_text(encoding="utf-8")))
    assert "light-dark(" in named["ink"] and "light-dark(" in named["panel"]
    everything = "".join(path.read_text(encoding="utf-8") for path in SHEETS.glob("*.css"))
    everything += "".join(
        path.read_text(encoding="utf-8") for path in (HOME / "static" / "js").rglob("*.js")
    )
    taken = set(re.findall(r"var\(--([\w-]+)", everything))
    own = set(re.findall(r"--([\w-]+):", everything)) | set(re.findall(r'"--([\w-]+)"', everything))
    django = {"hairline-color"}
    assert not set(named) - taken, "named and never taken"
    assert not taken - own - django, "taken and never named"


def _of(theme: str, name: str) -> str:
    """Return a colour of a theme as `#rrggbb`."""
    value = dict(_NAMED.findall((SHEETS / "colours.css").read_text(encoding="utf-8")))[name]
    both = re.fullmatch(r"light-dark\((#\w+), (#\w+)\)", value)
    return (both[1] if theme == "day" else both[2]) if both else value


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_of_known_colours() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)
    assert _contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["day", "night"])
def test_words_can_be_read_on_what_they_stand_on(theme: str) -> None:
    pairs = [(ink, ground) for ink in INKS for ground in GROUNDS] + FILLED
    weak = {
        pair: round(contrast, 2)
        for pair in pairs
        if (contrast := _contrast(*(_of(theme, name) for name in pair))) < CONTRAST_MIN
    }
    assert weak == {}
