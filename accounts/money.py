"""How an amount of minor units is written for people, and read back from them."""

from __future__ import annotations

import re

from django.utils.formats import get_format, number_format

MINOR_PER_MAJOR = 100
_TYPED = re.compile(r"(\d{1,13})(?:[.,](\d{1,2}))?")


def text(amount: int) -> str:
    """The amount in major units with two decimals, in the reader's language: 1050 -> 10.50."""
    sign, (major, minor) = "-" * (amount < 0), divmod(abs(amount), MINOR_PER_MAJOR)
    whole = number_format(major, use_l10n=True, force_grouping=True)
    return f"{sign}{whole}{get_format('DECIMAL_SEPARATOR')}{minor:02d}"


def parse(typed: str) -> int | None:
    """Minor units of what somebody typed (10, 10.5 or 10,50), None when it is no amount."""
    match = _TYPED.fullmatch(typed.strip())
    if match is None or not typed.isascii():
        return None
    return int(match[1]) * MINOR_PER_MAJOR + int((match[2] or "0").ljust(2, "0"))
