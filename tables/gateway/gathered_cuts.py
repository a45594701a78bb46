"""Cuts of a table gathered from its browsers, which all cut at once, long before the deal."""

from __future__ import annotations

import asyncio

from tables.gateway.shards import Shards
from tables.store import inbox, keys, lua
from tables.store.inbox import SentCut, Status

GATHER_MS = 10
"""Time for which a first cut waits for those of other browsers, of the `CUT_LEAD_MS`."""

Outcome = tuple[Status, bool]
"""Outcome of one cut, and whether its sender must ring the table's bell."""


class GatheredCuts:
    """Cuts that wait to be sent: those of one table are one run of a script, with one bell."""

    def __init__(self, shards: Shards) -> None:
        self._trips = shards.trips(lua.source("cut"))
        self._waiting: dict[int, list[tuple[SentCut, asyncio.Future[Outcome]]]] = {}
        self._sending: set[asyncio.Task[None]] = set()

    async def send(self, sent: SentCut) -> Outcome:
        """Append a cut to the inbox of its table; raises RedisError or OSError."""
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(sent.cut.table, [])
        waiting.append((sent, answer))
        if len(waiting) == 1:
            task = asyncio.create_task(self._append(sent.cut.table))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        return await answer

    async def _append(self, table: int) -> None:
        await asyncio.sleep(GATHER_MS / 1_000)
        together = self._waiting.pop(table)
        call = inbox.cut_arguments(table, [sent for sent, _ in together])
        try:
            reply = await self._trips.run(keys.table(table), *call)
        except Exception as error:
            for _, answer in together:
                if not answer.done():
                    answer.set_exception(error)
            return
        statuses, ring = inbox.cut_answer(reply)
        for (_, answer), status in zip(together, statuses, strict=True):
            # One of them rings; a sender who is gone leaves it to the next.
            if not answer.done():
                answer.set_result((status, ring))
                ring = False
