"""One process' share of a long run, on servers of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import django

from tests import conftest

if TYPE_CHECKING:
    from tests.simulation.playing import Sum

TOLD_EVERY = 50


def share(seeds: Iterable[int]) -> Sum:
    """One process' share; failures are told at once, so that a long run need not be waited for."""
    with servers():
        from tests.simulation import playing

        total = playing.Sum()
        for seed in seeds:
            played = playing.play(seed)
            total.add(played)
            if played.violation is not None:
                print(playing.told(playing.shortest(played)), flush=True)
            if total.seeds % TOLD_EVERY == 0:
                print(f"  {total.seeds} seeds here, {len(total.failed)} failed", flush=True)
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

    from tests.simulation import doors

    connection.creation.create_test_db(verbosity=0)
    try:
        yield
    finally:
        doors.close_spares()
        connection.close()
        world.end()
