"""Load and commit the state of tables in Redis, fenced by epoch and version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.conf import settings
from redis import Redis

from config import limits
from config.scripts import ScriptCall, run, run_all
from tables.dealer import state as states
from tables.dealer.commands import Received
from tables.dealer.state import TableState
from tables.store import inbox, keys, lua, readable
from tables.store.streams import StreamEntry, stream_entries
from tables.wire.table_events import TableEvent

_json = msgspec.json.Encoder().encode

KEY_LIFETIME_S = 24 * 3600
"""Lifetime of the keys of a closed table, in seconds."""


class NotAdopted(Exception):
    """The run of Redis that answers is not adopted: what it holds may be older than what was told.

    The caller does nothing; wakes ring again after the adoption.
    """


class Loaded(msgspec.Struct, frozen=True):
    """A table as loaded: its state under (epoch, version), and the commands in its inbox."""

    state: TableState
    version: int
    received: tuple[Received, ...]
    drained: int
    now_ms: int
    shift_ms: int


class Step(msgspec.Struct, frozen=True):
    """Outcome of one step on a loaded table: next state, events, count of commands obeyed."""

    loaded: Loaded
    state: TableState
    events: Sequence[TableEvent]
    drained: int


def load(redis: Redis, table: int) -> Loaded | None:
    """Load a table with at most INBOX_COMMANDS_MAX commands; None when Redis does not hold it.

    Raises NotAdopted.
    """
    return load_all(redis, [table])[0]


def load_all(redis: Redis, tables: Sequence[int]) -> list[Loaded | None]:
    """Load several tables of one shard in one trip; a state that nobody can read is missing.

    Raises NotAdopted.
    """
    answers = run_all(redis, [_loading(table) for table in tables])
    return [_loaded(table, found) for table, found in zip(tables, answers, strict=True)]


def commit(
    redis: Redis, loaded: Loaded, state: TableState, events: Sequence[TableEvent], *, drained: int
) -> TableState | None:
    """Store a step with its events; return the stored state, or None when another writer was first.

    A caller that stores a state due at once must ring its bell: timers look again one lease later.
    """
    return commit_all(redis, [Step(loaded, state, events, drained)])[0]


def commit_all(redis: Redis, steps: Sequence[Step]) -> list[TableState | None]:
    """Store steps of several tables of one shard in one trip; each succeeds or fails on its own."""
    calls, states_after = [], []
    for step in steps:
        told = stream_entries(step.state, step.events, before=step.loaded.state)
        state = msgspec.structs.replace(step.state, seq=step.loaded.state.seq + len(told))
        calls.append(_committing(step, state, told))
        states_after.append(state)
    stored = run_all(redis, calls)
    return [state if done else None for state, done in zip(states_after, stored, strict=True)]


def rest(redis: Redis, loaded: Loaded) -> bool:
    """Put the wake of an unchanged table back; False when another writer was first."""
    return rest_all(redis, [loaded])[0]


def rest_all(redis: Redis, idle: Sequence[Loaded]) -> list[bool]:
    """Put the wakes of several unchanged tables of one shard back in one trip."""
    open_ones = [loaded for loaded in idle if states.wake(loaded.state) is not None]
    rested = iter(run_all(redis, [_resting(loaded) for loaded in open_ones]))
    return [states.wake(loaded.state) is None or bool(next(rested)) for loaded in idle]


def unchanged(redis: Redis, loaded: Loaded) -> bool:
    """Return whether Redis still holds the epoch and version that were loaded."""
    key = keys.state(keys.table(loaded.state.table), settings.SHARDS)
    epoch, version = redis.hmget(key, "epoch", "version")
    return (epoch, version) == (b"%d" % loaded.state.epoch, b"%d" % loaded.version)


def open_at(redis: Redis, state: TableState, events: Sequence[TableEvent]) -> bool:
    """Store a state built from PostgreSQL under its new epoch; False when Redis has a newer one."""
    told = stream_entries(state, events, before=None)
    state = msgspec.structs.replace(state, seq=len(told))
    member = keys.table(state.table)
    due = states.wake(state)
    assert due is not None
    arguments = [
        state.epoch,
        member,
        states.encode(state),
        _json(states.users(state)),
        *due,
        *_counted([(line.id, line.public) for line in told]),
    ]
    return bool(run(redis, ScriptCall(lua.source("open"), _names(member), arguments)))


def close_at(redis: Redis, state: TableState, events: Sequence[TableEvent]) -> bool:
    """End a table under a newer epoch with its last events; False when that was done before."""
    assert state.phase == "closed"
    told = stream_entries(state, events, before=None)
    state = msgspec.structs.replace(state, seq=len(told))
    member = keys.table(state.table)
    arguments = [
        state.epoch,
        member,
        states.encode(state),
        KEY_LIFETIME_S,
        *_counted([(line.id, line.public) for line in told]),
    ]
    return bool(run(redis, ScriptCall(lua.source("close"), _names(member), arguments)))


def peek(redis: Redis, table: int) -> TableState | None:
    """Return the current state of a table for reading only; None when Redis does not hold it.

    A state that nobody can read is missing, too: it is rebuilt from PostgreSQL like a lost one.
    """
    return peek_all(redis, [table])[0]


def peek_all(redis: Redis, tables: Sequence[int]) -> list[TableState | None]:
    """Return the current states of several tables in one trip, each as `peek` does."""
    with redis.pipeline(transaction=False) as pipe:
        for table in tables:
            pipe.hmget(keys.state(keys.table(table), settings.SHARDS), readable.FIELDS)
        replies = pipe.execute(raise_on_error=False)
    found = [
        readable.stored_state(table, reply) for table, reply in zip(tables, replies, strict=True)
    ]
    return [None if stored is None else stored.state for stored in found]


def _names(member: str) -> tuple[str, ...]:
    """Keys of a table (state, inbox, wakes, events, results); scripts take a prefix of them."""
    shards = settings.SHARDS
    return (
        keys.state(member, shards),
        keys.inbox(member, shards),
        keys.wakes(keys.shard(member, shards)),
        keys.events(member, shards),
        keys.results(member, shards),
    )


def _loading(table: int) -> ScriptCall:
    member = keys.table(table)
    shard = keys.shard(member, settings.SHARDS)
    names = (*_names(member)[:2], keys.beat(shard), keys.run(shard))
    arguments = (limits.INBOX_COMMANDS_MAX, limits.BEAT_GAP_MS)
    return ScriptCall(lua.source("load"), names, arguments)


def _loaded(table: int, found: Any) -> Loaded | None:
    if not found:
        raise NotAdopted
    fields, waiting, now_ms, shift_ms = found
    stored = readable.stored_state(table, fields)
    if stored is None:
        return None
    return Loaded(
        state=stored.state,
        version=stored.version,
        received=tuple(filter(None, map(inbox.received, waiting))),
        drained=len(waiting),
        now_ms=int(now_ms),
        shift_ms=int(shift_ms),
    )


def _committing(step: Step, state: TableState, told: Sequence[StreamEntry]) -> ScriptCall:
    before = step.loaded.state
    member = keys.table(state.table)
    private = sorted({entry for line in told for entry in line.private})
    due, rings = states.wake(state), 0
    if due is not None and due[0] <= step.loaded.now_ms:
        # The caller rings for a state that is due at once, so the wake is leased already: without
        # the lease a timer would ring a second time.
        due, rings = (step.loaded.now_ms + limits.WAKE_LEASE_MS, due[1]), 1
    arguments = [
        before.epoch,
        step.loaded.version,
        member,
        states.encode(state),
        _json(states.users(state)),
        step.drained,
        *(("", "") if due is None else due),
        limits.STREAM_EVENTS_MAX,
        KEY_LIFETIME_S,
        limits.COMMAND_WAKE_MS,
        rings,
        _awaits(state),
        0 if state.called is None else state.called.deal_ms,
        *_counted([(line.id, line.public) for line in told]),
        *_counted(_changed_results(before, state)),
        *_counted(_private(told, private)),
    ]
    cards = (keys.cards(member, entry, settings.SHARDS) for entry in private)
    return ScriptCall(lua.source("commit"), (*_names(member), *cards), arguments)


def _awaits(state: TableState) -> str:
    """Return the awaited users as `cut.lua` reads them, each between commas."""
    users = states.awaited(state)
    return f",{','.join(map(str, users))}," if users else ""


def _resting(loaded: Loaded) -> ScriptCall:
    member = keys.table(loaded.state.table)
    due = states.wake(loaded.state)
    assert due is not None
    arguments = (loaded.state.epoch, loaded.version, member, due[0], limits.COMMAND_WAKE_MS)
    return ScriptCall(lua.source("rest"), _names(member)[:3], arguments)


def _changed_results(before: TableState, after: TableState) -> list[tuple[object, ...]]:
    old = {seat.user: seat.results for seat in before.seats}
    return [
        (seat.user, _json(seat.results))
        for seat in after.seats
        if seat.results != old.get(seat.user, ())
    ]


def _private(told: Sequence[StreamEntry], entries: Sequence[int]) -> list[tuple[object, ...]]:
    index = {entry: number for number, entry in enumerate(entries, start=1)}
    return [(index[entry], line.id, raw) for line in told for entry, raw in line.private.items()]


def _counted(rows: Sequence[tuple[object, ...]]) -> list[object]:
    return [len(rows), *(value for row in rows for value in row)]
