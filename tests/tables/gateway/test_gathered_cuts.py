"""Cuts of one table are one run of a script, and each sender gets the own outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from config.redis import async_at
from tables.dealer.state import TableState
from tables.gateway.gathered_cuts import GatheredCuts, Outcome
from tables.gateway.shards import Shards
from tables.store import fenced, keys
from tables.store.inbox import SentCut
from tables.wire.client_commands import CutDeck
from tables.workers import recovery
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tables(room: Redis) -> list[TableState]:
    """Two tables of three in Redis, in their first hands."""
    found = []
    for _ in range(2):
        made = playing.sit_down([900] * 3)
        recovery.open_tables(room, [made.pk])
        found.append(playing.run(room, made.pk))
    return found


def _cut(state: TableState, seat: int) -> SentCut:
    pledge = f"{seat:02x}" * 32
    cut = CutDeck(state.table, state.epoch, state.hand_number, pledge=pledge)
    return SentCut(state.at(seat).user, cut)


def _sent(send: Callable[[GatheredCuts], Awaitable[Any]]) -> Any:
    async def all_of_them() -> Any:
        shards = Shards(lambda: async_at(settings.ROOM_REDIS_URL))
        try:
            return await send(GatheredCuts(shards))
        finally:
            await shards.close()

    return asyncio.run(all_of_them())


def _runs(room: Redis) -> int:
    stats = room.info("commandstats")
    return sum(
        int(stats.get(f"cmdstat_{name}", {}).get("calls", 0)) for name in ("eval", "evalsha")
    )


def test_cuts_of_a_table_are_one_run_and_those_of_others_their_own(
    room: Redis, tables: list[TableState]
) -> None:
    given = [_cut(state, seat) for state in tables for seat in (1, 2, 3)]
    stranger = SentCut(10**9, given[0].cut)

    async def send(cuts: GatheredCuts) -> list[Outcome]:
        return list(await asyncio.gather(*map(cuts.send, [*given, stranger])))

    _sent(send)  # Redis knows the script from here on.
    before = _runs(room)
    found = _sent(send)
    assert [status for status, _ in found] == ["accepted"] * 6 + ["not_seated"]
    assert _runs(room) - before == 2
    for state in tables:
        assert room.llen(keys.inbox(keys.table(state.table), settings.SHARDS)) == 6
        assert fenced.peek(room, state.table) == state, "cuts wait for the next step"


def test_one_sender_rings_for_all_and_not_one_who_is_gone(
    room: Redis, tables: list[TableState]
) -> None:
    state = tables[0]
    key = keys.state(keys.table(state.table), settings.SHARDS)
    users = [state.at(seat).user for seat in (1, 2, 3)]
    room.hset(key, mapping={"awaits": f",{users[0]},{users[1]},{users[2]},", "deal_ms": 1})
    cuts = [
        SentCut(user, CutDeck(state.table, state.epoch, state.hand_number, seed="ab" * 32))
        for user in users
    ]

    async def send(gathered: GatheredCuts) -> list[Outcome]:
        first, *others = [asyncio.create_task(gathered.send(cut)) for cut in cuts]
        await asyncio.sleep(0)
        first.cancel()
        return list(await asyncio.gather(*others))

    assert _sent(send) == [("accepted", True), ("accepted", False)]
    assert room.hget(key, "awaits") == b","


def test_a_cut_that_cannot_be_sent_fails_for_its_sender(tables: list[TableState]) -> None:
    async def send(gathered: GatheredCuts) -> Any:
        given = [gathered.send(_cut(tables[0], seat)) for seat in (1, 2)]
        return await asyncio.gather(*given, return_exceptions=True)

    async def nowhere() -> Any:
        shards = Shards(lambda: async_at("redis://127.0.0.1:1/0"))
        try:
            return await send(GatheredCuts(shards))
        finally:
            await shards.close()

    failed = asyncio.run(nowhere())
    assert [isinstance(error, RedisError | OSError) for error in failed] == [True, True]
