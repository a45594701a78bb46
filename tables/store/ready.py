"""Tables with commands waiting, by play queue: one bell answers for all of them."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from redis import Redis

from config import limits
from config.celery import play_queue
from tables.store import keys
from tables.store.scripts import Call, run

BELL_LIFETIME_MS = 1_000
"""After this a bell that nobody heard no longer keeps the next command from ringing."""


class Taken(NamedTuple):
    """Members that were ready, and one of those that still are, if any."""

    members: tuple[str, ...]
    stays: str | None


def names(member: str) -> tuple[str, str]:
    """Keys of the list a table joins when a command waits, and of the bell of that list."""
    ready = keys.ready(member, play_queue(member), settings.SHARDS)
    return ready, f"{ready}:bell"


def take(redis: Redis, member: str) -> Taken:
    """Take some of the tables that are ready in the queue of `member`, first come first served.

    Whoever took them and dies loses nothing: the wake of each comes within a second.
    """
    call = Call("take", names(member), (limits.TABLES_TOGETHER_MAX,))
    stays, *taken = run(redis, call)
    return Taken(tuple(name.decode() for name in taken), stays.decode() or None)
