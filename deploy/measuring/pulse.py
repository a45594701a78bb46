"""Growth of every table's stream, watched from outside to measure recovery from faults."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import RedisError

from config.redis import addresses, clients
from tables.store import keys

LOOK_EVERY_S = 0.02
AWAY_S = 0.5


@dataclass(slots=True)
class Fault:
    """Fault in a room and the reaction of its tables, in seconds.

    `next_s` is the time to a table's next event, `stood_s` its longest silence since.
    """

    name: str
    at_s: float
    waiting: set[str]
    next_s: dict[str, float] = field(default_factory=dict)
    stood_s: dict[str, float] = field(default_factory=dict)
    silent_since_s: dict[str, float] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Return whether every table that was in play had an event since, or closed."""
        return not self.waiting

    def grew(self, table: str, now_s: float) -> None:
        """Note a new event of a table."""
        if table not in self.silent_since_s:
            return  # opened after the fault
        silence_s = now_s - self.silent_since_s[table]
        self.silent_since_s[table] = now_s
        self.stood_s[table] = max(silence_s, self.stood_s.get(table, 0.0))
        if table in self.waiting:
            self.waiting.discard(table)
            self.next_s[table] = now_s - self.at_s

    def closed(self, table: str) -> None:
        """Note the end of a table; no more events are expected."""
        self.waiting.discard(table)
        self.silent_since_s.pop(table, None)

    def steady(self, now_s: float, within_s: float) -> bool:
        """Return whether every remaining table had an event in the last `within_s`."""
        return self.over and all(
            now_s - since_s < within_s for since_s in self.silent_since_s.values()
        )


class Pulse:
    """Newest event of each table but for named ones, polled all the time in a thread."""

    def __init__(
        self,
        url: str,
        *,
        shards: int = 1,
        clock: Callable[[], float] = time.monotonic,
        but_for: frozenset[str] = frozenset(),
    ) -> None:
        self._redis = clients.hasty_client_at(addresses.parse(url), within_s=AWAY_S)
        self._shards = shards
        self._but_for = but_for
        self._clock = clock
        self._heads: dict[str, bytes] = {}
        self._faults: list[Fault] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        threading.Thread(target=self._run, name="pulse", daemon=True).start()

    @property
    def tables(self) -> set[str]:
        """Return the tables in play."""
        return set(self._heads)

    def close(self) -> None:
        """Stop polling."""
        self._closing.set()

    @contextmanager
    def watching(self, name: str) -> Iterator[Fault]:
        """Measure the fault injected inside the block."""
        fault = self.begin(name)
        try:
            yield fault
        finally:
            self.end(fault)

    def begin(self, name: str) -> Fault:
        """Start measuring the tables in play."""
        with self._lock:
            self._look()
            now_s = self._clock()
            tables = set(self._heads)
            fault = Fault(name, now_s, set(tables), silent_since_s=dict.fromkeys(tables, now_s))
            self._faults.append(fault)
        return fault

    def end(self, fault: Fault) -> None:
        """Stop measuring; a lasting silence counts up to now."""
        with self._lock:
            self._faults = [other for other in self._faults if other is not fault]
            now_s = self._clock()
            for table, since_s in fault.silent_since_s.items():
                fault.stood_s[table] = max(now_s - since_s, fault.stood_s.get(table, 0.0))

    def _run(self) -> None:
        while not self._closing.wait(LOOK_EVERY_S):
            with self._lock:
                self._look()
        self._redis.close()

    def _look(self) -> None:
        known = defaultdict[int, set[str]](set)
        for table in self._heads:
            known[keys.shard(table, self._shards)].add(table)
        for shard in range(self._shards):
            try:
                self._note(self._ask(sorted(self._tables(shard) | known[shard])))
            except (RedisError, OSError):
                continue  # this shard is away: none of its streams grows

    def _note(self, seen: dict[str, tuple[bytes | None, bool]]) -> None:
        now_s = self._clock()
        for table, (head, closed) in seen.items():
            if head is not None and self._heads.get(table) != head:
                self._heads[table] = head
                for fault in self._faults:
                    fault.grew(table, now_s)
            if closed:
                self._heads.pop(table, None)
                for fault in self._faults:
                    fault.closed(table)

    def _tables(self, shard: int) -> set[str]:
        listed: Any = self._redis.zrange(keys.wakes(shard), 0, -1)
        members = {name.decode() for name in listed}
        return {name for name in members - self._but_for if name.startswith("table:")}

    def _ask(self, tables: list[str]) -> dict[str, tuple[bytes | None, bool]]:
        """Return for each table the id of its newest event, and whether it ended."""
        pipe = self._redis.pipeline(transaction=False)
        for table in tables:
            pipe.xrevrange(keys.events(table, self._shards), count=1)
            pipe.exists(keys.state(table, self._shards))
            pipe.zscore(keys.wakes(keys.shard(table, self._shards)), table)
        told = pipe.execute()
        seen: dict[str, tuple[bytes | None, bool]] = {}
        for number, table in enumerate(tables):
            newest, known, due = told[3 * number : 3 * number + 3]
            # A table that Redis lost has no wake either, but it has not ended.
            seen[table] = (newest[0][0] if newest else None, bool(known) and due is None)
        return seen
