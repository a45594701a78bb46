"""Turns are bounded, fair between sources, and keep places for better ranks."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from config.door.turns import Full, Turns

PATIENCE_S = 60.0


class Work:
    """Blockable work that records its order of start."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.began: list[str] = []
        self.refused: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, name: str, source: str, rank: int = 0) -> None:
        self.ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self._do(name, source, rank))
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def _do(self, name: str, source: str, rank: int) -> None:
        try:
            async with self.turns.turn(rank, source):
                self.began.append(name)
                await self.ends[name].wait()
        except Full:
            self.refused.append(name)

    async def end(self, *names: str) -> None:
        for name in names:
            self.ends[name].set()
            for _ in range(5):
                await asyncio.sleep(0)


async def test_sources_take_turns() -> None:
    work = Work(Turns(1, waiting_max=100))
    for number in range(4):
        await work.ask(f"flood{number}", "attacker")
    await work.ask("page", "player")
    await work.end("flood0", "flood1")
    assert work.began == ["flood0", "flood1", "page"], "one turn of the other source, not three"
    await work.end("page", "flood2", "flood3")


async def test_a_better_rank_goes_first_and_has_places_of_its_own() -> None:
    work = Work(Turns(2, kept=(0, 1), waiting_max=100))
    for number in range(3):
        await work.ask(f"anybody{number}", "attacker", 1)
    assert work.began == ["anybody0"]
    await work.ask("player0", "ann")
    await work.ask("player1", "ben")
    assert work.began == ["anybody0", "player0"]
    await work.end("player0")
    assert work.began[-1] == "player1"
    await work.end("player1", "anybody0")
    assert work.began[-1] == "anybody1"
    await work.end("anybody1", "anybody2")
    assert work.turns.busy == work.turns.waiting == 0


async def test_flooding_source_is_refused_before_later_sources() -> None:
    work = Work(Turns(1, kept=(0, 0), waiting_max=3))
    for number in range(6):
        await work.ask(f"flood{number}", "attacker", 1)
    assert work.refused == ["flood4", "flood5"]
    await work.ask("guest", "elsewhere", 1)
    await work.ask("player", "ann", 0)
    assert work.refused == ["flood4", "flood5", "flood3", "flood2"]
    await work.ask("guest2", "elsewhere", 1)
    assert work.refused[-1] == "guest2", "both sources wait equally often"
    await work.end("flood0")
    assert work.began == ["flood0", "player"]
    await work.end("player", "flood1", "guest")
    assert sorted(work.began) == ["flood0", "flood1", "guest", "player"]


async def test_newcomer_never_displaces_a_source_with_as_few_waiting() -> None:
    work = Work(Turns(1, waiting_max=3))
    for name in ("flood0", "flood1", "flood2"):
        await work.ask(name, "attacker")
    await work.ask("guest0", "elsewhere")
    await work.ask("guest1", "elsewhere")
    assert work.refused == ["guest1"]
    await work.end("flood0", "flood1", "guest0", "flood2")
    assert sorted(work.began) == ["flood0", "flood1", "flood2", "guest0"]


async def test_waiting_too_long_is_refused() -> None:
    turns = Turns(1, waiting_max=5)
    async with turns.turn(0, "ann"):
        with pytest.raises(Full):
            async with turns.turn(0, "ben", within_s=0.01):
                raise AssertionError("there was no place")
    assert turns.busy == turns.waiting == 0
    async with turns.turn(0, "ben", within_s=0.01):
        assert turns.busy == 1


@pytest.mark.parametrize("seed", range(20))
async def test_places_are_never_lost_or_exceeded(seed: int) -> None:
    chance, turns = random.Random(seed), Turns(3, kept=(0, 1, 2), waiting_max=8)
    most: Counter[str] = Counter()

    async def one(rank: int, source: str) -> None:
        try:
            async with turns.turn(rank, source, within_s=chance.choice([None, 0.0, 0.001])):
                most["busy"] = max(most["busy"], turns.busy)
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)
        except Full:
            most["refused"] += 1

    tasks = []
    for _ in range(200):
        tasks.append(asyncio.create_task(one(chance.randrange(3), chance.choice("abcd"))))
        if chance.random() < 0.3:
            chance.choice(tasks).cancel()
        if chance.random() < 0.5:
            await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE_S):  # a lost place would make this wait endless
        await asyncio.gather(*tasks, return_exceptions=True)
    assert (turns.busy, turns.waiting) == (0, 0)
    assert most["busy"] <= 3
    assert not any(turns._queues)
