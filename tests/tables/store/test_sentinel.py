"""Room on one Redis master with a standby: its Sentinels promote it, and hands in play are void."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from pytest_django.fixtures import Settings
from redis import Redis
from redis.exceptions import RedisError

from config import redis as doors
from config.process import server_checks
from config.process.server_checks import WrongServer
from deploy.embedded import ports, program, standbys, valkey
from deploy.embedded.valkey import Valkey
from tables.models import Table
from tables.store import fenced
from tables.workers import recovery
from tables.workers.timers import Timer
from tests.conftest import READY_S, world
from tests.tables import playing
from tests.tables.gateway.sockets import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("first", "second", "sentinel0", "sentinel1", "sentinel2")


class Pair:
    """A master, its standby, and three Sentinels."""

    def __init__(self, place: Path) -> None:
        found = ports.several(dict.fromkeys(NAMES))
        here = replace(world.servers.room, place=place, secrets=place, shares="pair")
        servers = [replace(here, name=name, port=found[name]) for name in NAMES]
        self.master, standby, *sentinels = servers
        first = valkey.prepare(self.master)
        self._children: list[subprocess.Popen[bytes]] = []
        self._start([first])
        self._start(standbys.prepare_watched(standby, sentinels, self.master))
        found_url = standbys.Standbys(world.servers.postgres, standby, tuple(sentinels))
        self.url = found_url.broker_url()
        self.standby: Valkey = standby

    def _start(self, programs: list[program.Program]) -> None:
        made = [program.start(how) for how in programs]
        self._children += made
        for how, child in zip(programs, made, strict=True):
            program.wait_ready(how, child, READY_S)

    def lose_master(self) -> None:
        """Kill the master for good."""
        program.kill(self._children[0])

    def stop(self) -> None:
        """Kill all servers."""
        for child in self._children:
            program.kill(child)


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Servers of this test alone."""
    place = Path(tempfile.mkdtemp(prefix="room-pair-", dir="/dev/shm"))
    place.chmod(0o711)
    made = Pair(place)
    yield made
    made.stop()
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def room(pair: Pair, settings: Settings, broker: Redis) -> Iterator[Any]:
    """Client of the master that the Sentinels name, as the room's Redis of this process."""
    settings.ROOM_REDIS_URL = pair.url
    settings.ROOM_REDIS_DURABLE = "yes"  # the servers of tests keep no file
    settings.ROOM_REDIS_MODE = "sentinel"
    doors.forget()
    yield doors.room()
    doors.forget()


def test_a_promoted_standby_is_adopted_anew(room: Any, pair: Pair) -> None:
    server_checks.verify_redis("ROOM_REDIS_URL", pair.url)
    with pytest.raises(WrongServer, match="knows no service other"):
        server_checks.verify_redis("ROOM_REDIS_URL", pair.url.replace("/broker?", "/other?"))
    timer = Timer(room, adopts=True)
    timer.sweep(0)
    table = playing.sit_down([1_000, 1_000])
    recovery.open_tables(room, [table.pk])
    playing.run(room, table.pk)
    epoch = Table.objects.get(pk=table.pk).epoch
    timer.sweep(0)
    timer.sweep(0)
    assert Table.objects.get(pk=table.pk).epoch == epoch
    wait_for(lambda: room.wait(1, 1_000) == 1)  # the standby has every write
    pair.lose_master()
    wait_for(lambda: _answers(room, table.pk))
    assert asyncio.run(_read(pair.url)) > 0, "clients of the loop find the standby, too"
    with pytest.raises(fenced.NotAdopted):
        fenced.load(room, table.pk)
    for _ in range(3):
        timer.sweep(0)
    assert Table.objects.get(pk=table.pk).epoch == epoch + 1
    assert fenced.load(room, table.pk) is not None
    connections.close_all()


async def _read(url: str) -> int:
    client = doors.async_at(url)
    try:
        return int(await client.dbsize())
    finally:
        await client.aclose()


def _answers(room: Any, table: int) -> bool:
    try:
        return fenced.peek(room, table) is not None
    except (RedisError, OSError):
        return False
