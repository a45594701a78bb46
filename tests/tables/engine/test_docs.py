"""docs/engine.md is correct: its worked example runs, and its numbers are counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tables.engine.actions import Call, Check
from tables.engine.events import CardsShown
from tables.engine.positions import next_positions
from tables.engine.state import HandSetup, Player, Rules
from tables.engine.variants import VARIANTS
from tables.second_opinion.differences import named_difference
from tests.golden.transcript import HANDS
from tests.tables.engine.scene import NL_50_100, Scene

PAGE = Path("docs/engine.md").read_text()


@pytest.fixture
def example() -> Iterator[dict[str, Any]]:
    """Names defined by the worked example; its variant is removed afterwards."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec("\n".join(blocks), names)
    yield names
    del VARIANTS["short_deck"]


def five(text: str) -> tuple[str, ...]:
    """Cards of a line."""
    return tuple(text.split())


def test_in_short_deck_a_flush_beats_a_full_house(example: dict[str, Any]) -> None:
    strength = example["short_deck"]
    order = [
        "Kc Qd Jh 9s 6c",
        "Ac Ad Kh Qs Jc",
        "9c 8d 7h 6s Ac",
        "Ac Kd Qh Js Tc",
        "Ac Ad Ah Ks Kc",
        "9c 8c 7c Jc Qc",
        "6c 6d 6h 6s 7c",
        "9c 8c 7c 6c Ac",
    ]
    strengths = [strength(five(cards), ()) for cards in order]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(order)
    words = [example["short_words"](number).split(":")[0] for number in strengths]
    assert words == [
        "high",
        "pair",
        "straight",
        "straight",
        "full_house",
        "flush",
        "four",
        "straight_flush",
    ]


def test_a_hand_of_the_worked_example_plays(example: dict[str, Any]) -> None:
    deck = VARIANTS["short_deck"].deck
    assert len(deck) == 36
    hand = Scene(
        HandSetup(
            hand=1,
            rules=Rules("short_deck", "no_limit", NL_50_100),
            positions=next_positions(None, (1, 2), frozenset(), button=1),
            players=(Player(1, 1000), Player(2, 1000)),
            deck=deck,
        )
    ).does((1, Call()), (2, Check()), *[(seat, Check()) for _ in range(3) for seat in (2, 1)])
    shown = hand.all(CardsShown)
    assert sum(hand.stacks().values()) == 2000
    assert shown[0].cards == ("6c", "6h")
    assert shown[0].made == "full_house:78"


def test_the_page_states_the_number_of_golden_hands_and_every_difference() -> None:
    assert "seventy hands" in PAGE
    assert 70 < len(list(HANDS.glob("*.txt"))) < 80, "the page states the number in words"
    assert named_difference.__module__ == "tables.second_opinion.differences"
    rules = re.findall(r"\(([A-Z]-\d\d)", Path("tables/second_opinion/differences.py").read_text())
    table = PAGE[PAGE.index("### Differences with pokerkit") :]
    assert all(rule in table for rule in rules)
