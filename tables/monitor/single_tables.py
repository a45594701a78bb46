"""Condition of single tables now: hand, phase, and time since the last change."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from django.conf import settings
from redis import Redis

from config import limits
from tables.dealer.state import Phase, TableState
from tables.monitor.condition import RINGS_STUCK
from tables.store import connections, keys, readable
from tables.store.connections import Tabs


class StoredTable(msgspec.Struct, frozen=True):
    """A table as Redis has it; `phase` is None when Redis holds nothing of it that can be read.

    `quiet_ms` is the time since its hand began or ended or a seat was asked, None before; `late_ms`
    is how long its wake is overdue, `rings` the number of unanswered bells; of the players
    `seated`, `disconnected` have no connection.
    """

    phase: Phase | None
    hand: int
    waits: bool
    quiet_ms: int | None
    late_ms: int
    rings: int
    seated: int = 0
    disconnected: int = 0

    @property
    def is_stuck(self) -> bool:
        """True when no worker answers for the table."""
        return self.phase is None or self.rings >= RINGS_STUCK


def read_tables(client: Redis, tables: Sequence[int], now_ms: int) -> list[StoredTable]:
    """Return the tables in their order, in one trip; `now_ms` on the room's clock."""
    with client.pipeline(transaction=False) as pipe:
        for table in tables:
            member = keys.table(table)
            pipe.hmget(keys.state(member, settings.SHARDS), readable.FIELDS)
            pipe.hget(keys.state(member, settings.SHARDS), "rings")
            pipe.zscore(keys.wakes(keys.shard(member, settings.SHARDS)), member)
            pipe.hgetall(keys.tabs(member, settings.SHARDS))
        for shard in range(settings.SHARDS):
            pipe.hgetall(keys.gateways(shard))
        answers = pipe.execute(raise_on_error=False)
    silent_ms = limits.GATEWAY_SILENT_MAX_MS
    gateways = [reply for reply in answers[4 * len(tables) :] if isinstance(reply, dict)]
    alive = frozenset().union(
        *(connections.living(found, now_ms, silent_ms=silent_ms) for found in gateways)
    )
    columns = (answers[first : 4 * len(tables) : 4] for first in range(4))
    return [
        _now(
            readable.open_state(table, fields),
            readable.count(rings),
            due,
            readable.tabs(tabs),
            alive,
            now_ms,
        )
        for table, fields, rings, due, tabs in zip(tables, *columns, strict=True)
    ]


def _now(
    stored: readable.StoredState | None,
    rings: int,
    due: float | None,
    tabs: Tabs,
    alive: frozenset[str],
    now_ms: int,
) -> StoredTable:
    late_ms = 0 if due is None else max(0, now_ms - int(due))
    if stored is None:
        return StoredTable(None, 0, waits=False, quiet_ms=None, late_ms=late_ms, rings=rings)
    state = stored.state
    moved_ms = _moved_ms(state)
    return StoredTable(
        phase=state.phase,
        hand=state.hand_number,
        waits=state.waiting is not None,
        quiet_ms=max(0, now_ms - moved_ms) if moved_ms else None,
        late_ms=late_ms,
        rings=rings,
        seated=len(state.seats),
        disconnected=sum(
            seat.user not in tabs.of or connections.process(tabs.of[seat.user]) not in alive
            for seat in state.seats
        ),
    )


def _moved_ms(state: TableState) -> int:
    asked_ms = state.turn.asked_ms if state.turn is not None else 0
    return max(state.began_ms, state.ended_ms, asked_ms)
