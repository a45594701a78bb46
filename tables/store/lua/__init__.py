"""Lua scripts of the room, one file each; every script compares before it writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

CLOCK = "clock"
"""Name of the script that defines `now_ms`, put in front of each script that needs the time."""


@cache
def source(name: str) -> str:
    """Return the text of a script by its file name, after the clock where it reads the time."""
    text = _read(name)
    return _read(CLOCK) + text if "now_ms()" in text else text


def _read(name: str) -> str:
    return (Path(__file__).parent / f"{name}.lua").read_text()
