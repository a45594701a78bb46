"""Every golden hand plays exactly as it is written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.transcript import HANDS, written

FILES = sorted(HANDS.glob("*.txt"))


def test_there_are_golden_hands() -> None:
    assert len(FILES) >= 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_hand_plays_as_written(path: Path) -> None:
    text = path.read_text()
    assert written(text) == text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_hand_begins_with_its_rule(path: Path) -> None:
    rule = path.stem.split("_")[0]
    assert path.read_text().startswith(rule + " ")
