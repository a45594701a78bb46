"""Places, ranks and entrants beyond a thousand, as the pages of a tournament write them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string

PLAYER = SimpleNamespace(name="Ann", user=1, rank=1_204, chips=9_000, place=None, prize=0)
OUT = SimpleNamespace(name="Ben", user=2, rank=None, place=2_345, prize=0, state="out")
PRIZE = SimpleNamespace(first=1_001, last=1_250, prize=500, share_bp=10, given=0, places=250)
END = SimpleNamespace(key="5", is_mine=True, has_won=False, place=2_345, entrants=3_000)


@pytest.mark.parametrize(
    ("template", "given", "words"),
    [
        ("_player", {"p": PLAYER}, "1,204"),
        ("_player", {"p": OUT}, "2,345"),
        ("_result", {"p": OUT}, "2,345"),
        ("_payouts", {"payouts": [PRIZE]}, "1,001–1,250"),
        ("_end", {"end": END}, "Place 2,345 of 3,000"),
    ],
)
def test_a_place_has_separators_between_its_thousands(
    template: str, given: dict[str, Any], words: str
) -> None:
    tournament = SimpleNamespace(pk=5, name="Friday", state="running", pool=1_000_000)
    row = {"summary": {"bounty": 0}}
    page = render_to_string(
        f"tournaments/{template}.html", {"tournament": tournament, "row": row, **given}
    )
    assert words in page
