"""Kinds of streams that a client may follow, each with its provider of snapshots."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol, get_args

import msgspec

from config import limits
from tables.wire.client_events import TableSnapshot
from tables.wire.table_events import TableEvent

Provider = Callable[[str, "int | None"], Awaitable["tuple[str, bytes] | None"]]
"""(stream, user) -> (event id, state as JSON); None: not readable now, ask again."""

Guard = Callable[[str, Collection["int | None"]], Awaitable["set[int] | None"]]
"""(stream, users) -> the users that may follow it; None: everybody may, now and later."""


class RankedField(Protocol):
    """Stacks of a field, in chips."""

    @property
    def average(self) -> int:
        """Average stack of the entries left."""
        ...

    def rank(self, chips: int, user: int | None) -> int:
        """Return the rank of a user's stack among those of the others, 1 the largest."""
        ...


RankReader = Callable[[str], Awaitable["RankedField | None"]]
"""Stream -> its field; None while nobody plays there."""

TABLE = "table"
"""Kind of streams with seats, private events and commands."""

OWN = "user"
"""Kind of streams for one user only: `user:7` for user 7."""


class NoSuchStream(Exception):
    """No such stream exists, and none will soon."""


class StreamKind(msgspec.Struct, frozen=True):
    """Streams of one prefix; `personal` snapshots differ by user and are not shared.

    Snapshots that are not `urgent` are read when no player waits for one that is. Streams have a
    number, unless the kind is not `numbered`: then there is one of it, named by the prefix. A crowd
    takes longer turns for `calm` events.
    """

    prefix: str
    provider: Provider
    personal: bool
    state: type | None = None
    events: tuple[type, ...] = ()
    guard: Guard | None = None
    urgent: bool = True
    ranks: RankReader | None = None
    numbered: bool = True
    calm: frozenset[bytes] = frozenset()

    def is_calm(self, event: bytes) -> bool:
        """Return whether a crowd may be told of an event, in JSON, in longer turns."""
        return any(mark in event for mark in self.calm)


async def _by_the_gateway(stream: str, user: int | None) -> tuple[str, bytes] | None:
    raise AssertionError(f"the gateway itself reads the state of {stream}")


_kinds: dict[str, StreamKind] = {
    TABLE: StreamKind(
        TABLE,
        _by_the_gateway,
        personal=True,
        state=TableSnapshot,
        events=get_args(TableEvent),
    )
}

_added: dict[str, tuple[type, ...]] = {}


def register_snapshot(
    prefix: str,
    provider: Provider,
    *,
    personal: bool | None = None,
    state: type | None = None,
    events: tuple[type, ...] = (),
    guard: Guard | None = None,
    urgent: bool = True,
    ranks: RankReader | None = None,
    numbered: bool = True,
    calm: tuple[type, ...] = (),
) -> None:
    """Let clients follow streams `prefix:<number>`, or the one stream `prefix` if not `numbered`.

    A snapshot is shared by all followers that ask within a second unless it is `personal`: then the
    provider receives the user. `guard` returns the users that may follow (None: everybody). `state`
    and `events` are the structs that the protocol page describes. Followers may ask for ranks where
    `ranks` reads the field of a stream. Many followers hear of `calm` events some seconds later.
    """
    assert prefix not in _kinds, prefix
    own = prefix == OWN if personal is None else personal
    marks = frozenset(f'"type":"{event.__struct_config__.tag}"'.encode() for event in calm)  # type: ignore[attr-defined]
    _kinds[prefix] = StreamKind(
        prefix, provider, own, state, events, guard, urgent, ranks, numbered, marks
    )


def add_events(prefix: str, events: tuple[type, ...]) -> None:
    """Describe more events of streams of a prefix, which another app registers."""
    _added[prefix] = (*_added.get(prefix, ()), *events)


def guard_tables(guard: Guard) -> None:
    """Set the function that returns the users who may follow streams of tables."""
    _kinds[TABLE] = msgspec.structs.replace(_kinds[TABLE], guard=guard)


def kind_of(stream: str) -> StreamKind | None:
    """Return the kind of a stream by its name; None for a name that no stream has."""
    prefix, _, number = stream.partition(":")
    kind = _kinds.get(prefix)
    return kind if kind is not None and kind.numbered == bool(number) else None


def all_kinds() -> tuple[StreamKind, ...]:
    """Return every kind with all of its events, in the order of registration."""
    return tuple(
        msgspec.structs.replace(kind, events=(*kind.events, *_added.get(kind.prefix, ())))
        for kind in _kinds.values()
    )


def may_follow(stream: str, user: int | None) -> bool:
    """Return whether this user (None: not logged in) may see a stream, by its name alone."""
    prefix, _, number = stream.partition(":")
    return prefix != OWN or (user is not None and number == str(user))


class Missing:
    """Names of streams that strangers asked for in vain, so that asking again is cheap.

    The oldest are forgotten first.
    """

    def __init__(self) -> None:
        self._until_s: OrderedDict[str, float] = OrderedDict()

    def note(self, stream: str, now_s: float) -> None:
        """Remember that this stream does not exist for strangers now."""
        self._until_s.pop(stream, None)
        self._until_s[stream] = now_s + limits.STREAM_MISSING_S
        while len(self._until_s) > limits.STREAMS_MISSING_MAX:
            self._until_s.popitem(last=False)

    def has(self, stream: str, now_s: float) -> bool:
        """Return whether the stream did not exist for strangers a moment ago."""
        return self._until_s.get(stream, 0.0) > now_s

    def forget(self, stream: str) -> None:
        """Forget a stream after an event was published on it."""
        self._until_s.pop(stream, None)
