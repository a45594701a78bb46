"""The two commands that start processes of a room: what they are told, and what they refuse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from config import celery, serve, worker
from config.embedded import ports
from config.environment import HOME
from tests.house.test_settings import settings_with


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)


def test_the_workers_of_a_room_listen_to_every_queue() -> None:
    playing = [worker.queues("play", number) for number in range(2)]
    heard = {queue for queues in [*playing, worker.queues("settle", 0)] for queue in queues}
    assert heard == set(celery.all_queues())
    own = [set(queues) - {celery.RESCUE} for queues in playing]
    assert own[0] and own[1] and not own[0] & own[1], "each has queues of its own"
    assert all(celery.RESCUE in queues for queues in playing)


def test_ticks_of_tournaments_come_before_hands() -> None:
    assert worker.queues("settle", 7) == [celery.TOURNAMENT, celery.SETTLE]


@pytest.mark.parametrize(
    ("kind", "number"), [("play", 2), ("play", -1), ("settle", -1), ("cat", 0)]
)
def test_a_worker_that_there_is_not_is_refused(kind: str, number: int) -> None:
    with pytest.raises(ValueError, match="there is no worker"):
        worker.queues(kind, number)


def test_a_worker_says_how_it_is_started() -> None:
    for wrong in ((), ("play",), ("play", "one"), ("play", "2")):
        done = _run("config.worker", *wrong)
        assert done.returncode == 1
        assert "usage: python -m config.worker play|settle NUMBER" in done.stderr


@pytest.mark.parametrize("play_workers", ["0", "5"])
def test_more_play_workers_than_queues_stop_the_start(tmp_path: Path, play_workers: str) -> None:
    done = settings_with(tmp_path, PLAY_WORKERS=play_workers, PLAY_QUEUES="4")
    assert done.returncode != 0
    assert f"PLAY_WORKERS must be 1 to PLAY_QUEUES (4), not {play_workers}" in done.stderr


def test_web_listens_at_an_address_or_on_a_socket_that_is_open() -> None:
    assert serve.listening("0.0.0.0:8000") == {"host": "0.0.0.0", "port": 8000}
    assert serve.listening("[::1]:8000") == {"host": "::1", "port": 8000}
    with ports.listen(0) as held:
        (found,) = serve.listening(f"fd:{held.fileno()}")["sockets"]
        assert found.getsockname() == held.getsockname()
        found.detach()


@pytest.mark.parametrize("where", ["", "8000", ":8000", "localhost", "localhost:x", "a:65536"])
def test_web_says_where_it_can_listen(where: str) -> None:
    with pytest.raises(ValueError, match="neither ADDRESS:PORT nor fd:NUMBER"):
        serve.listening(where)


def test_web_without_an_address_says_how_it_is_started() -> None:
    done = _run("config.serve")
    assert done.returncode == 1
    assert "usage: python -m config.serve ADDRESS:PORT" in done.stderr
