"""Django in one piece: a request goes to its thread once and comes back with its response."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from config.door import computing, proven
from config.door.refusals import Message, Receive, Scope, Send


class OneThreadHandler(ASGIHandler):
    """Django's ASGI handler with signals, middleware, view and end of a request in one thread.

    By default Django hands each middleware over between the event loop and a thread, and each such
    change waits for its turn among thousands of sockets. Threads compute one after the other.

    A response is complete before its first message is sent, and a client that leaves meanwhile is
    not noticed: the front door (`config.door.pages`) sends it, and lets Django work to the end.
    """

    _middleware_chain: Any

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware for threads, also where Django asks for coroutines."""
        super().load_middleware(is_async=False)
        self._middleware_chain = computing.in_turn(self._middleware_chain)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; all of its work is one visit to the thread of the request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            answer = await sync_to_async(self._work, thread_sensitive=True)(scope, body)
            if isinstance(answer, list):
                for message in answer:
                    await send(message)
                return
            # Parts of a stream may need the event loop, so its end is a visit of its own.
            try:
                await self.send_response(answer, send)
            finally:
                await sync_to_async(answer.close, thread_sensitive=True)()

    def _work(self, scope: Scope, body: Any) -> list[Message] | HttpResponseBase:
        """Return the messages of a finished response, or a response that is a stream."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        proven.trust()
        request, unreadable = self.create_request(scope, body)
        response = unreadable if request is None else self._answered(request)
        assert response is not None, "Django makes a request or says why not"
        if response.streaming:
            return response
        try:
            return _messages(response)
        finally:
            # The last signal of a request, at which Django checks its connections.
            response.close()

    def _answered(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = self.get_response(request)
        response._handler_class = type(self)  # type: ignore[attr-defined]
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        return response


def _messages(response: Any) -> list[Message]:
    """Return the ASGI messages of a response that is complete."""
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    headers += [
        (b"Set-Cookie", cookie.output(header="").encode("ascii").strip())
        for cookie in response.cookies.values()
    ]
    start = {"type": "http.response.start", "status": response.status_code, "headers": headers}
    return [start, {"type": "http.response.body", "body": response.content}]
