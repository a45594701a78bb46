"""Keep the tally of a swarm in a file, so that a process started after a kill continues it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tables.bots.tally import Tally

EVERY_S = 1.0


def load(path: Path) -> Tally:
    """Return the tally of the process before this one; an empty one when there was none.

    From then on every violation is written at once.
    """
    tally = Tally()
    if path.exists():
        tally.put(json.loads(path.read_text()))
    tally.violated = lambda: save(tally, path)
    return tally


def save(tally: Tally, path: Path) -> None:
    """Write all counts; a reader finds the old file or the new one, never a part."""
    write_whole(path, json.dumps(tally.parts()))


async def keep(tally: Tally, path: Path) -> None:
    """Save every second until cancelled: a kill loses the counts of one second at most."""
    while True:
        await asyncio.sleep(EVERY_S)
        save(tally, path)


def write_whole(path: Path, text: str) -> None:
    """Replace the file in one step: a process that waits for it finds the whole text or no file."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_text(text)
    unfinished.replace(path)
