"""Loads and commits a table's state in Redis, fenced by epoch and version."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import structlog
from django.conf import settings
from redis import Redis

from config import limits
from tables import keys, lua
from tables.client_commands import TableCommand
from tables.play import state as states
from tables.play.commands import Received
from tables.play.events import TableEvent
from tables.play.state import TableState
from tables.stream import Line, lines

log = structlog.get_logger(__name__)

_command = msgspec.json.Decoder(TableCommand).decode
_json = msgspec.json.Encoder().encode

KEY_LIFETIME_S = 24 * 3600
"""How long the keys of a closed table stay readable, in seconds."""


class Loaded(msgspec.Struct, frozen=True):
    """A table as it was read: its state under (epoch, version), and what waits in its inbox."""

    state: TableState
    version: int
    received: tuple[Received, ...]
    drained: int
    now_ms: int
    shift_ms: int


def load(redis: Redis, table: int) -> Loaded | None:
    """Read a table for a step, at most INBOX_COMMANDS_MAX commands with it; None if not there."""
    member = keys.table(table)
    shards = settings.SHARDS
    script = redis.register_script(lua.source("load"))
    found = script(
        keys=[
            keys.state(member, shards),
            keys.inbox(member, shards),
            keys.beat(keys.shard(member, shards)),
        ],
        args=[limits.INBOX_COMMANDS_MAX, limits.BEAT_GAP_MS],
    )
    _, version, raw, waiting, now_ms, shift_ms = found
    if raw is None:
        return None
    return Loaded(
        state=states.decode(raw),
        version=int(version),
        received=tuple(filter(None, map(_received, waiting))),
        drained=len(waiting),
        now_ms=int(now_ms),
        shift_ms=int(shift_ms),
    )


def commit(
    redis: Redis, loaded: Loaded, state: TableState, events: Sequence[TableEvent], *, drained: int
) -> TableState | None:
    """Store a step with its events; the stored state, or None when another writer was first."""
    before = loaded.state
    told = lines(state, events, before=before)
    state = msgspec.structs.replace(state, seq=before.seq + len(told))
    member = keys.table(state.table)
    shards = settings.SHARDS
    private = sorted({entry for line in told for entry in line.private})
    results = _changed_results(before, state)
    due = states.wake(state)
    script = redis.register_script(lua.source("commit"))
    stored = script(
        keys=[
            keys.state(member, shards),
            keys.inbox(member, shards),
            keys.wakes(keys.shard(member, shards)),
            keys.events(member, shards),
            keys.results(member, shards),
            *(keys.cards(member, entry, shards) for entry in private),
        ],
        args=[
            before.epoch,
            loaded.version,
            member,
            states.encode(state),
            _json(states.users(state)),
            drained,
            "" if due is None else due[0],
            "" if due is None else due[1],
            limits.STREAM_EVENTS_MAX,
            KEY_LIFETIME_S,
            limits.COMMAND_WAKE_MS,
            *_counted([(line.id, line.public) for line in told]),
            *_counted(results),
            *_counted(_private(told, private)),
        ],
    )
    return state if stored else None


def rest(redis: Redis, loaded: Loaded) -> bool:
    """Nothing was due: put the wake back; False when another writer was first."""
    due = states.wake(loaded.state)
    if due is None:
        return True
    member = keys.table(loaded.state.table)
    shards = settings.SHARDS
    script = redis.register_script(lua.source("rest"))
    return bool(
        script(
            keys=[
                keys.state(member, shards),
                keys.inbox(member, shards),
                keys.wakes(keys.shard(member, shards)),
            ],
            args=[loaded.state.epoch, loaded.version, member, due[0], limits.COMMAND_WAKE_MS],
        )
    )


def unchanged(redis: Redis, loaded: Loaded) -> bool:
    """Whether the table is still as it was read."""
    key = keys.state(keys.table(loaded.state.table), settings.SHARDS)
    epoch, version = redis.hmget(key, "epoch", "version")
    return (epoch, version) == (b"%d" % loaded.state.epoch, b"%d" % loaded.version)


def open_at(redis: Redis, state: TableState, events: Sequence[TableEvent]) -> bool:
    """Put a state built from PostgreSQL under its new epoch; False when a newer one is there."""
    told = lines(state, events, before=None)
    state = msgspec.structs.replace(state, seq=len(told))
    member = keys.table(state.table)
    shards = settings.SHARDS
    due = states.wake(state)
    assert due is not None
    script = redis.register_script(lua.source("open"))
    return bool(
        script(
            keys=[
                keys.state(member, shards),
                keys.inbox(member, shards),
                keys.wakes(keys.shard(member, shards)),
                keys.events(member, shards),
                keys.results(member, shards),
            ],
            args=[
                state.epoch,
                member,
                states.encode(state),
                _json(states.users(state)),
                due[0],
                due[1],
                *_counted([(line.id, line.public) for line in told]),
            ],
        )
    )


def close_at(redis: Redis, state: TableState, events: Sequence[TableEvent]) -> bool:
    """End a table under a newer epoch, with its last events; False when that was done before."""
    assert state.phase == "closed"
    told = lines(state, events, before=None)
    state = msgspec.structs.replace(state, seq=len(told))
    member = keys.table(state.table)
    shards = settings.SHARDS
    script = redis.register_script(lua.source("close"))
    return bool(
        script(
            keys=[
                keys.state(member, shards),
                keys.inbox(member, shards),
                keys.wakes(keys.shard(member, shards)),
                keys.events(member, shards),
                keys.results(member, shards),
            ],
            args=[
                state.epoch,
                member,
                states.encode(state),
                KEY_LIFETIME_S,
                *_counted([(line.id, line.public) for line in told]),
            ],
        )
    )


def peek(redis: Redis, table: int) -> TableState | None:
    """The state of a table as it is now, for reading only."""
    raw = redis.hget(keys.state(keys.table(table), settings.SHARDS), "state")
    return None if raw is None else states.decode(raw)


def _received(item: bytes) -> Received | None:
    user, at_ms, raw = item.split(b" ", 2)
    try:
        return Received(user=int(user), at_ms=int(at_ms), command=_command(raw))
    except msgspec.DecodeError as error:
        # The gateway decoded it before it went in; one of another version must not stop a table.
        log.error("command dropped", user=int(user), error=str(error))
        return None


def _changed_results(before: TableState, after: TableState) -> list[tuple[object, ...]]:
    old = {seat.user: seat.results for seat in before.seats}
    return [
        (seat.user, _json(seat.results))
        for seat in after.seats
        if seat.results != old.get(seat.user, ())
    ]


def _private(told: Sequence[Line], entries: Sequence[int]) -> list[tuple[object, ...]]:
    index = {entry: number for number, entry in enumerate(entries, start=1)}
    return [(index[entry], line.id, raw) for line in told for entry, raw in line.private.items()]


def _counted(rows: Sequence[tuple[object, ...]]) -> list[object]:
    return [len(rows), *(value for row in rows for value in row)]
