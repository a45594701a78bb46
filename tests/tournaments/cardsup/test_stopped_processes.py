"""Processes without queues that are told to stop: they end, and nobody misses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from config import clock
from tables.workers import presence
from tests.tables.gateway.sockets import wait_for
from tests.tournaments.cardsup.processes import STARTS_WITHIN_S, started


def _listed(redis: Redis, kind: str) -> bool:
    workers = presence.workers(redis, clock.redis_now_ms(redis))
    return kind in {worker.name.partition("@")[0] for worker in workers}


@pytest.mark.parametrize(
    ("command", "kind"), [("cards_up", "cardsup"), ("deliveries", "deliveries")]
)
def test_a_process_that_is_told_to_stop_leaves_the_list_of_workers(
    house: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, kind: str
) -> None:
    monkeypatch.setenv("PROCESS_NAME", kind)
    process = started(tmp_path, "manage.py", command)
    try:
        wait_for(lambda: process.poll() is not None or _listed(house, kind), STARTS_WITHIN_S)
        assert process.poll() is None, (tmp_path / "process.log").read_text()
        process.terminate()
        assert process.wait(60) == 0, (tmp_path / "process.log").read_text()
        assert not _listed(house, kind)
    finally:
        process.kill()
        process.wait()
