"""Reads from Redis what followed streams and their players are waiting for, many in one trip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from config import limits
from tables import keys, lua
from tables.gateway_feed import START, Position, name, position
from tables.gateway_kinds import TABLE

TABS_LIFETIME_S = 24 * 3600
HEADS_AT_ONCE_MAX = 200

_users = msgspec.json.Decoder(dict[str, int]).decode


class Wanted(msgspec.Struct, frozen=True):
    """What to read of a stream: after `after` (None: only where its end is).

    For a table also the private events of `entries`, the results of `askers`, and, for
    `holders`, which socket plays for each of these users.
    """

    stream: str
    after: Position | None
    entries: tuple[int, ...] = ()
    askers: tuple[int, ...] = ()
    holders: tuple[int, ...] = ()


class Known(msgspec.Struct, frozen=True):
    """What is known of a stream: its last event read, its epoch (table), who holds it (tabs)."""

    stream: str
    last: Position
    epoch: int | None
    holders: tuple[tuple[int, str], ...]


class Tail(msgspec.Struct, frozen=True):
    """What was found; `epoch` and `seated` (user -> entry) are None for what is no table."""

    wanted: Wanted
    public: Sequence[tuple[Position, bytes]]
    more: bool = False
    private: Mapping[int, Sequence[tuple[Position, bytes]]] = {}
    epoch: int | None = None
    seated: Mapping[int, int] | None = None
    results: Mapping[int, bytes] = {}
    tabs: Mapping[int, bytes | None] = {}


class Server(msgspec.Struct, frozen=True):
    """Which run of Redis answers, and its clock in ms."""

    run: str
    now_ms: int


def is_table(stream: str) -> bool:
    """Whether a stream is a table's, with seats and private events."""
    return stream.startswith(f"{TABLE}:")


class Reader:
    """Reads tails, heads and tabs of streams with an asyncio client of the room's Redis."""

    def __init__(self, redis: Any, shards: int) -> None:
        self._redis = redis
        self._shards = shards
        self._heads = redis.register_script(lua.source("heads"))

    async def server(self) -> Server:
        """The server's identity and clock."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.info("server")
        pipe.time()
        info, (seconds, microseconds) = await pipe.execute()
        return Server(str(info["run_id"]), int(seconds) * 1_000 + int(microseconds) // 1_000)

    async def differing(self, known: Sequence[Known]) -> list[str]:
        """Which of these streams are no longer as they are known; one trip for many of them."""
        found: list[str] = []
        by_shard: dict[int, list[Known]] = {}
        for one in known:
            by_shard.setdefault(keys.shard(one.stream, self._shards), []).append(one)
        for together in by_shard.values():
            for first in range(0, len(together), HEADS_AT_ONCE_MAX):
                some = together[first : first + HEADS_AT_ONCE_MAX]
                numbers = await self._heads(
                    keys=[key for one in some for key in self._keys(one.stream)],
                    args=[value for one in some for value in _values(one)],
                )
                found += [some[number - 1].stream for number in numbers]
        return found

    def _keys(self, stream: str) -> tuple[str, str, str]:
        shards = self._shards
        return keys.events(stream, shards), keys.state(stream, shards), keys.tabs(stream, shards)

    async def read(self, wanted: Sequence[Wanted]) -> list[Tail]:
        """Read all `wanted` in one trip.

        Results are read before events and private events after public ones, so that no result
        is told before its events and every public event comes with its private versions.
        """
        pipe = self._redis.pipeline(transaction=False)
        for want in wanted:
            self._ask(pipe, want)
        answers = iter(await pipe.execute())
        return [self._found(want, answers) for want in wanted]

    def _ask(self, pipe: Any, want: Wanted) -> None:
        table = is_table(want.stream)
        if table and want.askers:
            pipe.hmget(keys.results(want.stream, self._shards), want.askers)
        if table and want.holders:
            pipe.hmget(keys.tabs(want.stream, self._shards), want.holders)
        self._ask_events(pipe, keys.events(want.stream, self._shards), want.after)
        for entry in want.entries:
            self._ask_events(pipe, keys.cards(want.stream, entry, self._shards), want.after)
        if table:
            pipe.hmget(keys.state(want.stream, self._shards), "epoch", "users")

    def _ask_events(self, pipe: Any, key: str, after: Position | None) -> None:
        if after is None:
            pipe.xrevrange(key, count=1)
        else:
            pipe.xrange(key, min=f"({name(after)}", count=limits.TAIL_EVENTS_MAX)

    def _found(self, want: Wanted, answers: Any) -> Tail:
        table = is_table(want.stream)
        results = (
            dict(zip(want.askers, next(answers), strict=True)) if table and want.askers else {}
        )
        tabs = dict(zip(want.holders, next(answers), strict=True)) if table and want.holders else {}
        public = _events(next(answers))
        private = {entry: _events(next(answers)) for entry in want.entries}
        epoch, users = next(answers) if table else (None, None)
        return Tail(
            wanted=want,
            public=public,
            more=len(public) == limits.TAIL_EVENTS_MAX,
            private=private,
            epoch=None if epoch is None else int(epoch),
            seated=None if users is None else seated(users),
            results={user: raw for user, raw in results.items() if raw is not None},
            tabs=tabs,
        )

    async def resume(self, stream: str, after: Position, user: int | None) -> Tail | None:
        """Everything after an event id, as `user` sees it; None when that cannot be known."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.xrange(
            keys.events(stream, self._shards), min=name(after), count=limits.TAIL_EVENTS_MAX + 2
        )
        pipe.hmget(keys.state(stream, self._shards), "epoch", "users")
        raw, (epoch, users) = await pipe.execute()
        public = _events(raw)
        if not public:
            return None
        if public[0][0] == after:
            public = public[1:]
        if len(public) > limits.TAIL_EVENTS_MAX or not _consecutive(after, public):
            return None
        table = is_table(stream)
        if table and (epoch is None or int(epoch) != after[0]):
            return None
        sits = seated(users) if table and users is not None else {}
        entry = None if user is None else sits.get(user)
        private: dict[int, Sequence[tuple[Position, bytes]]] = {}
        if entry is not None:
            private[entry] = _events(
                await self._redis.xrange(
                    keys.cards(stream, entry, self._shards), min=f"({name(after)}"
                )
            )
        return Tail(Wanted(stream, after), public, private=private, seated=sits)

    async def hold(self, stream: str, user: int, tab: str) -> None:
        """Note that the socket `tab` plays for `user` at a table from now on."""
        key = keys.tabs(stream, self._shards)
        pipe = self._redis.pipeline(transaction=False)
        pipe.hset(key, user, tab)
        pipe.expire(key, TABS_LIFETIME_S)
        await pipe.execute()


def _values(known: Known) -> tuple[str, str, str]:
    holders = " ".join(f"{user} {tab}" for user, tab in known.holders)
    return name(known.last), "" if known.epoch is None else str(known.epoch), holders


def seated(users: bytes) -> dict[int, int]:
    """Who sits at a table, user -> entry, from the field `users` of its hash."""
    return {int(user): entry for user, entry in _users(users).items()}


def _events(raw: Iterable[tuple[bytes, Any]] | None) -> list[tuple[Position, bytes]]:
    return [(position(event_id), fields[b"e"]) for event_id, fields in raw or ()]


def _consecutive(after: Position, events: Sequence[tuple[Position, bytes]]) -> bool:
    last = after
    for at, _ in events:
        if at != (last[0], last[1] + 1):
            return False
        last = at
    return True


def end(tail: Tail) -> Position:
    """Where a stream ended when only its end was asked for."""
    return tail.public[-1][0] if tail.public else START
