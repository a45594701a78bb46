"""One process' share of a long run, on servers of its own."""

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
    """Begin a process that plays; `enough` is set when no more is wanted."""
    global _enough
    _enough = enough
    # Both are for the process that asks: this one ends between two seeds.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@cache
def _open_servers() -> None:
    """Once in this process, until it ends."""
    opened = servers()
    opened.__enter__()
    Finalize(None, opened.__exit__, (None, None, None), exitpriority=10)


def part(seeds: Iterable[int]) -> Sum:
    """Play some seeds; failures are told at once, so that a long run need not be waited for."""
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
            found = played if _enough.is_set() else playing.shortest(played)
            print(playing.told(found), flush=True)
    return total


@contextmanager
def servers() -> Iterator[None]:
    """PostgreSQL and both Redis servers of the tests, with an empty database of their own."""
    django.setup()
    conftest._hash_cheaply()
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
