"""Lua scripts of the room, one file each; every script compares before it writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

PARTS = {
    "read_inbox(": "stored",
    "mended(": "mended",
    "hint(": "hint",
    "now_ms()": "clock",
    "run_id()": "run",
}
"""Names of the scripts that define a function, put in front of each script that calls it."""


@cache
def source(name: str) -> str:
    """Return the text of a script by its file name, after the functions that it calls."""
    text = _read(name)
    for call, part in PARTS.items():
        if call in text and f"function {call}" not in text:
            text = _read(part) + text
    return text


def _read(name: str) -> str:
    return (Path(__file__).parent / f"{name}.lua").read_text()
