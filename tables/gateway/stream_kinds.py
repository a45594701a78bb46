"""The kinds of streams a client may follow, and who makes the snapshot of each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import get_args

import msgspec

from tables.wire.client_events import TableSnapshot
from tables.wire.table_events import TableEvent

Provider = Callable[[str, "int | None"], Awaitable["tuple[str, bytes] | None"]]
"""(stream, user) -> (event id, state as JSON); None: not readable now, ask again."""

Guard = Callable[[str, Collection["int | None"]], Awaitable["set[int] | None"]]
"""(stream, users) -> which of them may follow it; None: everybody may, now and later."""

TABLE = "table"
"""The kind whose streams have seats, private events and commands."""

OWN = "user"
"""The kind whose streams are for one user only: `user:7` for user 7."""


class NoSuchStream(Exception):
    """There is nothing under that name, and there will be nothing soon."""


class StreamKind(msgspec.Struct, frozen=True):
    """Streams of one prefix; `personal` snapshots differ by user and are not shared."""

    prefix: str
    provider: Provider
    personal: bool
    state: type | None = None
    events: tuple[type, ...] = ()
    guard: Guard | None = None


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


def register_snapshot(
    prefix: str,
    provider: Provider,
    *,
    personal: bool | None = None,
    state: type | None = None,
    events: tuple[type, ...] = (),
    guard: Guard | None = None,
) -> None:
    """Let clients follow streams `prefix` or `prefix:<number>`.

    A snapshot is shared by all who ask within a second unless `personal`, where the provider
    hears who asks; `guard` says who may follow (None: everybody); `state` and `events` are
    the structs that the protocol page describes.
    """
    assert prefix not in _kinds, prefix
    own = prefix == OWN if personal is None else personal
    _kinds[prefix] = StreamKind(prefix, provider, own, state, events, guard)


def guard_tables(guard: Guard) -> None:
    """Let this function say who may follow streams of tables."""
    _kinds[TABLE] = msgspec.structs.replace(_kinds[TABLE], guard=guard)


def kind_of(stream: str) -> StreamKind | None:
    """The kind of a stream by its prefix."""
    return _kinds.get(stream.partition(":")[0])


def all_kinds() -> tuple[StreamKind, ...]:
    """Every kind, in the order of registration."""
    return tuple(_kinds.values())


def may_follow(stream: str, user: int | None) -> bool:
    """Whether this user (None: nobody is logged in) may see a stream."""
    prefix, _, number = stream.partition(":")
    return prefix != OWN or (user is not None and number == str(user))
