"""Fault proxy forwards unchanged, and cuts and stalls on request."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from deploy.embedded import ports
from deploy.faults.proxy import HOST, Proxy

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Always(random.Random):
    """Random source with a constant result."""

    def __init__(self, value: float) -> None:
        super().__init__(0)
        self.value = value

    def random(self) -> float:
        return self.value


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(1_000):
        writer.write(chunk)
        await writer.drain()
    writer.close()


@pytest.fixture
async def target() -> AsyncIterator[int]:
    server = await asyncio.start_server(_echo, HOST, 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


async def _through(target: int, coin: float) -> tuple[Proxy, Pair]:
    proxy = Proxy(_Always(coin))
    port = ports.free()
    await proxy.listen(port, target)
    return proxy, await asyncio.open_connection(HOST, port)


async def test_data_arrives_unchanged(target: int) -> None:
    _, (reader, writer) = await _through(target, 0.0)
    said = random.Random(1).randbytes(300_000)
    writer.write(said)
    assert await reader.readexactly(len(said)) == said
    writer.close()
    assert await reader.read() == b""


async def test_a_line_is_cut_in_the_middle_of_a_message(target: int) -> None:
    proxy, (reader, writer) = await _through(target, 0.0)
    writer.write(b"before")
    assert await reader.readexactly(6) == b"before"
    assert proxy.cut() == 1
    writer.write(b"0123456789")
    heard = b""
    try:
        while chunk := await reader.read(100):
            heard += chunk
    except ConnectionError:
        pass
    assert heard in (b"", b"0", b"01", b"012", b"0123", b"01234")


async def test_an_idle_line_is_cut_too_and_others_are_spared(target: int) -> None:
    proxy, (reader, writer) = await _through(target, 0.9)
    assert proxy.cut() == 0
    writer.write(b"still there")
    assert await reader.readexactly(11) == b"still there"
    proxy._chance = _Always(0.0)
    assert proxy.cut() == 1
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await reader.readexactly(1)


async def test_a_stall_holds_everything_back_and_loses_nothing(target: int) -> None:
    proxy, (reader, writer) = await _through(target, 0.0)
    proxy.stall()
    writer.write(b"patience")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reader.readexactly(1), 0.2)
    proxy.flowing.set()
    assert await reader.readexactly(8) == b"patience"


async def test_without_a_target_the_line_ends(target: int) -> None:
    _, (reader, _) = await _through(ports.free(), 0.0)
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await reader.readexactly(1)
