"""Load and commit the state of tables in Redis, fenced by epoch and version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import structlog
from django.conf import settings
from redis import Redis

from config import limits
from config.redis.scripts import ScriptCall, counted, run_all
from tables.dealer import state as states
from tables.dealer.commands import Received
from tables.dealer.state import TableState
from tables.store import hidden_states, inbox, keys, lua, readable
from tables.store.deck_keys import NoDeckKey
from tables.store.hidden_states import CarriedBox
from tables.store.streams import StreamEntry, cards_keys, private_rows, public_rows, stream_entries
from tables.wire.table_events import TableEvent

log = structlog.get_logger(__name__)

_json = msgspec.json.Encoder().encode


class NotAdopted(Exception):
    """The run of Redis that answers is not adopted: what it holds may be older than what was told.

    The caller does nothing; wakes ring again after the adoption.
    """


class Loaded(msgspec.Struct, frozen=True):
    """A table as loaded: its state under (epoch, version), and the commands in its inbox.

    `carried` is the box of an open state; a step from it is stored with this box.
    """

    state: TableState
    version: int
    received: tuple[Received, ...]
    drained: int
    now_ms: int
    shift_ms: int
    carried: CarriedBox | None = None


class Step(msgspec.Struct, frozen=True):
    """Outcome of one step on a loaded table: next state, events, count of commands obeyed."""

    loaded: Loaded
    state: TableState
    events: Sequence[TableEvent]
    drained: int


def load(redis: Redis, table: int) -> Loaded | None:
    """Load a table with at most INBOX_COMMANDS_MAX commands; None when Redis does not hold it.

    Raises NotAdopted, and NoDeckKey for cards that this process may not read.
    """
    [answer] = run_all(redis, [_loading(table)])
    return _loaded(table, answer)


def load_best(redis: Redis, table: int) -> Loaded | None:
    """Load a table as `load` does, as an open state with its box where cards are not readable."""
    [answer] = run_all(redis, [_loading(table)])
    return _loaded(table, answer, readable.best_state)


def load_all(redis: Redis, tables: Sequence[int]) -> list[tuple[int, Loaded | None]]:
    """Load several tables of one shard in one trip; a state that nobody can read is missing.

    A table whose cards this process may not read is left out: nothing happens to it here. Raises
    NotAdopted.
    """
    answers = run_all(redis, [_loading(table) for table in tables])
    loaded: list[tuple[int, Loaded | None]] = []
    for table, found in zip(tables, answers, strict=True):
        try:
            loaded.append((table, _loaded(table, found)))
        except NoDeckKey as missing:
            log.error("table waits for its deck key", table=table, error=str(missing))
    return loaded


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


def peek(redis: Redis, table: int) -> TableState | None:
    """Return the current state of a table for reading only; None when Redis does not hold it.

    A state that nobody can read is missing, too: it is rebuilt from PostgreSQL like a lost one.
    Raises NoDeckKey.
    """
    return _states(_peek(redis, [table], readable.stored_state))[0]


def peek_open(redis: Redis, table: int) -> TableState | None:
    """Return the open state of a table, as `peek` does; no process needs a key for it."""
    return peek_open_all(redis, [table])[0]


def peek_open_all(redis: Redis, tables: Sequence[int]) -> list[TableState | None]:
    """Return the open states of several tables in one trip, each as `peek_open` does."""
    return _states(_peek(redis, tables, readable.open_state))


def peek_best_all(redis: Redis, tables: Sequence[int]) -> list[readable.StoredState | None]:
    """Return the states of several tables, open ones where this process may not read cards."""
    return _peek(redis, tables, readable.best_state)


def _peek(
    redis: Redis, tables: Sequence[int], read: Callable[[int, Any], readable.StoredState | None]
) -> list[readable.StoredState | None]:
    with redis.pipeline(transaction=False) as pipe:
        for table in tables:
            pipe.hmget(keys.state(keys.table(table), settings.SHARDS), readable.FIELDS)
        replies = pipe.execute(raise_on_error=False)
    return [read(table, reply) for table, reply in zip(tables, replies, strict=True)]


def _states(found: Sequence[readable.StoredState | None]) -> list[TableState | None]:
    return [None if stored is None else stored.state for stored in found]


def _loading(table: int) -> ScriptCall:
    member = keys.table(table)
    shards = settings.SHARDS
    shard = keys.shard(member, shards)
    names = (*keys.of_table(member, shards)[:2], keys.beat(shard), keys.run(shard))
    arguments = (limits.INBOX_COMMANDS_MAX, limits.BEAT_GAP_MS)
    return ScriptCall(lua.source("load"), names, arguments)


def _loaded(
    table: int,
    found: Any,
    read: Callable[[int, Any], readable.StoredState | None] = readable.stored_state,
) -> Loaded | None:
    if not found:
        raise NotAdopted
    fields, waiting, now_ms, shift_ms = found
    stored = read(table, fields)
    if stored is None:
        return None
    return Loaded(
        state=stored.state,
        version=stored.version,
        received=tuple(filter(None, map(inbox.received, waiting))),
        drained=len(waiting),
        now_ms=int(now_ms),
        shift_ms=int(shift_ms),
        carried=stored.carried,
    )


def _committing(step: Step, state: TableState, told: Sequence[StreamEntry]) -> ScriptCall:
    before = step.loaded.state
    member = keys.table(state.table)
    cards = cards_keys(member, told)
    due, rings = states.wake(state), 0
    if due is not None and due[0] <= step.loaded.now_ms:
        # The caller rings for a state that is due at once, so the wake is leased already: without
        # the lease a timer would ring a second time.
        due, rings = (step.loaded.now_ms + limits.WAKE_LEASE_MS, due[1]), 1
    arguments = [
        before.epoch,
        step.loaded.version,
        member,
        hidden_states.encode(state, step.loaded.carried),
        _json(states.users(state)),
        step.drained,
        *(("", "") if due is None else due),
        limits.STREAM_EVENTS_MAX,
        keys.KEY_LIFETIME_S,
        limits.COMMAND_WAKE_MS,
        rings,
        _awaits(state),
        0 if state.called is None else state.called.deal_ms,
        *counted(public_rows(told)),
        *counted(_changed_results(before, state)),
        *counted(private_rows(told, cards)),
    ]
    return ScriptCall(
        lua.source("commit"), (*keys.of_table(member, settings.SHARDS), *cards.values()), arguments
    )


def _awaits(state: TableState) -> str:
    """Return the awaited users as `cut.lua` reads them, each between commas."""
    users = states.awaited(state)
    return f",{','.join(map(str, users))}," if users else ""


def _resting(loaded: Loaded) -> ScriptCall:
    member = keys.table(loaded.state.table)
    due = states.wake(loaded.state)
    assert due is not None
    arguments = (loaded.state.epoch, loaded.version, member, due[0], limits.COMMAND_WAKE_MS)
    return ScriptCall(lua.source("rest"), keys.of_table(member, settings.SHARDS)[:3], arguments)


def _changed_results(before: TableState, after: TableState) -> list[tuple[object, ...]]:
    old = {seat.user: seat.results for seat in before.seats}
    return [
        (seat.user, _json(seat.results))
        for seat in after.seats
        if seat.results != old.get(seat.user, ())
    ]
