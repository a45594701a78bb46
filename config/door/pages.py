"""ASGI application in front of Django: counts tries, reads the body, lends a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from functools import cached_property
from typing import Any

from asgiref.sync import ThreadSensitiveContext

from config import metrics
from config.door import body as bodies
from config.door.attempts import Attempts
from config.door.lanes import Lanes, standing
from config.door.refusals import Message, Receive, RequestRefused, Send, answer, busy
from config.door.source import of_scope
from config.door.turns import Full

Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class Pages:
    """Django's pages behind counted tries, bounded bodies and bounded threads.

    A request has a thread only while Django works on it: before that it waits as a future, and its
    response is sent after the thread is free again, however slowly the client reads.
    """

    def __init__(self, django: Application) -> None:
        self._django = django

    @cached_property
    def _lanes(self) -> Lanes:
        return Lanes()

    @cached_property
    def _attempts(self) -> Attempts:
        return Attempts()

    @cached_property
    def _bodies(self) -> bodies.Bodies:
        return bodies.Bodies()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        source = of_scope(scope)
        try:
            await self._attempts.admit(scope, source)
            body = await self._bodies.read(scope, receive, source)
        except bodies.Gone:
            return
        except RequestRefused as refusal:
            metrics.FAULTS.labels(refusal.code).inc()
            await answer(scope, send, refusal, more_body=True)
            await bodies.linger(receive)
            await send({"type": "http.response.body"})
            return
        try:
            messages = await self._ask_django(scope, body, receive, source)
        except Full:
            metrics.FAULTS.labels("busy").inc()
            await answer(scope, send, busy())
            return
        finally:
            self._bodies.release(body)
        for message in messages:
            await send(message)

    async def _ask_django(
        self, scope: dict[str, Any], body: bytes, receive: Receive, source: str
    ) -> list[Message]:
        """Return Django's whole response, or nothing when the client left while it waited."""
        began = asyncio.Event()
        # The body is complete: the next message is the disconnect.
        gone = asyncio.ensure_future(receive())
        work = asyncio.ensure_future(self._in_turn(scope, body, source, began))
        try:
            await asyncio.wait({gone, work}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not began.is_set():
                return []
            return await work
        finally:
            for task in (gone, work):
                task.cancel()
            await asyncio.gather(gone, work, return_exceptions=True)

    async def _in_turn(
        self, scope: dict[str, Any], body: bytes, source: str, began: asyncio.Event
    ) -> list[Message]:
        rank, waits_as = standing(scope, source)
        async with self._lanes.of(scope).thread(rank, waits_as) as thread:
            began.set()
            return await self._run(scope, body, thread)

    async def _run(self, scope: dict[str, Any], body: bytes, thread: Executor) -> list[Message]:
        sent: list[Message] = []
        unread = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if unread:
                return unread.pop()
            # Django would abandon the thread of a client that leaves, and the next request in that
            # thread would wait for the abandoned work. So Django always works to the end.
            await asyncio.Event().wait()
            raise AssertionError("the future is never resolved")

        async def send(message: Message) -> None:
            sent.append(message)

        async with ThreadSensitiveContext(executor=thread):
            await self._django(scope, receive, send)
        return sent
