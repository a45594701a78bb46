"""Run one script for many callers of an event loop, together in one trip to Redis at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from redis.exceptions import NoScriptError, RedisError

from tables.store import lua

TOGETHER_MAX = 100

Call = tuple[Sequence[str], Sequence[str | int | bytes]]
"""Keys and arguments of one run."""


class Trips:
    """Batches of script runs; calls that arrive during one trip make up the next.

    Thousands of callers at once so occupy one connection, and none fails for want of one.
    """

    def __init__(self, redis: Any, script: str) -> None:
        self._redis = redis
        self._script = redis.register_script(lua.source(script))
        self._waiting: list[tuple[Call, asyncio.Future[Any]]] = []
        self._trip: asyncio.Task[None] | None = None

    async def run(self, keys: Sequence[str], args: Sequence[str | int | bytes]) -> Any:
        """Return the reply of the script; raises RedisError or OSError."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(((keys, args), answer))
        if self._trip is None:
            self._trip = asyncio.create_task(self._travel())
        return await answer

    async def _travel(self) -> None:
        try:
            while self._waiting:
                together = self._waiting[:TOGETHER_MAX]
                del self._waiting[:TOGETHER_MAX]
                await self._carry(together)
        finally:
            self._trip = None

    async def _carry(self, together: Sequence[tuple[Call, asyncio.Future[Any]]]) -> None:
        failure: Exception | None = None
        try:
            replies = await self._run([call for call, _ in together])
        except (RedisError, OSError) as error:
            failure = error
        for number, (_, answer) in enumerate(together):
            if answer.done():
                continue  # its socket is gone
            reply = failure or replies[number]
            if isinstance(reply, Exception):
                answer.set_exception(reply)
            else:
                answer.set_result(reply)

    async def _run(self, calls: Sequence[Call]) -> list[Any]:
        replies = await self._pipeline(calls)
        if any(isinstance(reply, NoScriptError) for reply in replies):
            # Redis restarted and lost its script cache. A script it did not know has changed
            # nothing, so exactly those calls are run again.
            await self._redis.script_load(self._script.script)
            again = [n for n, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
            for n, reply in zip(
                again, await self._pipeline([calls[n] for n in again]), strict=True
            ):
                replies[n] = reply
        return replies

    async def _pipeline(self, calls: Sequence[Call]) -> list[Any]:
        pipe = self._redis.pipeline(transaction=False)
        for names, values in calls:
            pipe.evalsha(self._script.sha, len(names), *names, *values)
        replies: list[Any] = await pipe.execute(raise_on_error=False)
        return replies
