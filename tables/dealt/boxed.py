"""Stored form of a day's figures: a box of constant size under the own key of a month.

Whoever reads the rows after each hand learns nothing of its cards from them: no difference, and
no length either.
"""

from __future__ import annotations

from datetime import date
from struct import Struct
from typing import NamedTuple

from msgspec.structs import astuple

from config import entropy
from tables.dealt.figures import NO_RANKS, NO_SUITS, DealtFigures
from tables.fairness import boxes
from tables.fairness.boxes import BoxKey, DamagedBox
from tables.fairness.encoding import tag, u8, u32, u64
from tables.records.month_keys import BurntMonth, Month, NoMonthKey, own_keys

LATER_MAX = 1_200
"""Most months between a day and the key of its box, which burnings move on: each is one step of
the chain of keys, so that a number without a bound would take a process for ever."""

_LISTS = {"ranks": NO_RANKS, "suits": NO_SUITS, "board_ranks": NO_RANKS, "board_suits": NO_SUITS}
_SIZES = [len(_LISTS.get(name, (0,))) for name in DealtFigures.__struct_fields__]
_NUMBERS = Struct(f">{sum(_SIZES)}q")


class DealtKey(NamedTuple):
    """Key of a row."""

    user: int
    day: date
    cards: int


class DealtBox(NamedTuple):
    """Box of figures, with the month and the name of the key that opens it."""

    month: Month
    key: bytes
    box: bytes


def month_of_day(day: date) -> Month:
    """Return the month of a day."""
    return day.year * 12 + day.month - 1


def close_figures(at: DealtKey, figures: DealtFigures, earliest: Month = 0) -> DealtBox:
    """Return figures in a box under the key of their month, or of a later one.

    Raises NoMonthKey in a process without keys. Days before the first key have the first one.
    """
    month = max(month_of_day(at.day), own_keys.first, earliest)
    name, key = own_keys.of(month)
    box = boxes.close_box(key, entropy.nonce(), packed(figures), _place(at))
    return DealtBox(month, name, box)


def open_figures(at: DealtKey, kept: DealtBox) -> DealtFigures:
    """Return the figures in a box; raises NoMonthKey, BurntMonth, boxes.DamagedBox.

    A month or a name of a key that was changed is no lack of the key, which would stop the count of
    all hands: the box opens with a key of the row's own months.
    """
    day = month_of_day(at.day)
    if not day <= kept.month <= day + LATER_MAX:
        raise DamagedBox("a month that no box of this day has")
    try:
        key = own_keys.named(kept.month, kept.key)
    except BurntMonth:
        raise
    except NoMonthKey as unknown:
        months = {kept.month, max(day, own_keys.first)}
        if any(_opens(own_keys.of(month)[1], at, kept) for month in months):
            raise DamagedBox("the name of the key was changed") from unknown
        raise
    return unpacked(boxes.open_box(key, kept.box, _place(at)))


def _opens(key: BoxKey, at: DealtKey, kept: DealtBox) -> bool:
    try:
        boxes.open_box(key, kept.box, _place(at))
    except DamagedBox:
        return False
    return True


def packed(figures: DealtFigures) -> bytes:
    """Return figures as bytes, equally many for all."""
    numbers: list[int] = []
    for value in astuple(figures):
        numbers += value if isinstance(value, tuple) else [value]
    return _NUMBERS.pack(*numbers)


def unpacked(raw: bytes) -> DealtFigures:
    """Return the figures in bytes."""
    left = list(_NUMBERS.unpack(raw))
    values: list[int | tuple[int, ...]] = []
    for size in _SIZES:
        taken, left = left[:size], left[size:]
        values.append(taken[0] if size == 1 else tuple(taken))
    return DealtFigures(*values)  # type: ignore[arg-type]


def _place(at: DealtKey) -> bytes:
    """Return what the box of a row is bound to."""
    return tag("dealtday") + u64(at.user) + u32(at.day.toordinal()) + u8(at.cards)
