"""Client of one server for event loops: replies reach their callers, and turns come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis
from redis import asyncio as redis_asyncio
from redis.asyncio.connection import Connection
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, ResponseError, TimeoutError

from config.redis.lean_async import LeanAsyncPool, _Packed
from tests.conftest import Running

TURNS = 3
"""Connections of the pool of these tests."""

WORDS = st.one_of(st.text(), st.binary(), st.integers(), st.floats(allow_nan=False))


@pytest_asyncio.fixture
async def lean(room: Redis) -> AsyncIterator[Any]:
    """A client with three connections, for whose turn a command waits half a second."""
    pool = LeanAsyncPool.from_url(
        settings.ROOM_REDIS_URL, timeout=0.5, max_connections=TURNS, socket_timeout=2
    )
    client = redis_asyncio.Redis.from_pool(pool)
    client.set_retry(redis_asyncio.retry.Retry(NoBackoff(), 0))
    async with client:
        yield client
        assert not pool._in_use_connections
        assert pool._turns._value == TURNS


@given(st.lists(WORDS, max_size=5))
def test_commands_are_packed_as_the_library_packs_them(words: list[Any]) -> None:
    for name in ("GET", "CONFIG SET", b"GET"):
        plain = b"".join(Connection().pack_command(name, *words))
        assert b"".join(_Packed().pack_command(name, *words)) == plain
    both = [("GET", *words), ("SCRIPT LOAD", *words)]
    assert b"".join(_Packed().pack_commands(both)) == b"".join(Connection().pack_commands(both))


async def test_callers_get_their_own_replies(lean: Any) -> None:
    asked = [f"{number}" for number in range(200)]
    replies = await asyncio.gather(*(lean.echo(word) for word in asked))
    assert [reply.decode() for reply in replies] == asked
    pipe = lean.pipeline(transaction=False)
    for word in asked:
        pipe.echo(word)
    assert [reply.decode() for reply in await pipe.execute()] == asked


async def test_a_connection_that_the_server_closed_costs_one_retry(lean: Any, room: Redis) -> None:
    first = await lean.client_id()
    room.client_kill_filter(_id=str(first))
    lean.set_retry(redis_asyncio.retry.Retry(NoBackoff(), 1))
    assert await lean.client_id() > first


async def test_a_reply_that_came_too_late_is_never_that_of_another_command(lean: Any) -> None:
    with pytest.raises(TimeoutError):
        await lean.execute_command("BLPOP", "nothing", 60)
    assert await lean.echo("own") == b"own"


async def test_a_refused_command_keeps_its_connection(lean: Any) -> None:
    connection = await lean.client_id()
    with pytest.raises(ResponseError, match="unknown command"):
        await lean.execute_command("NO", "SUCH")
    assert await lean.client_id() == connection


async def test_nobody_waits_for_a_turn_for_ever(lean: Any) -> None:
    busy = [asyncio.create_task(lean.blpop("nothing", 1)) for _ in range(TURNS)]
    await asyncio.sleep(0.1)
    with pytest.raises(ConnectionError, match="became free"):
        await lean.ping()
    assert await asyncio.gather(*busy) == [None] * TURNS
    assert await lean.ping()


@pytest.mark.parametrize("who", ["a waiting one", "a working one"])
async def test_a_cancelled_command_keeps_no_turn(lean: Any, who: str) -> None:
    busy = [asyncio.create_task(lean.blpop("nothing", 1)) for _ in range(TURNS)]
    await asyncio.sleep(0.1)
    waiting = asyncio.create_task(lean.ping())
    await asyncio.sleep(0.1)
    cancelled = waiting if who == "a waiting one" else busy[0]
    cancelled.cancel()
    with suppress(asyncio.CancelledError):
        await cancelled
    if cancelled is not waiting:
        assert await waiting
    await asyncio.gather(*busy, return_exceptions=True)
    assert await asyncio.gather(*(lean.echo(str(n)) for n in range(9)))


async def test_a_lost_server_fails_with_a_redis_error(lean: Any, room_server: Running) -> None:
    assert await lean.ping()
    room_server.kill()
    for _ in range(TURNS + 1):
        with pytest.raises(ConnectionError):
            await lean.ping()
    room_server.start()
    assert await lean.ping()


def test_tls_is_packed_too() -> None:
    pool: Any = LeanAsyncPool.from_url("rediss://127.0.0.1:1", timeout=1, max_connections=1)
    make: Callable[[], Any] = pool.make_connection
    assert b"".join(make().pack_command("GET", 1)) == b"*2\r\n$3\r\nGET\r\n$1\r\n1\r\n"
    assert make().repr_pieces()[:1] == [("host", "127.0.0.1")]
