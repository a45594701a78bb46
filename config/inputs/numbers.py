"""Whole numbers from outside: addresses, forms, messages."""

from __future__ import annotations

DIGITS_MAX = 18
"""Maximal digits of a row number or an amount."""


def whole(written: str) -> int | None:
    """Return the number written in plain digits; None for anything else, including a sign."""
    plain = written.isascii() and written.isdecimal() and len(written) <= DIGITS_MAX
    return int(written) if plain else None
