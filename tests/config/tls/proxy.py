"""Proxy that ends TLS before a server without it, and keeps every byte that was on the wire."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

ASKS_FOR_TLS = bytes.fromhex("0000000804d2162f")
"""First message of a client of PostgreSQL (SSLRequest)."""

HOST = "127.0.0.1"
CHUNK_BYTES = 65_536


class TlsProxy:
    """Listens at `port` over TLS; `wire` has what went over it, `told` counts what clients said.

    A byte counts as said once it came out of TLS: of a refused server there is none.
    A first relay takes down the bytes, a second one, known to it alone, ends TLS.
    """

    def __init__(self, target: int, context: ssl.SSLContext | None, postgres: bool) -> None:
        self.port = 0
        self.told = 0
        self.wire = bytearray()
        self._target, self._context, self._postgres = target, context, postgres
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()

    def _run(self, listening: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        at_once = None if self._postgres else self._context
        inner = self._loop.run_until_complete(
            asyncio.start_server(self._end_tls, HOST, 0, ssl=at_once)
        )
        self._inner = inner.sockets[0].getsockname()[1]
        outer = self._loop.run_until_complete(asyncio.start_server(self._write_down, HOST, 0))
        self.port = outer.sockets[0].getsockname()[1]
        listening.set()
        self._loop.run_forever()
        for server in (outer, inner):
            server.close()
        for writer in self._writers:
            writer.transport.abort()
        if left := asyncio.all_tasks(self._loop):
            self._loop.run_until_complete(asyncio.wait(left, timeout=5))
        self._loop.close()

    async def _write_down(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        await self._join(near, back, self._inner, kept=True)

    async def _end_tls(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        if self._postgres and self._context is not None:
            try:
                if await near.readexactly(len(ASKS_FOR_TLS)) != ASKS_FOR_TLS:
                    back.close()  # refuses clients in clear, as `hostssl` does
                    return
                back.write(b"S")
                await back.start_tls(self._context)
            except (OSError, asyncio.IncompleteReadError):
                back.close()
                return
        await self._join(near, back, self._target, kept=False)

    async def _join(
        self, near: asyncio.StreamReader, back: asyncio.StreamWriter, port: int, kept: bool
    ) -> None:
        self._writers.add(back)
        with suppress(OSError):
            far, on = await asyncio.open_connection(HOST, port)
            self._writers.add(on)
            ways = [self._pump(near, on, kept, said=not kept), self._pump(far, back, kept)]
            await asyncio.wait(
                [asyncio.ensure_future(way) for way in ways], return_when="FIRST_COMPLETED"
            )
            on.close()
            self._writers.discard(on)
        back.close()
        self._writers.discard(back)

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        kept: bool,
        said: bool = False,
    ) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK_BYTES):
                if kept:
                    self.wire += chunk
                self.told += len(chunk) if said else 0
                writer.write(chunk)
                await writer.drain()


@contextmanager
def in_front_of(
    target: int, context: ssl.SSLContext | None, *, postgres: bool = False
) -> Iterator[TlsProxy]:
    """A proxy before the port of a server during the block; without a context it ends no TLS."""
    proxy = TlsProxy(target, context, postgres)
    listening = threading.Event()
    thread = threading.Thread(target=proxy._run, args=[listening], daemon=True)
    thread.start()
    assert listening.wait(60)
    try:
        yield proxy
    finally:
        proxy._loop.call_soon_threadsafe(proxy._loop.stop)
        thread.join(60)
