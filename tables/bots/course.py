"""Log the counts of a swarm every second, and read orders to think faster."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

from tables.bots.tally import Tally

EVERY_S = 1.0


async def keep(tally: Tally, course: str, orders: str | None) -> None:
    """Append a JSON line to the file `course` every second, until cancelled.

    The file `orders` may hold a factor: bots then think that many times faster than people.
    """
    with Path(course).open("a") as file:
        while True:
            await asyncio.sleep(EVERY_S)
            if orders is not None and Path(orders).exists():
                tally.faster = float(Path(orders).read_text() or 1)
            line = {
                "at": time.time(),
                "counts": dict(tally.counts),
                "latency": tally.newest.take(),
            }
            file.write(json.dumps(line) + "\n")
            file.flush()
