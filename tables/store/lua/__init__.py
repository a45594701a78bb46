"""Lua scripts of the room, one file each; every script compares before it writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

CLOCK = "clock"
"""Name of the script that defines `now_ms`, put in front of each script that needs the time."""

MENDED = "mended"
"""Name of the script that defines `mended`, put in front of each script that calls it."""


@cache
def source(name: str) -> str:
    """Return the text of a script by its file name, after the functions that it calls."""
    text = _read(name)
    called = {CLOCK: "now_ms(", MENDED: "mended("}
    return "".join(_read(part) for part, call in called.items() if call in text) + text


def _read(name: str) -> str:
    return (Path(__file__).parent / f"{name}.lua").read_text()
