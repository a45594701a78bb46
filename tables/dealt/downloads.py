"""Figures of dealt cards as files: CSV by day, JSON with the tests."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

from msgspec.structs import asdict

from tables.dealt.figures import NAMES
from tables.dealt.judging import judge
from tables.dealt.rows import Days, by_cards
from tables.engine.cards import RANKS, SUITS

_KINDS = {"ranks": RANKS, "suits": SUITS, "board_ranks": RANKS, "board_suits": SUITS}


def as_csv(days: Days) -> str:
    """Return a row for each day and number of hole cards, a column for each rank and suit."""
    heads = ["day", "cards"]
    for name in NAMES:
        heads += [f"{name}_{kind}" for kind in _KINDS.get(name, ())] or [name]
    file = StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(heads)
    for day, cards, figures in days:
        values: list[Any] = [day.isoformat(), cards]
        for name in NAMES:
            value = getattr(figures, name)
            values += value if isinstance(value, tuple) else [value]
        writer.writerow(values)
    return file.getvalue()


def as_json(days: Days) -> dict[str, Any]:
    """Return the days, their sums by hole cards, and the tests."""
    sums = by_cards(days)
    return {
        "ranks": RANKS,
        "suits": SUITS,
        "days": [
            {"day": day.isoformat(), "cards": cards, **asdict(one)} for day, cards, one in days
        ],
        "sums": [{"cards": cards, **asdict(one)} for cards, one in sums.items()],
        "tests": [asdict(test) for test in judge(sums)],
    }
