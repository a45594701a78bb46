"""Damage to what Redis holds of one table, as a disk, a release or a hand may leave it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from django.conf import settings
from redis import Redis

from tables.dealer import versions
from tables.store import hidden_states, keys
from tests.redis_answers import keys_of

Damage = Callable[[Redis, int], None]


def key_of(table: int) -> str:
    """Key of the state of a table."""
    return keys.state(keys.table(table), settings.SHARDS)


def garbage(room: Redis, table: int) -> None:
    """Put bytes that no release ever wrote in place of the state."""
    room.hset(key_of(table), "state", b"\xc1 not a state")


def of_another_kind(room: Redis, table: int) -> None:
    """Put another value of the same encoding in place of the state."""
    room.hset(key_of(table), "state", msgspec.msgpack.encode({"table": 1}))


def truncated(room: Redis, table: int) -> None:
    """Cut the end of the state off."""
    whole = room.hget(key_of(table), "state")
    assert isinstance(whole, bytes)
    room.hset(key_of(table), "state", whole[:-40])


def without_version(room: Redis, table: int) -> None:
    """Damage the version of the state and the count of bells."""
    room.hset(key_of(table), mapping={"version": b"seven", "rings": b"many"})


def of_a_newer_version(room: Redis, table: int) -> None:
    """Give the state the version of a release to come."""
    whole = room.hget(key_of(table), "state")
    assert isinstance(whole, bytes)
    room.hset(key_of(table), "state", versions.marked(hidden_states.VERSION + 1, whole[1:]))


def of_another_epoch(room: Redis, table: int) -> None:
    """Damage the epoch that protects the state."""
    room.hset(key_of(table), "epoch", b"\xff")


def of_another_type(room: Redis, table: int) -> None:
    """Put a value of another Redis type in place of the whole hash."""
    room.set(key_of(table), b"a string")


ALL: tuple[Damage, ...] = (
    garbage,
    of_another_kind,
    truncated,
    without_version,
    of_a_newer_version,
    of_another_epoch,
    of_another_type,
)


def beside(room: Redis, table: int) -> None:
    """Put values of another Redis type in place of every other key of a table."""
    found = [key.decode() for key in keys_of(room, f"{key_of(table)}:*")]
    member, shards = keys.table(table), settings.SHARDS
    for key in {*found, keys.inbox(member, shards), keys.results(member, shards)}:
        room.set(key, b"a string")


def garbage_beside(room: Redis, table: int, user: int) -> None:
    """Leave garbage in the inbox, the results, the tabs and the seats of a table."""
    member, shards = keys.table(table), settings.SHARDS
    room.hset(key_of(table), "users", b"{")
    room.hset(keys.results(member, shards), str(user), b"\xff")
    room.hset(keys.tabs(member, shards), mapping={"mark": b"\xff", str(user): b"\xff"})
    for item in (b"", b"\xff", b"%d 1 {" % user, b"%d 1 2 {}" % user, b"%d 1 x {}" % user):
        room.rpush(keys.inbox(member, shards), item)
