"""Planted defects of the trust in a Redis that comes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from config.process import durable
from tables.gateway.streams.feed import Feed
from tables.gateway.streams.of_shard import ShardStreams
from tables.store import witnesses
from tables.store.witnesses import Testimony
from tables.workers import recovery, sealing
from tables.workers.void_hands import Void


def told_before_it_is_durable() -> AbstractContextManager[Any]:
    """Believe a server that may hold less than it answered."""
    return patch.object(durable, "lacking_in_redis", lambda *_: "")


def watermark_stays_at_a_void() -> AbstractContextManager[Any]:
    """Give every adoption the same generation, so that older data passes for the adopted."""
    return patch.object(recovery, "entropy", SimpleNamespace(name=lambda: "the same"))


def told_forgotten_with_the_last_follower() -> AbstractContextManager[Any]:
    """Forget what a web process told of a table when nobody follows it there any more."""
    return patch.object(ShardStreams, "_note_told", _note_only_followed)


def _note_only_followed(streams: ShardStreams, feeds: Iterable[Feed]) -> None:
    streams._told = {
        feed.stream: (feed.recent.last, float("inf"))
        for feed in feeds
        if feed.stream in streams.feeds and feed.table and feed.recent is not None
    }


def void_told_once() -> AbstractContextManager[Any]:
    """Tell that a hand is void only in the process that made it void, which may die before."""
    return patch.object(sealing, "is_void", lambda *_: False)


def epoch_kept_after_promotion() -> AbstractContextManager[Any]:
    """Adopt a server that lost data without raising the epochs of its tables."""
    real = recovery._bump

    def bump(*args: Any, seen_epoch: int | None = None) -> dict[int, Void]:
        return {} if seen_epoch is None else real(*args, seen_epoch=seen_epoch)

    return patch.object(recovery, "_bump", bump)


@contextmanager
def web_processes_not_asked() -> Iterator[None]:
    """Believe the file of a server, whatever was told of it."""

    async def testify(*_: Any) -> list[str]:
        return []

    def testimony(*_: Any) -> Testimony:
        return Testimony({}, frozenset())

    with (
        patch.object(witnesses, "testify", testify),
        patch.object(witnesses, "testimony", testimony),
    ):
        yield
