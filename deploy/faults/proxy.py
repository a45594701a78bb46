"""TCP proxy that injects faults: it cuts connections in mid-message, or stalls them.

`python -m deploy.faults.proxy LISTEN:TARGET...` forwards ports of 127.0.0.1. On SIGUSR1 it cuts
about half of its connections, on SIGUSR2 it forwards nothing for a while.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from contextlib import suppress

HOST = "127.0.0.1"
CHUNK_BYTES = 65_536
STALL_S = 2.0
CUT_WITHIN_S = 0.5
"""Seconds after which an idle connection is cut."""


class ProxiedConnection:
    """Connection through the proxy, both ways."""

    def __init__(self, proxy: Proxy, client: asyncio.StreamWriter) -> None:
        self._proxy = proxy
        self._writers = [client]
        self._doomed = False

    async def run(self, reader: asyncio.StreamReader, target: int) -> None:
        """Forward until either side ends, or the connection is cut."""
        try:
            answers, onward = await asyncio.open_connection(HOST, target)
            self._writers.append(onward)
            ways = [self._pump(reader, onward), self._pump(answers, self._writers[0])]
            tasks = [asyncio.ensure_future(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        except OSError:
            pass  # the target port has no listener now
        finally:
            self.abort()

    def cut(self) -> None:
        """Forward half of the next data, then end."""
        self._doomed = True
        asyncio.get_running_loop().call_later(CUT_WITHIN_S, self.abort)

    def abort(self) -> None:
        """Abort both sides at once, with unsent data."""
        for writer in self._writers:
            writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK_BYTES):
                await self._proxy.flowing.wait()
                if self._doomed:
                    writer.write(chunk[: len(chunk) // 2])
                    await writer.drain()
                    return
                writer.write(chunk)
                await writer.drain()


class Proxy:
    """All routes and connections of one process."""

    def __init__(self, chance: random.Random) -> None:
        self.flowing = asyncio.Event()
        self.flowing.set()
        self._chance = chance
        self._lines: set[ProxiedConnection] = set()

    async def listen(self, port: int, target: int) -> asyncio.Server:
        """Forward connections of `port` to `target`."""

        async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            line = ProxiedConnection(self, writer)
            self._lines.add(line)
            try:
                await line.run(reader, target)
            finally:
                self._lines.discard(line)

        return await asyncio.start_server(forward, HOST, port)

    def cut(self) -> int:
        """Cut each connection with probability one half; return how many."""
        cut = [line for line in self._lines if self._chance.random() < 0.5]
        for line in cut:
            line.cut()
        return len(cut)

    def stall(self) -> None:
        """Forward nothing for a while."""
        self.flowing.clear()
        asyncio.get_running_loop().call_later(STALL_S, self.flowing.set)


async def serve(routes: list[tuple[int, int]]) -> None:
    """Forward until killed."""
    proxy = Proxy(random.Random())  # nosec B311
    for port, target in routes:
        await proxy.listen(port, target)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, proxy.cut)
    loop.add_signal_handler(signal.SIGUSR2, proxy.stall)
    await asyncio.Event().wait()


if __name__ == "__main__":
    pairs = [argument.split(":") for argument in sys.argv[1:]]
    asyncio.run(serve([(int(port), int(target)) for port, target in pairs]))
