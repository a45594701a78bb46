"""Load and commit the state of tables in Redis, fenced by epoch and version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import structlog
from django.conf import settings
from redis import Redis

from config import limits
from config.redis.scripts import ScriptCall, run, run_all
from tables.dealer import state as states
from tables.dealer.commands import Received
from tables.dealer.state import TableState
from tables.store import hidden_states, inbox, keys, lua, private_events, readable
from tables.store.deck_keys import NoDeckKey
from tables.store.hidden_states import CarriedBox
from tables.store.streams import StreamEntry, resumed_cards, stream_entries
from tables.wire.table_events import TableEvent

log = structlog.get_logger(__name__)

_json = msgspec.json.Encoder().encode

NAMED_TABLES_MAX = 4_096
"""Tables whose keys a process remembers."""

KEY_LIFETIME_S = 24 * 3600
"""Lifetime of the keys of a closed table, in seconds."""


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


def open_at(redis: Redis, state: TableState, events: Sequence[TableEvent]) -> bool:
    """Store a state built from PostgreSQL under its new epoch; False when Redis has a newer one."""
    told = stream_entries(state, events, before=None)
    state = msgspec.structs.replace(state, seq=len(told))
    member = keys.table(state.table)
    due = states.wake(state)
    assert due is not None
    dealt = resumed_cards(state)
    cards = _cards_keys(member, dealt)
    arguments = [
        state.epoch,
        member,
        hidden_states.encode(state),
        _json(states.users(state)),
        *due,
        KEY_LIFETIME_S,
        *_counted([(line.id, line.public) for line in told]),
        *_counted(_private(dealt, cards)),
    ]
    names = (*_names(member, settings.SHARDS), *cards.values())
    return bool(run(redis, ScriptCall(lua.source("open"), names, arguments)))


def close_at(
    redis: Redis,
    state: TableState,
    events: Sequence[TableEvent],
    carried: CarriedBox | None = None,
) -> bool:
    """End a table under a newer epoch with its last events; False when that was done before.

    With a `carried` box the table is due once more: a settle worker opens the decks in it.
    """
    assert state.phase == "closed"
    told = stream_entries(state, events, before=None)
    state = msgspec.structs.replace(state, seq=len(told))
    member = keys.table(state.table)
    arguments = [
        state.epoch,
        member,
        hidden_states.encode(state, carried),
        KEY_LIFETIME_S,
        0 if carried is None else 1,
        *_counted([(line.id, line.public) for line in told]),
    ]
    return bool(
        run(redis, ScriptCall(lua.source("close"), _names(member, settings.SHARDS), arguments))
    )


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


@lru_cache(NAMED_TABLES_MAX)
def _names(member: str, shards: int) -> tuple[str, ...]:
    """Keys of a table (state, inbox, wakes, events, results); scripts take a prefix of them."""
    return (
        keys.state(member, shards),
        keys.inbox(member, shards),
        keys.wakes(keys.shard(member, shards)),
        keys.events(member, shards),
        keys.results(member, shards),
    )


def _loading(table: int) -> ScriptCall:
    member = keys.table(table)
    shards = settings.SHARDS
    shard = keys.shard(member, shards)
    names = (*_names(member, shards)[:2], keys.beat(shard), keys.run(shard))
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
    cards = _cards_keys(member, told)
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
        KEY_LIFETIME_S,
        limits.COMMAND_WAKE_MS,
        rings,
        _awaits(state),
        0 if state.called is None else state.called.deal_ms,
        *_counted([(line.id, line.public) for line in told]),
        *_counted(_changed_results(before, state)),
        *_counted(_private(told, cards)),
    ]
    return ScriptCall(
        lua.source("commit"), (*_names(member, settings.SHARDS), *cards.values()), arguments
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
    return ScriptCall(lua.source("rest"), _names(member, settings.SHARDS)[:3], arguments)


def _changed_results(before: TableState, after: TableState) -> list[tuple[object, ...]]:
    old = {seat.user: seat.results for seat in before.seats}
    return [
        (seat.user, _json(seat.results))
        for seat in after.seats
        if seat.results != old.get(seat.user, ())
    ]


def _cards_keys(member: str, told: Sequence[StreamEntry]) -> dict[int, str]:
    entries = sorted({entry for line in told for entry in line.private})
    return {entry: keys.cards(member, entry, settings.SHARDS) for entry in entries}


def _private(told: Sequence[StreamEntry], cards: Mapping[int, str]) -> list[tuple[object, ...]]:
    index = {entry: number for number, entry in enumerate(cards, start=1)}
    return [
        (index[entry], line.id, private_events.box_event(cards[entry], line.id, raw))
        for line in told
        for entry, raw in line.private.items()
    ]


def _counted(rows: Sequence[tuple[object, ...]]) -> list[object]:
    return [len(rows), *(value for row in rows for value in row)]
