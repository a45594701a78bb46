"""A worker takes messages again after each loss of the broker."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from redis import Redis

from config.celery import app
from config.environment import HOME
from tests.config.process import held_worker
from tests.conftest import Running
from tests.tables.gateway.sockets import wait_for

LOSSES = 3
UNHEARD = "Couldn't ack"
PATIENCE_S = 60.0


@pytest.fixture
def place(tmp_path: Path, broker: Redis) -> Iterator[Path]:
    """Folder of a worker that runs during the test."""
    for name in ("begun", "go"):
        (tmp_path / name).write_text("")
    with (tmp_path / "log").open("w") as log:
        command = [sys.executable, "-m", held_worker.__name__, str(tmp_path)]
        process = subprocess.Popen(command, cwd=HOME, stdout=log, stderr=log)
    yield tmp_path
    process.kill()
    process.wait()


def _grew(log: Path, count: int) -> bool:
    return log.read_text().count(UNHEARD) > count


def test_a_worker_whose_messages_were_not_acknowledged_takes_others(
    place: Path, broker_server: Running
) -> None:
    begun, go, log = (place / name for name in ("begun", "go", "log"))

    def begin(number: int) -> None:
        app.send_task(held_worker.TASK, (number,), queue=held_worker.QUEUE)
        wait_for(lambda: begun.read_text() == str(number), PATIENCE_S)

    for number in range(1, LOSSES + 1):
        begin(number)
        unheard = log.read_text().count(UNHEARD)
        broker_server.kill()
        go.write_text(str(number))
        wait_for(partial(_grew, log, unheard), PATIENCE_S)
        broker_server.start()
    begin(LOSSES + 1)
