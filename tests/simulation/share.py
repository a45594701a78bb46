"""One process of a long run, on servers of its own."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing.synchronize import Event
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

import django

from tests import conftest

if TYPE_CHECKING:
    from tests.simulation.playing import Sum

_enough: Event | None = None


def begin(enough: Event) -> None:
    """Prepare a process to play seeds; a set `enough` ends its share."""
    global _enough
    _enough = enough
    # The parent handles both signals: this process ends between two seeds.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@cache
def _open_servers() -> None:
    """Start the servers of this process once; they stop when it ends."""
    opened = servers()
    opened.__enter__()
    Finalize(None, opened.__exit__, (None, None, None), exitpriority=10)


def part(seeds: Iterable[int]) -> Sum:
    """Play some seeds and print failures at once, before the run ends."""
    assert _enough is not None, "the process has begun"
    _open_servers()
    from tests.simulation import playing

    total = playing.Sum()
    for seed in seeds:
        if _enough.is_set():
            break
        played = playing.play(seed)
        total.add(played)
        if played.violation is not None:
            print(playing.told(playing.shortest(played, enough=_enough.is_set)), flush=True)
    return total


@contextmanager
def servers() -> Iterator[None]:
    """PostgreSQL and both Redis servers of the tests, with an empty database for this process."""
    django.setup()
    conftest._hash_cheaply()
    conftest._hold_keys()
    conftest._clone_database()
    world = conftest.world
    for name in ("postgres", "room", "broker"):
        world.server(name)
    from django.db import connection

    from tests.simulation import spares

    connection.creation.create_test_db(verbosity=0)
    try:
        yield
    finally:
        spares.KEPT.close()
        connection.close()
        world.end()
