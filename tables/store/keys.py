"""Names of streams, members and Redis keys; everything of one member shares one hash tag."""

from __future__ import annotations

from zlib import crc32

HINTS = "hints"
"""Pub/sub channel; the payload is the name of a stream that grew, or whose tabs changed."""


def table(table_id: int) -> str:
    """Member and stream name of a table."""
    return f"table:{table_id}"


def number(member: str) -> int:
    """The id in a member or stream name, e.g. 12 of "table:12"."""
    return int(member.partition(":")[2])


def shard(member: str, shards: int) -> int:
    """The shard that holds a member's keys."""
    return crc32(member.encode()) % shards


def state(member: str, shards: int) -> str:
    """Hash of a member: epoch, version, state, desk, users, bell, rings."""
    return f"{{{shard(member, shards)}}}:{member}"


def inbox(member: str, shards: int) -> str:
    """List of commands waiting at a table."""
    return f"{{{shard(member, shards)}}}:{member}:inbox"


def ready(member: str, queue: str, shards: int) -> str:
    """List of members of a shard and a play queue that have commands waiting."""
    return f"{{{shard(member, shards)}}}:ready:{queue}"


def events(stream: str, shards: int) -> str:
    """Redis stream of what everybody may see."""
    return f"{{{shard(stream, shards)}}}:{stream}:events"


def cards(member: str, entry: int, shards: int) -> str:
    """Redis stream of what only one entry may see, under the same ids as the public one."""
    return f"{{{shard(member, shards)}}}:{member}:cards:{entry}"


def results(member: str, shards: int) -> str:
    """Hash user -> JSON list of the last results of that user's commands at a table."""
    return f"{{{shard(member, shards)}}}:{member}:results"


def tabs(member: str, shards: int) -> str:
    """Hash user -> token of the socket that plays for that user at a table; its `mark`."""
    return f"{{{shard(member, shards)}}}:{member}:tabs"


def wakes(shard_number: int) -> str:
    """Sorted set of members by the time, in ms, at which they want to be looked at."""
    return f"{{{shard_number}}}:wakes"


def beat(shard_number: int) -> str:
    """Hash: `last` sweep in ms and `shift`, the sum of outages in ms."""
    return f"{{{shard_number}}}:beat"


def sweeps(shard_number: int, timer: str) -> str:
    """How often a timer has swept a shard."""
    return f"{{{shard_number}}}:sweeps:{timer}"


def generation(shard_number: int) -> str:
    """Which run of Redis this is."""
    return f"{{{shard_number}}}:generation"
