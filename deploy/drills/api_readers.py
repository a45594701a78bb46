"""Programs that read the API at a steady rate beside a load's players: one process of clients."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from itertools import cycle
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from deploy.drills.attackers import LOOPBACK
from tables.bots.tally import Spread

ADDRESSES = tuple(f"127.0.67.{number}" for number in range(1, 9))
"""Source addresses of the clients; the players' bots are at 127.0.0.1."""
ANSWER_S = 30.0
IN_FLIGHT_MAX = 2_000
"""Requests without an answer above which no more are sent: the room is far behind."""
PATHS = (
    *("/tournaments", "/tournaments/{tournament}", "/tournaments/{tournament}/results"),
    *("/tournaments/{tournament}/tables", "/tournaments/{tournament}/hands", "/hands"),
    *("/wallet", "/tickets", "/ring-games", "/ring-sessions", "/seasons", "/ladders"),
)
"""Reading routes, asked in turn."""


class ApiReader:
    """Lasting connections of one address to a room, as many as it has requests under way.

    A library's client takes a third of a core at 120 requests a second: the load would measure its
    own clients.
    """

    def __init__(self, host: str, port: int, source: str) -> None:
        self._host, self._port, self._source = host, port, source
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def status(self, path: str, token: str) -> str:
        """Return the status of a whole answer, e.g. "200".

        Raises OSError and EOFError for a lost connection, ValueError for no answer of HTTP.
        """
        reader, writer = await self._connected()
        try:
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
                f"Authorization: Bearer {token}\r\n\r\n".encode()
            )
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            first, *lines = head.rstrip().split("\r\n")
            _version, status, *_reason = first.split()
            await _read_body(reader, dict(line.split(":", 1) for line in lines))
        except BaseException:
            writer.close()
            raise
        self._free.append((reader, writer))
        return status

    def close(self) -> None:
        """Close the connections without a request under way."""
        while self._free:
            with suppress(OSError):
                self._free.pop()[1].close()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a free connection, or a new one; those that the room has ended are closed."""
        while self._free:
            reader, writer = self._free.pop()
            if not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection(self._host, self._port, local_addr=(self._source, 0))


class ApiReaders:
    """Clients that send `rate` requests a second, each when it is due, answered or not."""

    def __init__(self, url: str, rate: float, tokens: Sequence[str], tournament: int) -> None:
        parts = urlsplit(url)
        if ip_address(parts.hostname or "") not in LOOPBACK:
            raise ValueError(f"the load reads from 127.0.0.0/8 only, not from {url}")
        self._rate = rate
        self._readers = [ApiReader(str(parts.hostname), parts.port or 80, a) for a in ADDRESSES]
        self._tokens = cycle(tokens)
        self._paths = cycle(path.format(tournament=tournament) for path in PATHS)
        self._statuses: Counter[str] = Counter()
        self._answered, self._late = Spread(), Spread()

    async def read(self, seconds: float) -> dict[str, Any]:
        """Read for a while; return the statuses, and the times from when each request was due.

        So a client that waits for a slow answer hides no other slow one.
        """
        turns, sent = cycle(self._readers), set[asyncio.Task[None]]()
        began_s = perf_counter()
        for number in range(round(seconds * self._rate)):
            due_s = began_s + number / self._rate
            await asyncio.sleep(max(0.0, due_s - perf_counter()))
            self._late.add((perf_counter() - due_s) * 1_000)
            if len(sent) >= IN_FLIGHT_MAX:
                self._statuses["not sent"] += 1
                continue
            task = asyncio.create_task(self._ask(next(turns), due_s))
            sent.add(task)
            task.add_done_callback(sent.discard)
        await asyncio.gather(*sent)
        for reader in self._readers:
            reader.close()
        return {
            "statuses": dict(sorted(self._statuses.items())),
            "ms": self._answered.summary(),
            "sent_late_ms": self._late.summary(),
        }

    async def _ask(self, reader: ApiReader, due_s: float) -> None:
        try:
            async with asyncio.timeout(ANSWER_S):
                status = await reader.status(f"/api/v1{next(self._paths)}", next(self._tokens))
        except (OSError, EOFError, ValueError) as failure:  # among them a time-out
            self._statuses[type(failure).__name__] += 1
            return
        self._statuses[status] += 1
        self._answered.add((perf_counter() - due_s) * 1_000)


async def _read_body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> None:
    """Read a body to its end: one of a told length, or chunks and trailers (RFC 9112, 7.1)."""
    if "chunked" not in headers.get("transfer-encoding", ""):
        await reader.readexactly(int(headers.get("content-length", 0)))
        return
    while size := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        await reader.readexactly(size + len(b"\r\n"))
    while await reader.readuntil(b"\r\n") != b"\r\n":
        continue


def main() -> None:
    """Read `URL RATE SECONDS TOURNAMENT` and print the report; tokens are lines of the input."""
    url, rate, seconds, tournament = sys.argv[1:]
    readers = ApiReaders(url, float(rate), sys.stdin.read().split(), int(tournament))
    sys.stdout.write(json.dumps(asyncio.run(readers.read(float(seconds)))))


if __name__ == "__main__":
    main()
