"""Turns for bounded work: limited concurrency, better ranks first, sources in rotation."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

Queue = OrderedDict[str, "deque[asyncio.Future[None]]"]
"""Waiting requests of one rank, by source; the first source has the next turn."""


class Full(Exception):
    """Refused work: too many wait, or the wait was too long."""


class Turns:
    """Limiter of one event loop's work to `most` at once.

    Rank 0 is served before rank 1 and so on; a rank leaves `kept[rank]` places free for better
    ranks. Within a rank sources take turns, so that a source with a thousand requests delays one
    with a single request by one turn. At most `waiting_max` wait; beyond that the newest request of
    the worst rank's longest source is refused.
    """

    def __init__(self, most: int, *, kept: Sequence[int] = (0,), waiting_max: int) -> None:
        assert most > max(kept) and waiting_max >= 1, "every rank has a place"
        self._most = most
        self._kept = tuple(kept)
        self._waiting_max = waiting_max
        self._queues: tuple[Queue, ...] = tuple(OrderedDict() for _ in kept)
        self.waiting = 0
        self.busy = 0

    @asynccontextmanager
    async def turn(
        self, rank: int, source: str, *, within_s: float | None = None
    ) -> AsyncIterator[None]:
        """Hold one of the places; raise Full when refused or not served within that time."""
        try:
            async with asyncio.timeout(within_s):
                await self._enter(rank, source)
        except TimeoutError:
            raise Full("waited too long") from None
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, rank: int, source: str) -> None:
        if self._free(rank) and not any(self._queues[: rank + 1]):
            self.busy += 1
            return
        if self.waiting >= self._waiting_max:
            self._make_room(rank, source)
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues[rank].setdefault(source, deque()).append(waiter)
        self.waiting += 1
        try:
            await waiter
        except BaseException:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self._leave()  # the place was granted in the moment of the timeout
            else:
                self._forget(rank, source, waiter)
            raise

    def _leave(self) -> None:
        self.busy -= 1
        for rank, queue in enumerate(self._queues):
            while queue and self._free(rank):
                waiter = self._next(queue)
                if not waiter.done():  # otherwise the task was cancelled and has not noticed yet
                    self.busy += 1
                    waiter.set_result(None)

    def _free(self, rank: int) -> bool:
        return self.busy + self._kept[rank] < self._most

    def _next(self, queue: Queue) -> asyncio.Future[None]:
        source, waiters = next(iter(queue.items()))
        waiter = waiters.popleft()
        if waiters:
            queue.move_to_end(source)
        else:
            del queue[source]
        self.waiting -= 1
        return waiter

    def _make_room(self, rank: int, source: str) -> None:
        """Refuse a waiting request with less claim than `source`, else raise Full."""
        worst = max(number for number, queue in enumerate(self._queues) if queue)
        queue = self._queues[worst]
        longest = max(queue, key=lambda name: len(queue[name]))
        own = len(queue.get(source, ())) + 1 if worst == rank else 0
        if worst < rank or len(queue[longest]) <= own:
            raise Full("too many wait")
        waiter = queue[longest].pop()
        if not queue[longest]:
            del queue[longest]
        self.waiting -= 1
        if not waiter.done():
            waiter.set_exception(Full("too many wait"))

    def _forget(self, rank: int, source: str, waiter: asyncio.Future[None]) -> None:
        waiters = self._queues[rank].get(source)
        if waiters is not None and waiter in waiters:
            waiters.remove(waiter)
            self.waiting -= 1
            if not waiters:
                del self._queues[rank][source]
