"""Request bodies: read whole before Django, bounded in size, time and sum."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from django.conf import settings

from config import limits
from config.door.refusals import Receive, RequestRefused, Scope, busy


class Gone(Exception):
    """Client left before its request was complete."""


class Bodies:
    """Reader of bodies into memory, never to disk, for one event loop.

    The sum of held bodies is bounded, and so are the incomplete requests of one source: a client
    that sends a byte now and then occupies only its own share.
    """

    def __init__(self) -> None:
        self._held_bytes = 0
        self._arriving: dict[str, int] = {}

    async def read(self, scope: Scope, receive: Receive, source: str) -> bytes:
        """Return the body; raise RequestRefused or Gone. The caller frees it with `release`."""
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced[:20]) > settings.BODY_MAX_BYTES:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body_too_large")
        if self._arriving.get(source, 0) >= limits.BODIES_ARRIVING_PER_SOURCE_MAX:
            raise busy()
        self._arriving[source] = self._arriving.get(source, 0) + 1
        try:
            async with asyncio.timeout(limits.BODY_ARRIVES_S):
                return await self._read(receive)
        except TimeoutError:
            raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT, "body_too_slow") from None
        finally:
            self._arriving[source] -= 1
            if not self._arriving[source]:
                del self._arriving[source]

    def release(self, body: bytes) -> None:
        """Give back the share of memory that the body of an answered request held."""
        self._held_bytes -= len(body)

    async def _read(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        size = 0
        try:
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                part = message.get("body", b"")
                size += len(part)
                self._held_bytes += len(part)
                parts.append(part)
                if size > settings.BODY_MAX_BYTES:
                    raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body_too_large")
                if self._held_bytes > limits.BODIES_HELD_MAX_BYTES:
                    raise busy()
                if not message.get("more_body", False):
                    return b"".join(parts)
        except BaseException:
            self._held_bytes -= size
            raise


async def linger(receive: Receive) -> None:
    """Read on briefly after a refusal, so that the client receives it before the close."""
    dropped = 0
    try:
        async with asyncio.timeout(limits.BODY_LINGER_S):
            while dropped < limits.BODY_LINGER_BYTES:
                message = await receive()
                dropped += len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return
