"""Room's Redis with its file on a disk that may lose the end of it: loss of power, imitated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connections as database
from redis import Redis

from deploy.embedded import valkey
from tables.workers import recovery
from tests import conftest
from tests.conftest import Running, adopt_run
from tests.tables.gateway.socket_table import Game
from tests.tables.gateway.sockets import Site


class DurableRedis:
    """The room's Redis with an append-only file, which the test may cut while it is dead."""

    def __init__(self, running: Running, folder: Path) -> None:
        self._running = running
        self._folder = folder

    @property
    def file(self) -> Path:
        """The file that the server appends to."""
        [found] = self._folder.glob("appendonlydir/*.incr.aof")
        return found

    def size(self) -> int:
        """Return the length of the file now."""
        return self.file.stat().st_size

    def come_back(self, *, cut_to: int | None = None) -> None:
        """Kill -9 the server, cut its file, and start it again."""
        self._running.kill()
        if cut_to is not None:
            with self.file.open("r+b") as file:
                file.truncate(cut_to)
        self._running.start()


@pytest.fixture
def durable(room: Redis) -> Iterator[DurableRedis]:
    """Room's Redis with an append-only file; the other tests have it without one again."""
    running, server = conftest.world.server("room"), conftest.world.servers.room
    before = running.how
    running.stop()
    running.how = valkey.prepare(replace(server, keeps=True))
    running.start()
    adopt_run(room)
    yield DurableRedis(running, server.place / server.name)
    running.stop()
    for path in (server.place / server.name).glob("appendonlydir/*"):
        path.unlink()
    valkey.prepare(server)
    running.how = before
    running.start()


@pytest.fixture
def game(durable: DurableRedis, site: Site, room: Redis) -> Iterator[Game]:
    """Two players before the flop, in a room that was adopted."""
    assert recovery.adopt(room, 0)
    yield Game(site, room, [2_000, 2_000])
    database.close_all()
