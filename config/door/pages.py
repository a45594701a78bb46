"""ASGI application in front of Django: counts tries, reads the body, lends a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from contextlib import AsyncExitStack
from functools import cached_property
from typing import Any

from asgiref.sync import ThreadSensitiveContext

from config import metrics
from config.door import body as bodies
from config.door.attempts import Attempts
from config.door.lanes import Lanes, standing
from config.door.outlets import MovingThread, OpenStreams, Outlet, StreamEnded
from config.door.refusals import Message, Receive, RequestRefused, Send, answer, busy
from config.door.source import of_scope
from config.door.turns import Full

Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class Pages:
    """Django's pages behind counted tries, bounded bodies and bounded threads.

    A request has a thread only while Django works on it: before that it waits as a future, and its
    response is sent after the thread is free again, however slowly the client reads. A long stream
    is sent while it is made, in short visits to a thread of all streams (`config.door.outlets`).
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

    @cached_property
    def _streams(self) -> OpenStreams:
        return OpenStreams()

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
            messages = await self._ask_django(scope, body, receive, send, source)
        except Full:
            metrics.FAULTS.labels("busy").inc()
            await answer(scope, send, busy())
            return
        finally:
            self._bodies.release(body)
        for message in messages:
            await send(message)

    async def _ask_django(
        self, scope: dict[str, Any], body: bytes, receive: Receive, send: Send, source: str
    ) -> list[Message]:
        """Return Django's response, or nothing when it was sent on or the client left."""
        began = asyncio.Event()
        # The body is complete: the next message is the disconnect.
        gone = asyncio.ensure_future(receive())
        outlet = Outlet(scope, send, gone, standing(scope, source))
        work = asyncio.ensure_future(self._in_turn(scope, body, began, outlet))
        try:
            await asyncio.wait({gone, work}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not began.is_set():
                return []
            await work
            return outlet.kept
        except StreamEnded:
            return outlet.kept
        finally:
            for task in (gone, work):
                task.cancel()
            await asyncio.gather(gone, work, return_exceptions=True)
            outlet.close()

    async def _in_turn(
        self, scope: dict[str, Any], body: bytes, began: asyncio.Event, outlet: Outlet
    ) -> None:
        async with AsyncExitStack() as held:
            lent = self._lanes.of(scope).thread(outlet.rank, outlet.source)
            thread = MovingThread(await held.enter_async_context(lent))
            began.set()

            async def release() -> None:
                thread.move(self._lanes.streams)
                await held.aclose()

            outlet.release = release
            await self._run(scope, body, thread, outlet)

    async def _run(
        self, scope: dict[str, Any], body: bytes, thread: Executor, outlet: Outlet
    ) -> None:
        unread = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if unread:
                return unread.pop()
            # Django would abandon the thread of a client that leaves, and the next request in that
            # thread would wait for the abandoned work. So Django always works to the end.
            await asyncio.Event().wait()
            raise AssertionError("the future is never resolved")

        async def send(message: Message) -> None:
            await outlet.take(message, self._streams)

        async with ThreadSensitiveContext(executor=thread):
            await self._django(scope, receive, send)
