"""A page is one piece of work in its thread, whatever its middleware; a stream comes back once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from typing import Any, TypeVarTuple

import pytest
from asgiref.sync import ThreadSensitiveContext
from django.core import signals
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from config.door.one_thread import OneThreadHandler

Ts = TypeVarTuple("Ts")


class _Loop(asyncio.SelectorEventLoop):
    """Event loop that counts how often a thread comes back to it."""

    returns = 0

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        self.returns += 1
        return super().call_soon_threadsafe(callback, *args, context=context)


async def _asked(handler: ASGIHandler, path: str) -> tuple[list[dict[str, Any]], int]:
    """Return the messages of a page, and how often its thread came back to the event loop."""
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
    with ThreadPoolExecutor(1, "page") as thread:
        async with ThreadSensitiveContext(executor=thread):
            await handler(scope, receive, send)  # type: ignore[arg-type]
    return sent, loop.returns


def _run(handler: ASGIHandler, path: str) -> tuple[list[dict[str, Any]], int]:
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(_asked(handler, path))


@pytest.mark.parametrize(("path", "status"), [("/accounts/login/", 200), ("/nowhere/", 404)])
@pytest.mark.django_db(transaction=True)
def test_all_of_a_page_is_one_piece_of_work(path: str, status: int) -> None:
    messages, returns = _run(OneThreadHandler(), path)
    assert messages[0]["status"] == status and messages[1]["body"]
    assert returns == 1
    assert _run(ASGIHandler(), path)[1] > 4, "Django alone comes back for each layer"


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_the_one_that_django_sends() -> None:
    own, djangos = (_run(handler, "/accounts/login/")[0] for handler in _handlers())
    assert [message["type"] for message in own] == [message["type"] for message in djangos]
    assert _names(own) == _names(djangos)
    assert {b"Content-Type", b"Set-Cookie", b"X-Frame-Options"} <= set(_names(own))


@pytest.mark.parametrize("path", ["/accounts/login/", "/nowhere/", "/stream/"])
@pytest.mark.django_db(transaction=True)
def test_signals_of_a_request_come_in_the_thread_of_its_view(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def note(**_: object) -> None:
        threads.append(threading.current_thread().name)

    handler = OneThreadHandler()
    whole = handler._middleware_chain

    def noted(request: HttpRequest) -> HttpResponseBase:
        note()
        return _streamed() if path == "/stream/" else whole(request)

    monkeypatch.setattr(handler, "_middleware_chain", noted)
    signals.request_started.connect(note)
    signals.request_finished.connect(note)
    try:
        messages, _ = _run(handler, path)
    finally:
        signals.request_started.disconnect(note)
        signals.request_finished.disconnect(note)
    assert messages[0]["status"] in (200, 404)
    assert len(threads) == 3 and set(threads) == {"page_0"}


@pytest.mark.django_db(transaction=True)
def test_a_stream_is_sent_in_parts_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    handler, response = OneThreadHandler(), _streamed()
    monkeypatch.setattr(handler, "_middleware_chain", lambda _: response)
    messages, _ = _run(handler, "/stream/")
    assert [message.get("body", b"") for message in messages[1:]] == [b"one", b"two", b""]
    assert response.closed


@pytest.mark.django_db(transaction=True)
def test_a_view_that_fails_answers_and_ends_its_request() -> None:
    handler, ended = OneThreadHandler(), list[object]()

    def note(**given: object) -> None:
        ended.append(given["sender"])

    def fails(_: HttpRequest) -> HttpResponseBase:
        raise ZeroDivisionError

    handler._middleware_chain = convert_exception_to_response(fails)
    signals.request_finished.connect(note)
    try:
        messages, returns = _run(handler, "/fails/")
    finally:
        signals.request_finished.disconnect(note)
    assert messages[0]["status"] == 500 and returns == 1
    assert ended == [OneThreadHandler]


def _handlers() -> tuple[ASGIHandler, ASGIHandler]:
    return OneThreadHandler(), ASGIHandler()


def _names(messages: list[dict[str, Any]]) -> list[bytes]:
    return [name for name, _ in messages[0]["headers"]]


def _streamed() -> StreamingHttpResponse:
    async def parts() -> AsyncIterator[bytes]:
        yield b"one"
        await asyncio.sleep(0)
        yield b"two"

    return StreamingHttpResponse(parts())
