"""Arrays as text for parameters with a cast: drivers look at each value of a list several times."""

from __future__ import annotations

from collections.abc import Iterable


def array_of(values: Iterable[int | str | bytes]) -> str:
    """Return the text of an array of numbers, truth values, bytes, or words of letters alone."""
    return "{" + ",".join([_text(value) for value in values]) + "}"


def _text(value: int | str | bytes) -> str:
    return f'"\\\\x{value.hex()}"' if isinstance(value, bytes) else str(value)
