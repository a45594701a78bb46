"""Whole room killed within the delay of a cards-up stream: no card early, no hand lost or twice."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from redis import Redis, RedisError

from config import clock, limits
from deploy.processes import programs, roster
from tables.store import keys
from tests.deploy.cluster.living import CALM_MS, SERVERS, Bots, Living
from tests.redis_answers import entries_of

PLAYERS = 3
DELAY_MS = limits.CARDS_UP_DELAY_MIN_MS
"""Least delay that an organiser may choose."""
BEFORE, IN_ALL = 3, 6
"""Hands settled before the kill, and hands whose telling is awaited."""
LOOK_S = 0.02
CARDS_UP = roster.CARDS_UP.kind

pytestmark = pytest.mark.cluster


class Follower:
    """Reader of one stream over restarts of its server: each event, and the time it was seen."""

    def __init__(self, url: str, stream: str) -> None:
        self.seen: list[tuple[int, dict[str, object]]] = []
        self._redis = Redis.from_url(url, socket_timeout=5)
        self._stream, self._last = stream, ""

    def look(self) -> None:
        """Note new events with the time before they were read; nothing while Redis is away."""
        try:
            entries = entries_of(self._redis, self._stream, after=self._last)
        except RedisError:
            return
        for entry, fields in entries:
            self.seen.append((clock.now_ms(), json.loads(fields[b"e"])))
            self._last = entry.decode()

    def hands(self) -> list[list[tuple[int, dict[str, object]]]]:
        """Return the events of each hand that was begun."""
        begun: list[list[tuple[int, dict[str, object]]]] = []
        for at_ms, event in self.seen:
            if event["type"] == "hand_retold":
                begun.append([])
            begun[-1].append((at_ms, event))
        return begun


@contextmanager
def following(url: str, stream: str) -> Iterator[Follower]:
    """Follow a stream during the block."""
    follower, over = Follower(url, stream), threading.Event()

    def follow() -> None:
        while not over.wait(LOOK_S):
            follower.look()

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        yield follower
    finally:
        over.set()
        thread.join()


def test_a_room_killed_in_the_delay_tells_nothing_early_and_loses_nothing(living: Living) -> None:
    fields = {
        "starting_stack": 12_000,
        "cards_up": "everybody",
        "cards_up_delay_ms": DELAY_MS,
        "cards_up_final_ms": DELAY_MS,
    }
    living.supervisor.start([programs.cards_up(living.layout)])
    tournament = living.offer(players=PLAYERS, seats=PLAYERS, calm_ms=CALM_MS, fields=fields)
    bots = living.send_bots(tournament, PLAYERS)
    living.wait(lambda: bool(living.open_tables(tournament)), 20.0, "it starts")
    [table] = living.open_tables(tournament)
    stream = keys.events(f"cardsup:{table}", 1)
    with following(living.layout.servers().room.url, stream) as follower:
        living.wait(lambda: _settled(living, table) >= BEFORE, 30.0, "hands are settled")
        assert follower.seen == [], "all of it falls into the delay"
        _kill_everything(living, bots)
        living.wait(lambda: living.state_of(tournament) == "running", 30.0, "servers are back")
        living.wait(living.goes_on(tournament), 60.0, "play goes on")
        told = "hands of before and after the kill are told"
        living.wait(lambda: len(follower.hands()) > IN_ALL, DELAY_MS / 1_000 + 60, told)
    due = json.loads(living.operate("due_times", str(table), str(IN_ALL)))
    hands = follower.hands()[:IN_ALL]
    assert [events[0][1]["hand"] for events in hands] == [number for number, _ in due]
    late = []
    for events, (number, times) in zip(hands, due, strict=True):
        assert len(events) == len(times), f"hand {number} is told whole, and once"
        late += [seen_ms - due_ms for (seen_ms, _), due_ms in zip(events, times, strict=True)]
    assert min(late) >= 0, "told before it was due"
    sys.stdout.write(
        f"{len(late)} events of {len(hands)} hands, {min(late)} to {max(late)} ms late\n"
    )
    living.end_calm(tournament)
    living.wait(lambda: living.state_of(tournament) == "finished", 90.0, "it ends")
    for name in (bots.name, CARDS_UP):
        living.supervisor.retire(name)
    assert living.manage("audit") == "no violation\n"


def _settled(living: Living, table: int) -> int:
    [(count,)] = living.sql("SELECT count(*) FROM tables_hand WHERE table_id = %s", table)
    return int(count)


def _kill_everything(living: Living, bots: Bots) -> None:
    """Kill -9 every process of the room: web and workers, bots, and the three servers."""
    workers = [program.name for program in programs.workers(living.layout)]
    for name in ("web", CARDS_UP, *workers, bots.name, *SERVERS):
        living.kill(name)
