"""Log the counts and the own delay of a swarm every second, and read orders to think faster."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

from tables.bots.tally import Tally

EVERY_S = 1.0
LATENESS_EVERY_S = 0.02


async def keep(tally: Tally, course: str, orders: str | None) -> None:
    """Append a JSON line to the file `course` every second, until cancelled.

    The file `orders` may hold a factor: bots then think that many times faster than people.
    """
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_watch_lateness(tally))
        tasks.create_task(_note(tally, course, orders))


async def _watch_lateness(tally: Tally) -> None:
    """Measure how late this process does what is due: all of its bots are as late."""
    clock = asyncio.get_running_loop().time
    while True:
        due_s = clock() + LATENESS_EVERY_S
        await asyncio.sleep(LATENESS_EVERY_S)
        tally.lateness.add(max(0.0, clock() - due_s) * 1_000)


async def _note(tally: Tally, course: str, orders: str | None) -> None:
    with Path(course).open("a") as file:
        while True:
            await asyncio.sleep(EVERY_S)
            if orders is not None and Path(orders).exists():
                tally.faster = float(Path(orders).read_text() or 1)
            line = {
                "at": time.time(),
                "counts": dict(tally.counts),
                "latency": tally.newest.take(),
                "lateness": tally.lateness.take(),
            }
            file.write(json.dumps(line) + "\n")
            file.flush()
