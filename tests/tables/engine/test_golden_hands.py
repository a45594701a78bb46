"""Every golden hand plays exactly as written, and every rule of the hand has a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.golden.transcript import HANDS, written

FILES = sorted(HANDS.glob("*.txt"))
RULES = {"C": 4, "H": 11, "B": 5, "P": 3, "S": 4, "O": 3, "D": 4}
"""Number of rules in each part of the rulebook that the engine implements."""


def rule(path: Path) -> str:
    """Rule that a golden file is named after."""
    return path.stem.split("_")[0]


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=pytest.mark.rule(rule(path)), id=path.stem) for path in FILES]
)
def test_golden_hand_plays_as_written(path: Path) -> None:
    text = path.read_text()
    assert text.startswith(rule(path) + " ")
    assert written(text) == text


def test_a_changed_amount_is_noticed() -> None:
    text = (HANDS / "H-06_short_big_blind.txt").read_text()
    changed = text.replace("raise to 200-1000", "raise to 199-1000", 1)
    assert changed != text
    assert written(changed) != changed


def test_every_rule_of_the_hand_has_a_test() -> None:
    tested = {rule(path) for path in FILES}
    for module in Path(__file__).parent.glob("test_*.py"):
        tested |= set(re.findall(r"mark\.rule\(\"([A-Z]-\d\d)\"\)", module.read_text()))
    wanted = {f"{part}-{n:02}" for part, last in RULES.items() for n in range(1, last + 1)}
    assert wanted - tested == set()
