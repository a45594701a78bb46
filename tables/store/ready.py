"""Ready lists: tables with waiting commands by play queue, answered together by one bell."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from redis import Redis

from config import limits
from config.celery import play_queue
from config.redis.scripts import ScriptCall, run
from tables.store import keys, lua

BELL_LIFETIME_MS = 1_000
"""Age in ms after which an unanswered bell no longer keeps the next command from ringing."""


class Taken(NamedTuple):
    """Members taken from a ready list, and one member that remains in it, if any."""

    members: tuple[str, ...]
    stays: str | None


def names(member: str) -> tuple[str, str]:
    """Keys of the ready list that a table joins when a command waits, and of its bell."""
    ready = keys.ready(member, play_queue(member), settings.SHARDS)
    return ready, f"{ready}:bell"


def take(redis: Redis, member: str) -> Taken:
    """Take some tables from the ready list of the queue of `member`, first come first served.

    A worker that dies after taking them loses nothing: the wake of each table comes within a
    second.
    """
    call = ScriptCall(lua.source("take"), names(member), (limits.TABLES_TOGETHER_MAX,))
    stays, *taken = run(redis, call)
    return Taken(tuple(name.decode() for name in taken), stays.decode() or None)
