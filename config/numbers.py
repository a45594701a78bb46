"""Whole numbers as they come from outside: an address, a form, a message."""

from __future__ import annotations

DIGITS_MAX = 18
"""More digits no number of a row, and no amount, can have."""


def whole(written: str) -> int | None:
    """The number that was written in plain digits; None for anything else, a sign included."""
    plain = written.isascii() and written.isdecimal() and len(written) <= DIGITS_MAX
    return int(written) if plain else None
