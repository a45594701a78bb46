"""Names of streams, members and Redis keys; all keys of one member share one hash tag."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

HINTS = "hints"
"""Name of a shard's pub/sub channel after its tag."""

NAMED_TABLES_MAX = 4_096
"""Tables whose keys a process remembers."""

KEY_LIFETIME_S = 24 * 3600
"""Lifetime of the keys of a closed table, in seconds."""


def table(table_id: int) -> str:
    """Return the member and stream name of a table."""
    return f"table:{table_id}"


@lru_cache(NAMED_TABLES_MAX)
def of_table(member: str, shards: int) -> tuple[str, ...]:
    """Keys of a table (state, inbox, wakes, events, results); scripts take a prefix of them."""
    return (
        state(member, shards),
        inbox(member, shards),
        wakes(shard(member, shards)),
        events(member, shards),
        results(member, shards),
    )


def number(member: str) -> int:
    """Return the id in a member or stream name, e.g. 12 of "table:12"."""
    return int(member.partition(":")[2])


def shard(member: str, shards: int) -> int:
    """Return the shard that holds the keys of a member."""
    return crc32(member.encode()) % shards


def tag(shard_number: int) -> str:
    """Return the beginning of every key of a shard: the hash tag that a cluster places it by."""
    return f"{{{shard_number}}}:"


def hints(stream: str, shards: int) -> str:
    """Sharded pub/sub channel; the payload names a stream with new events or changed tabs."""
    return f"{tag(shard(stream, shards))}{HINTS}"


def gateways(shard_number: int) -> str:
    """Redis hash: name of a web process -> time of its last sign of life (shard's clock, ms).

    Each shard has its own, so that its tables depend on no other.
    """
    return f"{tag(shard_number)}gateways"


def workers(shard_number: int) -> str:
    """Redis hash: name of a worker -> its last report from the timer of this shard."""
    return f"{tag(shard_number)}workers"


def sockets(subject: str, shards: int) -> str:
    """Redis hash of a subject's open sockets, by a name that hides it: web process -> count."""
    return f"{tag(shard(subject, shards))}sockets:{subject}"


def state(member: str, shards: int) -> str:
    """Redis hash of a member: epoch, version, state, desk, users, bell, rings."""
    return f"{tag(shard(member, shards))}{member}"


def inbox(member: str, shards: int) -> str:
    """Redis list of the commands waiting at a table."""
    return f"{tag(shard(member, shards))}{member}:inbox"


def ready(member: str, queue: str, shards: int) -> str:
    """Redis list of members of a shard and a play queue with commands waiting."""
    return f"{tag(shard(member, shards))}ready:{queue}"


def events(stream: str, shards: int) -> str:
    """Redis stream of public events."""
    return f"{tag(shard(stream, shards))}{stream}:events"


def cards(member: str, entry: int, shards: int) -> str:
    """Redis stream of the private events of one entry, under the ids of the public events."""
    return f"{tag(shard(member, shards))}{member}:cards:{entry}"


def results(member: str, shards: int) -> str:
    """Redis hash user -> JSON list of the last results of that user's commands at a table."""
    return f"{tag(shard(member, shards))}{member}:results"


def tabs(member: str, shards: int) -> str:
    """Redis hash user -> token of the socket that controls the user's seat; field `mark`."""
    return f"{tag(shard(member, shards))}{member}:tabs"


def wakes(shard_number: int) -> str:
    """Redis sorted set: member -> time of its wake in ms."""
    return f"{tag(shard_number)}wakes"


def beat(shard_number: int) -> str:
    """Redis hash: `last` sweep in ms and `shift`, the sum of outages in ms."""
    return f"{tag(shard_number)}beat"


def generation(shard_number: int) -> str:
    """Redis key of the generation under which the shard was adopted."""
    return f"{tag(shard_number)}generation"


def run(shard_number: int) -> str:
    """Redis key of the run of Redis in which the shard was adopted; another run holds it back."""
    return f"{tag(shard_number)}run"


def witnesses(shard_number: int) -> str:
    """Redis hash web process -> run of Redis and finding about it, as `testify.lua` notes it."""
    return f"{tag(shard_number)}witnesses"


def database(shard_number: int) -> str:
    """Redis hash of the last adopted run of PostgreSQL: `witness`, `number`, `position`.

    Each shard has its own, so that a lost one takes no witness with it.
    """
    return f"{tag(shard_number)}database"


def accepted_database(shard_number: int) -> str:
    """Redis key of the run of PostgreSQL that the operator accepts with what it lost."""
    return f"{tag(shard_number)}database:accepted"
