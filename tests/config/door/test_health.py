"""Health checks report the state of this process and its servers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from redis import Redis

from config import limits
from deploy.embedded import ports
from tests.conftest import Running


def test_alive_asks_no_server(client: Client) -> None:
    assert client.get("/healthz").json() == {"ok": True}


@pytest.mark.django_db
def test_ready_when_all_three_servers_answer(
    client: Client, room: Redis, broker: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "READY_ANSWER_S", 60.0)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ok": True, "database": True, "room": True, "broker": True}


@pytest.mark.django_db
def test_not_ready_names_the_server_that_is_away(
    client: Client,
    room: Redis,
    broker: Redis,
    room_server: Running,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "READY_ANSWER_S", 60.0)
    room_server.kill()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"ok": False, "database": True, "room": False, "broker": True}


@pytest.mark.django_db
def test_silent_server_counts_as_away(
    client: Client, room: Redis, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "READY_ANSWER_S", 5.0)
    with ports.listen(0) as silent:
        settings.BROKER_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        answer = client.get("/readyz")
        assert answer.json() == {"ok": False, "database": True, "room": True, "broker": False}
        silent.settimeout(60)
        asked, _ = silent.accept()
        assert asked.recv(64)
        asked.close()
        silent.setblocking(False)
        with pytest.raises(BlockingIOError):
            silent.accept()  # once: probes do not wait for retries


def test_only_safe_methods_are_answered(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
