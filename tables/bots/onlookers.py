"""Spectators in large numbers: without log-in, all at one table, with every message counted."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from room_client import wire
from room_client.messages.commands import Act, Subscribe
from room_client.messages.frames import Events, Snapshot, Welcome
from room_client.steps import DueTurn
from tables.bots import swarm_log
from tables.bots.bot import Todo
from tables.bots.client.connection import BotConnection, Site
from tables.bots.tally import Tally

SPECTATORS_PER_ADDRESS = 100
"""Below the room's limit for sockets without log-in from one address."""


def address_of(site: Site, number: int) -> str | None:
    """Return the local address of a spectator: one of many loopback addresses on this machine.

    None for a room elsewhere, which sees this machine's address and applies its limit to it.
    """
    if not site.host.startswith("127."):
        return None
    address = 1 + number // SPECTATORS_PER_ADDRESS
    return f"127.0.{64 + address // 250}.{1 + address % 250}"


class Onlooker:
    """Spectator of one table that checks that no event is missing."""

    def __init__(self, table: int, *, chance: Random, tally: Tally) -> None:
        self.chance = chance
        self.tally = tally
        self._stream = f"table:{table}"
        self._last: str | None = None

    def received(self, raw: str | bytes, now_s: float) -> Todo:
        """Take in one server message."""
        self.tally.counts["frames"] += 1
        self.tally.counts["bytes"] += len(raw)
        message = wire.decode(raw)
        match message:
            case Welcome():
                return Todo(send=[Subscribe(self._stream, after=self._last, watch=True)])
            case Snapshot(id=event_id):
                self.tally.counts["snapshots"] += 1
                self._last = event_id
            case Events(events=events):
                for event in events:
                    self._follow(wire.event_id(event))
            case _:
                pass
        return Todo()

    def answer(self, due: DueTurn, now_s: float) -> Act | None:
        """Raise: a spectator has no turns."""
        raise AssertionError("a turn for a spectator")

    def _follow(self, event_id: str) -> None:
        if not wire.follows(self._last, event_id):
            self.tally.violate([f"{self._stream}: {event_id} after {self._last}"])
        self._last = event_id


class Onlookers:
    """Many spectators in one process, until stopped."""

    def __init__(self, site: Site, count: int, table: int, *, connects_per_s: float) -> None:
        self.tally = Tally()
        self._site = site
        self._pause_s = 1 / connects_per_s
        self._all = [
            Onlooker(table, chance=Random(number), tally=self.tally)  # nosec B311
            for number in range(count)
        ]
        self._stop = asyncio.Event()

    def stop(self) -> None:
        """End the run."""
        self._stop.set()

    async def run(self, notes: str | None) -> dict[str, Any]:
        """Watch until stopped; return the report. Counts of every second go to the file `notes`."""
        tasks: list[asyncio.Task[None]] = []
        if notes is not None:
            tasks.append(asyncio.create_task(swarm_log.keep(self.tally, notes, None)))
        try:
            for number, one in enumerate(self._all):
                address = address_of(self._site, number)
                line = BotConnection(self._site, None, one, address=address)
                tasks.append(asyncio.create_task(line.run()))
                await asyncio.sleep(self._pause_s)
            await self._stop.wait()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return {"players": len(self._all), **self.tally.report()}
