"""Encode events as stream entries: one public version each, private versions under the same id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from redis import Redis
from redis.exceptions import ResponseError

from config import limits
from config.redis.scripts import ScriptCall, run
from tables.dealer import record
from tables.dealer.state import TableState
from tables.engine.events import Event, HandBegan, HoleCardsDealt
from tables.engine.visibility import view
from tables.store import keys, lua, private_events
from tables.wire.table_events import TableEvent

_AFTER_ALL = 10**15
"""Above the number of every event of an epoch."""

_json = msgspec.json.Encoder().encode


class StreamEntry(msgspec.Struct, frozen=True):
    """One event on the wire: its id `epoch-seq`, the public version, private versions by entry."""

    id: str
    public: bytes
    private: Mapping[int, bytes]


def stream_entries(
    state: TableState, events: Sequence[TableEvent], *, before: TableState | None
) -> list[StreamEntry]:
    """Return the stream entries of the events of a step, numbered on from the state before it."""
    seq = 0 if before is None else before.seq
    entries = {seat.seat: seat.entry for seat in (before or state).seats}
    entries.update({seat.seat: seat.entry for seat in state.seats})
    return [
        _line(f"{state.epoch}-{number}", event, entries)
        for number, event in enumerate(events, start=seq + 1)
    ]


def _line(line_id: str, event: TableEvent, entries: Mapping[int, int]) -> StreamEntry:
    public = view(event, None)
    if public is event or isinstance(event, HandBegan):
        return StreamEntry(line_id, encode(line_id, public), {})
    seen = {seat: view(event, seat) for seat in entries}
    private = {entries[seat]: encode(line_id, own) for seat, own in seen.items() if own != public}
    return StreamEntry(line_id, encode(line_id, public), private)


def resumed_cards(state: TableState) -> list[StreamEntry]:
    """Return what players were dealt in private before a decided hand went on in a new epoch.

    Snapshots read it as if it had been told. Its ids lie before the epoch, so no stream tells it.
    """
    if state.run_out is None:
        return []
    entries = {seat.seat: seat.entry for seat in state.seats}
    dealt = [event for event in record.told(state) if isinstance(event, HoleCardsDealt)]
    return [
        _line(f"{state.epoch - 1}-{_AFTER_ALL + number}", event, entries)
        for number, event in enumerate(dealt)
    ]


def encode(line_id: str, event: Event) -> bytes:
    """Encode an event as JSON with its id in front: {"id":"3-17","type":"folded","seat":4}."""
    return b'{"id":"' + line_id.encode() + b'",' + _json(event)[1:]


def public_rows(told: Sequence[StreamEntry]) -> list[tuple[str, bytes]]:
    """Return ids and public versions, as scripts append them to the stream of a table."""
    return [(line.id, line.public) for line in told]


def cards_keys(member: str, told: Sequence[StreamEntry]) -> dict[int, str]:
    """Return the key of the private stream of each entry with a private event, in order."""
    entries = sorted({entry for line in told for entry in line.private})
    return {entry: keys.cards(member, entry, settings.SHARDS) for entry in entries}


def private_rows(told: Sequence[StreamEntry], cards: Mapping[int, str]) -> list[tuple[object, ...]]:
    """Return index among the keys, id and box of each private event, as scripts append them."""
    index = {entry: number for number, entry in enumerate(cards, start=1)}
    return [
        (index[entry], line.id, private_events.box_event(cards[entry], line.id, raw))
        for line in told
        for entry, raw in line.private.items()
    ]


class Fact(NamedTuple):
    """An event from PostgreSQL with the number it has in its stream, a JSON object without id."""

    stream: str
    seq: int
    payload: bytes


def publish_all(redis: Redis, facts: Sequence[Fact], *, kept_s: int) -> None:
    """Append facts of one shard to their streams in one script; those that exist are left out.

    The streams are kept for `kept_s` seconds more; one in a key of another type begins anew. Raises
    RedisError when a fact is refused; facts before it may be there.
    """
    events = {fact.stream: keys.events(fact.stream, settings.SHARDS) for fact in facts}
    index = {name: number for number, name in enumerate(events, start=1)}
    arguments = [
        keys.hints(facts[0].stream, settings.SHARDS),
        *(limits.STREAM_EVENTS_MAX, kept_s),
        *events,
        *(part for stream, seq, payload in facts for part in (index[stream], seq, payload[1:])),
    ]
    run(redis, ScriptCall(lua.source("publish"), list(events.values()), arguments))


def last_number(redis: Redis, stream: str) -> int:
    """Return the number of the last fact that Redis has, 0 for a stream it does not know.

    A key of another type is deleted: its stream begins anew, and holds up no other.
    """
    name = keys.events(stream, settings.SHARDS)
    found: Any = run(redis, ScriptCall(lua.source("facts"), [name], ("", 1)))
    return int(found[0][0].partition(b"-")[2]) if found else 0


def publish(redis: Redis, stream: str, seq: int, payload: bytes) -> bool:
    """Append an entry `0-seq` to a stream of facts from PostgreSQL; False when it exists already.

    `payload` is a JSON object without id. The hint is published either way: the first attempt may
    have failed between the two. A key of another type is deleted: its stream begins anew.
    """
    name, line_id = keys.events(stream, settings.SHARDS), f"0-{seq}"
    raw = b'{"id":"' + line_id.encode() + b'",' + payload[1:]
    try:
        redis.xadd(
            name,
            {"e": raw},
            id=line_id,
            maxlen=limits.STREAM_EVENTS_MAX,
            approximate=True,
        )
        fresh = True
    except ResponseError as error:
        if "WRONGTYPE" in str(error):
            redis.delete(name)
            return publish(redis, stream, seq, payload)
        if "equal or smaller" not in str(error):
            raise
        fresh = False
    redis.spublish(keys.hints(stream, settings.SHARDS), stream)
    return fresh
