"""A page costs few changes between event loop and thread, whatever its middleware."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from typing import Any

import pytest
from asgiref.sync import ThreadSensitiveContext
from django.core.handlers.asgi import ASGIHandler

from config.door.one_thread import OneThreadHandler

RETURNS_MAX = 4
"""Ends of four pieces of work: start, middleware and view, log line of an error, end."""


class _Loop(asyncio.SelectorEventLoop):
    """Event loop that counts how often a thread comes back to it."""

    returns = 0

    def call_soon_threadsafe(
        self, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        self.returns += 1
        return super().call_soon_threadsafe(callback, *args, context=context)


async def _asked(handler: ASGIHandler, path: str) -> tuple[int, int]:
    """Return the status of a page, and how often its thread came back to the event loop."""
    unread = [{"type": "http.request", "body": b"", "more_body": False}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if unread:
            return unread.pop()
        await asyncio.Event().wait()
        raise AssertionError("never resolved")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    loop = asyncio.get_running_loop()
    assert isinstance(loop, _Loop)
    with ThreadPoolExecutor(1) as thread:
        async with ThreadSensitiveContext(executor=thread):
            await handler(scope, receive, send)  # type: ignore[arg-type]
    return sent[0]["status"], loop.returns


def _run(handler: ASGIHandler, path: str) -> tuple[int, int]:
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(_asked(handler, path))


@pytest.mark.parametrize(("path", "status"), [("/accounts/login/", 200), ("/nowhere/", 404)])
@pytest.mark.django_db(transaction=True)
def test_middleware_and_view_are_one_piece_of_work(path: str, status: int) -> None:
    answer, returns = _run(OneThreadHandler(), path)
    assert answer == status
    assert returns <= RETURNS_MAX
    assert _run(ASGIHandler(), path)[1] > 2 * returns, "Django alone comes back for each layer"
