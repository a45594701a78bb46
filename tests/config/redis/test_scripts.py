"""Script runner: scripts that Redis lost are loaded and run again, once, for every kind of call."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.conf import settings
from redis import Redis
from redis.exceptions import ResponseError

from config.redis import async_at
from config.redis.scripts import PlainCall, ScriptCall, Trips, run, run_all, run_all_async

COUNT = "return redis.call('INCRBY', KEYS[1], ARGV[1])"
FAIL = "return redis.error_reply('refused')"
PUT = "redis.call('SET', KEYS[1], ARGV[1]) return ARGV[1]"


def _count(number: int) -> ScriptCall:
    return ScriptCall(COUNT, ["count"], [number])


def _put(text: str) -> ScriptCall:
    return ScriptCall(PUT, ["text"], [text])


def test_scripts_that_redis_lost_run_once_beside_scripts_it_knows(room: Redis) -> None:
    room.script_flush()
    assert run(room, _count(1)) == 1
    assert run_all(room, [_count(2), _put("a"), _count(4), _put("b")]) == [3, b"a", 7, b"b"]
    room.script_flush()
    assert run_all(room, [_put("c"), _count(8), _put("d")]) == [b"c", 15, b"d"]
    assert room.get("text") == b"d"


def test_an_event_loop_runs_lost_scripts_and_plain_commands_in_one_trip(room: Redis) -> None:
    room.script_flush()
    room.xadd("stream", {"e": "x"}, id="1-1")

    async def ask() -> list[Any]:
        client = async_at(settings.ROOM_REDIS_URL)
        try:
            read = PlainCall(("XRANGE", "stream", "-", "+", "COUNT", 5))
            return await run_all_async(client, [_count(1), read, _put("a"), _count(2)])
        finally:
            await client.aclose()

    assert asyncio.run(ask()) == [1, [(b"1-1", {b"e": b"x"})], b"a", 3]


def test_an_error_of_one_script_is_raised_after_the_others_ran(room: Redis) -> None:
    with pytest.raises(ResponseError, match="refused"):
        run_all(room, [_count(1), ScriptCall(FAIL, [], []), _count(2)])
    assert room.get("count") == b"3"


def test_callers_at_once_share_trips_and_each_gets_its_own_reply(room: Redis) -> None:
    room.script_flush()
    script = "if ARGV[1] == '7' then return redis.error_reply('refused') end return ARGV[1]"

    async def ask() -> list[Any]:
        client = async_at(settings.ROOM_REDIS_URL)
        try:
            trips = Trips(client, script)
            runs = [trips.run(["count"], [number]) for number in range(150)]
            return await asyncio.gather(*runs, return_exceptions=True)
        finally:
            await client.aclose()

    replies = asyncio.run(ask())
    assert isinstance(replies.pop(7), ResponseError)
    assert replies == [str(number).encode() for number in range(150) if number != 7]
