"""Attacking clients from several loopback addresses, one function per kind of attack."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address, ip_network
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from config.process import open_files

LOOPBACK = ip_network("127.0.0.0/8")
ADDRESSES = tuple(f"127.0.66.{number}" for number in range(1, 5))
"""Source addresses of attackers; all other clients are at 127.0.0.1."""

BODY_BYTES = 1_500_000_000
CHUNK = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
SOCKETS_MAX = 20_000
ANSWER_S = 60.0
_CUT = (OSError, EOFError, ValueError, WebSocketException, TimeoutError)


class Attacker:
    """Counter of the room's answers to one attack; `size` is 1.0 for full size."""

    def __init__(self, url: str, size: float) -> None:
        parts = urlsplit(url)
        if ip_address(parts.hostname or "") not in LOOPBACK:
            raise ValueError(f"attacks go to 127.0.0.0/8 only, not to {parts.hostname}")
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self.origin = f"http://{self.host}:{self.port}"
        self.size = size
        self.seen: Counter[str] = Counter()

    def many(self, count: int) -> range:
        """Return `count` scaled by the size of the attack, as a range."""
        return range(max(1, round(count * self.size)))

    async def ask(
        self, method: str, path: str, source: str, form: dict[str, str] | None = None
    ) -> None:
        """Send one request and count its status."""
        token = secrets.token_hex(16)
        body = urlencode(form or {}).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: close\r\n"
            f"Origin: {self.origin}\r\nReferer: {self.origin}/\r\nX-CSRFToken: {token}\r\n"
            f"Cookie: csrftoken={token}\r\nContent-Length: {len(body)}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        )
        await self._exchange(source, [head.encode() + body])

    async def trickle(self, path: str, source: str) -> None:
        """Send an endless chunked body until the room closes the connection."""
        head = f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        parts = [CHUNK] * (BODY_BYTES // 65_536)
        await self._exchange(source, [f"{head}Transfer-Encoding: chunked\r\n\r\n".encode(), *parts])

    async def _exchange(self, source: str, parts: Iterable[bytes]) -> None:
        try:
            async with asyncio.timeout(ANSWER_S):
                opening = asyncio.open_connection(self.host, self.port, local_addr=(source, 0))
                reader, writer = await opening
                try:
                    answering = asyncio.ensure_future(reader.readline())
                    for part in parts:
                        if answering.done() or writer.transport.is_closing():
                            break
                        writer.write(part)
                        self.seen["bytes sent"] += len(part)
                        with suppress(OSError):
                            await writer.drain()
                    status = (await answering).split()
                    self.seen[status[1].decode() if len(status) > 1 else "cut"] += 1
                    await reader.read()
                finally:
                    writer.close()
        except _CUT as failure:
            self.seen[type(failure).__name__] += 1

    @asynccontextmanager
    async def socket(self, source: str, session: str = "") -> AsyncIterator[ClientConnection]:
        """Open a socket and count the first message of the room."""
        async with connect(
            f"ws://{self.host}:{self.port}/ws/v1/",
            # Websockets types origins as a NewType of str.
            origin=self.origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"sessionid={session}"} if session else {},
            compression=None,
            open_timeout=ANSWER_S,
            close_timeout=1,
            proxy=None,
            local_addr=(source, 0),
        ) as opened:
            said = json.loads(await opened.recv())
            self.seen[said.get("code", said["type"])] += 1
            yield opened

    async def hold_socket(self, source: str, session: str = "") -> None:
        """Hold a socket open until the room closes it."""
        try:
            async with self.socket(source, session) as opened:
                await opened.wait_closed()
        except InvalidStatus as refused:
            self.seen[str(refused.response.status_code)] += 1
        except _CUT as failure:
            self.seen[type(failure).__name__] += 1


async def log_ins(attacker: Attacker) -> None:
    """Send a hundred concurrent log-ins with invented names, repeatedly."""
    while True:
        guesses = [secrets.token_hex(6) for _ in range(100)]
        form = [{"username": f"x{guess}", "password": guess} for guess in guesses]
        await asyncio.gather(
            *(
                attacker.ask("POST", "/accounts/login/", ADDRESSES[n % 4], form[n])
                for n in attacker.many(100)
            )
        )


async def bodies(attacker: Attacker) -> None:
    """Send eight concurrent chunked posts of 1.5 GB, repeatedly."""
    while True:
        await asyncio.gather(
            *(attacker.trickle("/accounts/login/", ADDRESSES[n % 4]) for n in attacker.many(8))
        )


async def pages(attacker: Attacker) -> None:
    """Send two hundred concurrent page requests, repeatedly."""
    while True:
        await asyncio.gather(
            *(attacker.ask("GET", "/", ADDRESSES[n % 4]) for n in attacker.many(200))
        )


async def sockets(attacker: Attacker) -> None:
    """Open up to twenty thousand anonymous sockets from one address and keep them."""
    await _come_in(attacker, [(ADDRESSES[0], "") for _ in attacker.many(SOCKETS_MAX)])


async def made_up(attacker: Attacker) -> None:
    """Open sockets with invented sessions, each of which needs a lookup."""
    many = attacker.many(SOCKETS_MAX)
    await _come_in(attacker, [(ADDRESSES[n % 4], secrets.token_hex(16)) for n in many])


async def _come_in(attacker: Attacker, who: list[tuple[str, str]]) -> None:
    tasks = []
    for source, session in who:
        tasks.append(asyncio.create_task(attacker.hold_socket(source, session)))
        await asyncio.sleep(1 / 200)
    await asyncio.gather(*tasks)


async def aliases(attacker: Attacker) -> None:
    """Open sockets for alternative spellings of tables, and for tables that do not exist."""

    async def one(number: int) -> None:
        with suppress(*_CUT):
            async with attacker.socket(ADDRESSES[number % 4]) as opened:
                for turn in range(1_000_000):
                    table = f"{number % 30 + 1:0{turn % 10 + 2}}" if turn % 2 else str(10**6 + turn)
                    asked = {"type": "subscribe", "stream": f"table:{table}"}
                    await opened.send(json.dumps(asked))
                    said = json.loads(await opened.recv())
                    attacker.seen[said.get("code", said["type"])] += 1
                    await asyncio.sleep(1 / 15)

    while True:
        await asyncio.gather(*(one(number) for number in attacker.many(100)))
        await asyncio.sleep(0.5)


async def sign_ups(attacker: Attacker) -> None:
    """Send sixty sign-ups from one address for the play money, then sixty more."""
    while True:
        for _ in attacker.many(60):
            form = {"name": f"Sock{secrets.token_hex(6)}", "password": secrets.token_urlsafe(16)}
            await attacker.ask("POST", "/accounts/signup/", ADDRESSES[0], form)


ATTACKS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    attack.__name__: attack
    for attack in (log_ins, bodies, pages, sockets, made_up, aliases, sign_ups)
}


async def attack(name: str, url: str, size: float, seconds: float) -> Counter[str]:
    """Run one attack for so long; return the room's answers with their counts."""
    attacker = Attacker(url, size)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await ATTACKS[name](attacker)
    return attacker.seen


if __name__ == "__main__":
    open_files.allow_many()
    os.nice(10)  # real attackers use other machines: here they leave the cores to the room
    found = asyncio.run(attack(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])))
    sys.stdout.write(json.dumps(found))
