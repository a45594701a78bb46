"""Run Lua scripts in Redis by their digest, many in one trip; send the text of unknown ones.

The client given sets timeouts and retries (`config/redis`). A retried script may run twice, so
every script compares before it writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha1
from typing import Any, NamedTuple

from redis import Redis
from redis import asyncio as redis_asyncio
from redis.exceptions import NoScriptError, RedisError

TOGETHER_MAX = 100
"""Callers of `Trips` that share one trip."""


class ScriptCall(NamedTuple):
    """One run of a script: its Lua text, its keys and its arguments."""

    script: str
    keys: Sequence[str | bytes]
    args: Sequence[Any]

    @property
    def words(self) -> tuple[Any, ...]:
        """Words of EVALSHA: digest, number of keys, keys, arguments."""
        return "EVALSHA", _digest(self.script), len(self.keys), *self.keys, *self.args

    @property
    def whole(self) -> PlainCall:
        """Run with the text itself, which Redis keeps; SCRIPT LOAD would go to a whole cluster."""
        return PlainCall(("EVAL", self.script, len(self.keys), *self.keys, *self.args))


class PlainCall(NamedTuple):
    """One Redis command in the same trip as scripts."""

    words: tuple[Any, ...]


Calls = Sequence[ScriptCall | PlainCall]


def counted(rows: Sequence[tuple[object, ...]]) -> list[object]:
    """Return rows as arguments of a script: their number, then all of their values."""
    return [len(rows), *(value for row in rows for value in row)]


def run(redis: Redis, call: ScriptCall) -> Any:
    """Run one script and return its reply."""
    return run_all(redis, [call])[0]


def run_all(redis: Redis, calls: Calls) -> list[Any]:
    """Run scripts in one trip and return their replies; raise the first error after that."""
    replies = _make_trip(redis, calls)
    if unknown := _unknown(calls, replies):
        _put_in(replies, unknown, _make_trip(redis, list(unknown.values())))
    return _without_errors(replies)


async def run_async(redis: redis_asyncio.Redis, call: ScriptCall) -> Any:
    """Run one script and return its reply."""
    return (await run_all_async(redis, [call]))[0]


async def run_all_async(redis: redis_asyncio.Redis, calls: Calls) -> list[Any]:
    """Run scripts in one trip and return their replies; raise the first error after that."""
    return _without_errors(await _replies(redis, calls))


class Trips:
    """Batches of runs of one script; calls that arrive during one trip make up the next.

    Thousands of callers at once so occupy one connection, and none fails for want of one.
    """

    def __init__(self, redis: redis_asyncio.Redis, script: str) -> None:
        self._redis = redis
        self._script = script
        self._waiting: list[tuple[ScriptCall, asyncio.Future[Any]]] = []
        self._trip: asyncio.Task[None] | None = None

    async def run(self, keys: Sequence[str], args: Sequence[str | int | bytes]) -> Any:
        """Return the reply of the script; raises RedisError or OSError."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((ScriptCall(self._script, keys, args), answer))
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

    async def _carry(self, together: Sequence[tuple[ScriptCall, asyncio.Future[Any]]]) -> None:
        try:
            replies = await _replies(self._redis, [call for call, _ in together])
        except (RedisError, OSError) as error:
            replies = [error] * len(together)
        for (_, answer), reply in zip(together, replies, strict=True):
            if answer.done():
                continue  # its caller is gone
            if isinstance(reply, Exception):
                answer.set_exception(reply)
            else:
                answer.set_result(reply)


async def _replies(redis: Any, calls: Calls) -> list[Any]:
    replies: list[Any] = await _pipeline(redis, calls).execute(raise_on_error=False)
    if unknown := _unknown(calls, replies):
        again = _pipeline(redis, list(unknown.values()))
        _put_in(replies, unknown, await again.execute(raise_on_error=False))
    return replies


def _unknown(calls: Calls, replies: Sequence[Any]) -> dict[int, PlainCall]:
    """Return, by place, the runs with their text of scripts that Redis did not know.

    A script that it lacks, because it restarted, has changed nothing.
    """
    return {
        n: call.whole
        for n, (call, reply) in enumerate(zip(calls, replies, strict=True))
        if isinstance(reply, NoScriptError) and isinstance(call, ScriptCall)
    }


def _put_in(replies: list[Any], places: Iterable[int], again: Sequence[Any]) -> None:
    for n, reply in zip(places, again, strict=True):
        replies[n] = reply


def _make_trip(redis: Any, calls: Calls) -> list[Any]:
    if len(calls) == 1:
        try:
            return [redis.execute_command(*calls[0].words)]
        except NoScriptError as error:
            return [error]
    replies: list[Any] = _pipeline(redis, calls).execute(raise_on_error=False)
    return replies


def _pipeline(redis: Any, calls: Calls) -> Any:
    pipe = redis.pipeline(transaction=False)
    for call in calls:
        pipe.execute_command(*call.words)
    return pipe


def _without_errors(replies: list[Any]) -> list[Any]:
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


@cache
def _digest(text: str) -> str:
    return sha1(text.encode(), usedforsecurity=False).hexdigest()
