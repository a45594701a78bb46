"""The Lua scripts of the room, one file each: every one compares before it sets."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def source(name: str) -> str:
    """The text of a script, by the name of its file."""
    return (Path(__file__).parent / f"{name}.lua").read_text()
