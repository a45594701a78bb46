"""Read from Redis the news of followed streams and their players, many in one trip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.conf import settings

from config import limits
from config.redis import node_of
from config.redis.scripts import ScriptCall, run_all_async, run_async
from tables.gateway.shards import Shards
from tables.gateway.streams.known_kinds import TABLE
from tables.gateway.streams.recent import START, Position, name, position
from tables.store import keys, lua, private_events, readable
from tables.store.connections import Tabs
from tables.wire.table_events import SeatTaken

HEADS_AT_ONCE_MAX = 200
PARTS = 20
"""Slices of a round."""

PART_STREAMS_MIN = 100
_ANY_MARK = "-"
_seat_taken = msgspec.json.Decoder(SeatTaken).decode


class ReadRequest(msgspec.Struct, frozen=True):
    """Request to read a stream after `after` (None: only its end).

    For a table also the private events of `entries`, the results of `askers`, and its tabs, unless
    they still have the known mark (`tabs_mark`; None: in any case).
    """

    stream: str
    after: Position | None
    entries: tuple[int, ...] = ()
    askers: tuple[int, ...] = ()
    tabs_mark: str | None = None


class Known(msgspec.Struct, frozen=True):
    """Known state of a stream, and the keys that tell whether it changed.

    Of a table three of each: last event, epoch, mark of tabs; of any other stream its last event.
    """

    stream: str
    keys: tuple[bytes, ...]
    values: tuple[str, ...]


class Tail(msgspec.Struct, frozen=True):
    """Reply to `wanted`; `epoch` and `seated` (user -> entry) are None for a stream without a
    table.

    `tabs` is None when they are unchanged.
    """

    wanted: ReadRequest
    public: Sequence[tuple[Position, bytes]]
    more: bool = False
    private: Mapping[int, Sequence[tuple[Position, bytes]]] = {}
    epoch: int | None = None
    seated: Mapping[int, int] | None = None
    results: Mapping[int, bytes] = {}
    tabs: Tabs | None = None


class RedisRun(msgspec.Struct, frozen=True):
    """Run of Redis that answers, and its clock in ms."""

    run: str
    now_ms: int


def is_table(stream: str) -> bool:
    """Return whether a stream belongs to a table, with seats and private events."""
    return stream.startswith(f"{TABLE}:")


def head_keys(stream: str) -> tuple[bytes, ...]:
    """Return the keys to compare: a stream's events, and of a table its state and tabs."""
    kinds = (keys.events, keys.state, keys.tabs) if is_table(stream) else (keys.events,)
    return tuple(key(stream, settings.SHARDS).encode() for key in kinds)


class Reader:
    """Reader of tails, heads and tabs of streams, each from its shard."""

    def __init__(self, shards: Shards) -> None:
        self._clients = shards
        self._shards = settings.SHARDS

    async def server(self, shard: int) -> RedisRun:
        """Return the identity and the clock of the server of a shard."""
        redis = self._clients.clients[shard]
        where = await node_of(redis, keys.tag(shard))
        pipe = redis.pipeline(transaction=False)
        pipe.execute_command("INFO", "server", **where)
        pipe.execute_command("TIME", **where)
        info, (seconds, microseconds) = await pipe.execute()
        return RedisRun(str(info["run_id"]), int(seconds) * 1_000 + int(microseconds) // 1_000)

    async def differing(self, known: Sequence[Known]) -> list[str]:
        """Return which of these streams of one shard have changed; one trip for many of them."""
        streams: list[str] = []
        tables_first = sorted(known, key=lambda one: len(one.keys), reverse=True)
        for first in range(0, len(known), HEADS_AT_ONCE_MAX):
            some = tables_first[first : first + HEADS_AT_ONCE_MAX]
            names = [key for one in some for key in one.keys]
            tables = sum(len(one.keys) > 1 for one in some)
            values = [value for one in some for value in one.values]
            call = ScriptCall(lua.source("heads"), names, [tables, *values])
            numbers = await run_async(self._clients.of(some[0].stream), call)
            streams += [some[number - 1].stream for number in numbers]
        return streams

    async def read(self, wanted: Sequence[ReadRequest]) -> list[Tail]:
        """Read all `wanted` of one shard in one trip, each stream at one instant."""
        if not wanted:
            return []
        calls = [self._call(want) for want in wanted]
        answers = await run_all_async(self._clients.of(wanted[0].stream), calls)
        return [
            _found(want, answer, self._shards) for want, answer in zip(wanted, answers, strict=True)
        ]

    def _call(self, want: ReadRequest) -> ScriptCall:
        if is_table(want.stream):
            cards = [keys.cards(want.stream, entry, self._shards) for entry in want.entries]
            names = [
                keys.events(want.stream, self._shards),
                keys.state(want.stream, self._shards),
                keys.results(want.stream, self._shards),
                keys.tabs(want.stream, self._shards),
                *cards,
            ]
            after = "" if want.after is None else name(want.after)
            tabs = _ANY_MARK if want.tabs_mark is None else want.tabs_mark
            values = (after, limits.TAIL_EVENTS_MAX, tabs, *want.askers)
            return ScriptCall(lua.source("tail"), names, values)
        after = "" if want.after is None else name(want.after)
        names = [keys.events(want.stream, self._shards)]
        return ScriptCall(lua.source("facts"), names, (after, limits.TAIL_EVENTS_MAX))

    async def resume(self, stream: str, after: Position, user: int | None) -> Tail | None:
        """Return all events after an id, as `user` sees them; None when some are unknown.

        None, too, when the user may have had another entry at the table meanwhile.
        """
        # 1. Read from the known event on, not only after it: its absence shows that the stream was
        #    trimmed or replaced.
        redis = self._clients.of(stream)
        pipe = redis.pipeline(transaction=False)
        pipe.xrange(
            keys.events(stream, self._shards), min=name(after), count=limits.TAIL_EVENTS_MAX + 2
        )
        pipe.hmget(keys.state(stream, self._shards), "epoch", "users")
        raw, (epoch, users) = await pipe.execute()
        public = _events(raw)
        if not public:
            return None
        # 2. Resume only without a gap and within one epoch; else the client needs a snapshot.
        if public[0][0] == after:
            public = public[1:]
        if len(public) > limits.TAIL_EVENTS_MAX or not _consecutive(after, public):
            return None
        table = is_table(stream)
        if table and readable.count(epoch) != after[0]:
            return None
        sits = readable.seated_users(users) if table and users is not None else {}
        if sits is None:
            return None
        entry = None if user is None else sits.get(user)
        # A seat of a rapid pool is another entry in each hand, and so has other private events.
        if user is not None and _sat_otherwise(public, user, entry):
            return None
        # 3. Read private events second: those after the last public event are dropped by `Recent`.
        private: dict[int, Sequence[tuple[Position, bytes]]] = {}
        if entry is not None:
            cards = keys.cards(stream, entry, self._shards)
            own = _events(await redis.xrange(cards, min=f"({name(after)}"))
            private[entry] = _opened(cards, own)
        return Tail(ReadRequest(stream, after), public, private=private, seated=sits)


class Rounds:
    """Streams of a round that are still to be compared.

    The periodic comparison is spread over 20 slices, so that it never delays events.
    """

    def __init__(self) -> None:
        self._rest: list[str] = []
        self._at_once = PART_STREAMS_MIN

    def begin(self, streams: Iterable[str]) -> None:
        """Begin a new round of these streams; those left over from the last round come first."""
        followed = dict.fromkeys(streams)
        late = dict.fromkeys(stream for stream in self._rest if stream in followed)
        self._rest = [*late, *(stream for stream in followed if stream not in late)]
        self._at_once = max(PART_STREAMS_MIN, -(-len(self._rest) // PARTS))

    def part(self) -> list[str]:
        """Return the next slice; empty when the round is over."""
        part, self._rest = self._rest[: self._at_once], self._rest[self._at_once :]
        return part

    @property
    def over(self) -> bool:
        """True when every stream of the round was handed out."""
        return not self._rest


def _found(want: ReadRequest, answer: Any, shards: int) -> Tail:
    if not is_table(want.stream):
        public = _lines(answer)
        return Tail(want, public, more=len(public) == limits.TAIL_EVENTS_MAX)
    raw, private, (epoch, users), results, tabs = answer
    public = _lines(raw)
    results_by_user = zip(want.askers, results, strict=True)
    return Tail(
        wanted=want,
        public=public,
        more=len(public) == limits.TAIL_EVENTS_MAX,
        private={
            entry: _opened(keys.cards(want.stream, entry, shards), _lines(own))
            for entry, own in zip(want.entries, private, strict=True)
        },
        epoch=readable.count(epoch) or None,
        seated=None if users is None else readable.seated_users(users),
        results={user: result for user, result in results_by_user if result is not None},
        tabs=None if tabs is None else _tabs(tabs),
    )


def _tabs(raw: Sequence[bytes]) -> Tabs:
    return readable.tabs(dict(zip(raw[::2], raw[1::2], strict=True)))


def _events(raw: Iterable[tuple[bytes, Any]] | None) -> list[tuple[Position, bytes]]:
    return [(position(event_id), fields[b"e"]) for event_id, fields in raw or ()]


def _lines(raw: Sequence[Any]) -> list[tuple[Position, bytes]]:
    # Format of a script's reply: [id, [field, value]], with the one field "e".
    return [(position(event_id), fields[1]) for event_id, fields in raw]


def _opened(cards: str, events: Sequence[tuple[Position, bytes]]) -> list[tuple[Position, bytes]]:
    """Return the private events of a seat, read from the stream `cards`."""
    lines = private_events.open_all(cards, [(name(at), raw) for at, raw in events])
    return [(position(line_id), raw) for line_id, raw in lines]


def _sat_otherwise(public: Sequence[tuple[Position, bytes]], user: int, entry: int | None) -> bool:
    """Return whether a user may have had another entry at the table before one of these events."""
    if entry is None:
        return any(b'"type":"seat_left"' in raw for _, raw in public)
    taken = (raw for _, raw in public if b'"type":"seat_taken"' in raw)
    return any(_seat_taken(raw).user == user for raw in taken)


def _consecutive(after: Position, events: Sequence[tuple[Position, bytes]]) -> bool:
    last = after
    for at, _ in events:
        if at != (last[0], last[1] + 1):
            return False
        last = at
    return True


def end(tail: Tail) -> Position:
    """Return the position at which a stream ended when only its end was read."""
    return tail.public[-1][0] if tail.public else START
