"""Answers of a Redis server in the types they have: stream entries, keys, executed commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from redis import Redis
    from redis.client import Monitor

StreamEntry = tuple[bytes, dict[bytes, bytes]]
"""Number and fields of one entry."""


def entries_of(redis: Redis, stream: str, *, after: str = "") -> list[StreamEntry]:
    """Return the entries of a stream, all of them or those after a number, oldest first."""
    entries: Any = redis.xrange(stream, min=f"({after}" if after else "-")
    return list(entries)


def events_of(redis: Redis, stream: str, *, after: str = "") -> list[bytes]:
    """Return the encoded events of a stream, oldest first."""
    return [fields[b"e"] for _, fields in entries_of(redis, stream, after=after)]


def keys_of(redis: Redis, pattern: str = "*") -> list[bytes]:
    """Return the keys that fit a pattern, in their order."""
    keys: Any = redis.keys(pattern)
    return sorted(keys)


@contextmanager
def monitored(redis: Redis) -> Iterator[Iterator[dict[str, Any]]]:
    """Listen to each command that the server executes meanwhile, those of other clients too."""
    monitor: Callable[[], Monitor] = redis.monitor
    with monitor() as commands:
        listen: Callable[[], Iterator[dict[str, Any]]] = commands.listen
        yield listen()
