"""The Lua scripts of the room, one file each: every one compares before it sets."""

from __future__ import annotations

from functools import cache
from pathlib import Path

CLOCK = "clock"
"""What scripts that need the time begin with: it alone asks Redis for it."""


@cache
def source(name: str) -> str:
    """The text of a script, by the name of its file; one that needs the time brings its clock."""
    text = _read(name)
    return _read(CLOCK) + text if "now_ms()" in text else text


def _read(name: str) -> str:
    return (Path(__file__).parent / f"{name}.lua").read_text()
