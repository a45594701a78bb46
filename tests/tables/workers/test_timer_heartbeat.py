"""Heart of a worker that starts while PostgreSQL is away: it beats, so that nobody restarts it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from django.db import connection
from redis import Redis

from config.heartbeat import Heartbeat
from tables.workers import timers
from tables.workers.timers import Timer
from tests.tables.gateway.sockets import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_settle_worker_without_postgresql_goes_on_beating(
    room: Redis, broker: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "alive"
    monkeypatch.setattr(timers, "heart", Heartbeat(str(file)))
    timer = Timer(room, adopts=True, worker="settle0@here", queues=["settle"])
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen: connections are refused
        # Threads of the timer connect anew; the connection of this thread stays where it is.
        with monkeypatch.context() as away:
            away.setitem(connection.settings_dict, "HOST", "127.0.0.1")
            away.setitem(connection.settings_dict, "PORT", str(nobody.getsockname()[1]))
            timer.start()
            try:
                for _ in range(2):
                    wait_for(file.exists)
                    file.unlink()
                assert not timer._begun, "it waits for PostgreSQL"
            finally:
                timer.stop()
