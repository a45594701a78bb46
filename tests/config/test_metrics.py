"""Metrics are readable from this machine or with the token only."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
import structlog
from django.db import OperationalError
from django.test import Client, override_settings
from redis import Redis

from config import metrics
from config.process import metrics_listener
from deploy.embedded import ports
from tests.conftest import Running
from tests.stopped import stopped

pytestmark = pytest.mark.django_db

SCRAPE_S = 10.0
"""Time after which Prometheus gives a scrape up, unless it is told otherwise."""


def test_the_machine_itself_reads_the_numbers(client: Client, room: Redis, broker: Redis) -> None:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    text = answer.content.decode()
    for name in (
        *("room_decisions_total", "room_command_seconds_bucket", "room_stream_lag_seconds_sum"),
        *("room_deadline_lateness_seconds_count", "room_hands_settled_total", "room_tables"),
        "room_balancer_seconds_count",
        *('room_queue_waiting{queue="settle"} 0.0', 'room_tournaments{state="running"} 0.0'),
        *("room_wake_late_seconds", "room_announcements_waiting 0.0"),
    ):
        assert name in text, name


def test_counters_are_told_while_a_server_is_away(
    client: Client, room: Redis, broker: Redis, room_server: Running
) -> None:
    assert "room_gauges_unanswered 0.0" in client.get("/metrics").content.decode()
    room_server.kill()
    answer = client.get("/metrics")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "room_decisions_total" in text
    assert "room_tournaments{" in text and "room_queue_waiting" not in text
    assert "room_gauges_unanswered 2.0" in text, "the gauges of tables and of the auditor"


@pytest.mark.parametrize("frozen", ["room_server", "broker_server"])
def test_counters_are_told_before_prometheus_gives_up_on_a_server_that_hangs(
    client: Client, room: Redis, broker: Redis, request: pytest.FixtureRequest, frozen: str
) -> None:
    client.get("/metrics")
    server = request.getfixturevalue(frozen).child
    with stopped([server.pid]):
        began_s = time.monotonic()
        text = client.get("/metrics").content.decode()
        took_s = time.monotonic() - began_s
    assert took_s < SCRAPE_S, "a scrape that fails tells no server"
    assert "room_decisions_total" in text and "room_gauges_unanswered 0.0" not in text


def test_no_source_of_gauges_is_asked_after_a_server_was_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def away(name: str) -> Callable[[], list[metrics.Row]]:
        def ask() -> list[metrics.Row]:
            asked.append(name)
            time.sleep(0.2)
            raise OperationalError("connection timeout expired")

        return ask

    monkeypatch.setattr(metrics, "WAITS_S", 0.1)
    monkeypatch.setattr(metrics, "_asked", [away("first"), away("second")])
    assert b"room_gauges_unanswered 2.0" in metrics.text()
    assert asked == ["first"]


def test_other_machines_get_404(client: Client, room: Redis, broker: Redis) -> None:
    assert client.get("/metrics", REMOTE_ADDR="10.0.0.9").status_code == 404
    # A proxy on this machine forwards a request of another one.
    assert client.get("/metrics", headers={"X-Forwarded-For": "10.0.0.9"}).status_code == 404


def test_with_a_token_only_its_holder_reads(client: Client, room: Redis, broker: Redis) -> None:
    with override_settings(METRICS_TOKEN="a long secret"):
        assert client.get("/metrics").status_code == 404
        wrong = client.get("/metrics", headers={"Authorization": "Bearer another"})
        right = client.get(
            "/metrics", headers={"Authorization": "Bearer a long secret"}, REMOTE_ADDR="10.0.0.9"
        )
    assert (wrong.status_code, right.status_code) == (404, 200)


def _addresses() -> list[str]:
    """Return this machine's addresses; some machines have only the first."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return ["127.0.0.1"]
    return ["127.0.0.1", "[::1]"]


@pytest.fixture(params=_addresses())
def counts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of the metrics of a process without pages, with a short timeout."""
    monkeypatch.setattr(metrics_listener, "REQUEST_S", 3.0)
    server = metrics_listener.listen(f"{request.param}:0", "a long secret")
    yield f"http://{request.param}:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_process_without_pages_tells_its_counters_to_the_holder_of_the_token(counts: str) -> None:
    right, wrong = ({"Authorization": f"Bearer {word}"} for word in ("a long secret", "another"))
    with httpx.Client(base_url=counts, timeout=60) as client:
        told = client.get("/metrics", headers=right)
        assert told.status_code == 200 and "room_decisions_total" in told.text
        assert "room_tables" not in told.text, "gauges of servers are told by web only"
        assert client.get("/metrics").status_code == 404
        assert client.get("/metrics", headers=wrong).status_code == 404
        assert client.get("/", headers=right).status_code == 404
        assert client.post("/metrics", headers=right).status_code == 404


def test_a_listener_of_web_tells_the_gauges_that_alerts_ask_for(
    room: Redis, broker: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics_listener, "REQUEST_S", 0.5)

    def slowly() -> bytes:
        time.sleep(1.0)  # as while a server is waited for, which is not the caller's fault
        return metrics.text()

    server = metrics_listener.listen("127.0.0.1:0", "a long secret", slowly)
    address = f"http://127.0.0.1:{server.server_port}/metrics"
    try:
        told = httpx.get(address, headers={"Authorization": "Bearer a long secret"}, timeout=60)
    finally:
        server.shutdown()
        server.server_close()
    assert "room_gauges_unanswered 0.0" in told.text and "room_decisions_total" in told.text
    assert "room_queue_waiting{" in told.text and "room_audit_age_seconds" in told.text


def test_silent_caller_is_disconnected(counts: str) -> None:
    address = httpx.URL(counts)
    with socket.create_connection((address.host, address.port)):
        assert httpx.get(f"{counts}/metrics", timeout=60).status_code == 404


def test_endless_request_is_disconnected(counts: str) -> None:
    address, done = httpx.URL(counts), threading.Event()

    def drip(slow: socket.socket) -> None:
        while not done.wait(0.2):
            with suppress(OSError):
                slow.sendall(b"G")

    with socket.create_connection((address.host, address.port)) as slow:
        dripping = threading.Thread(target=drip, args=(slow,))
        dripping.start()
        assert httpx.get(f"{counts}/metrics", timeout=60).status_code == 404
        done.set()
        dripping.join()


def test_a_process_whose_port_is_taken_does_its_work_all_the_same() -> None:
    with ports.listen(0) as held:
        taken = f"127.0.0.1:{held.getsockname()[1]}"
        with (
            override_settings(METRICS_LISTEN=taken, METRICS_TOKEN="a long secret"),
            structlog.testing.capture_logs() as said,
        ):
            metrics_listener.start()
    assert [(line["event"], line["address"]) for line in said] == [
        ("counters are told nowhere", taken)
    ]


def test_counters_add_up_over_processes_and_restarts(place: Path) -> None:
    count = "from config import metrics; metrics.DECISIONS.inc({})"
    for name, decisions in (("play0", 2), ("play1", 3), ("play0", 5)):
        _python(count.format(decisions), place, name)
    said = _python("from config import metrics; print(metrics.text().decode())", place, "web")
    assert "room_decisions_total 10.0" in said
    metrics.fresh(place)
    assert not list(place.glob("*.db"))


def test_a_damaged_file_of_counters_stops_no_process_and_no_scrape(place: Path) -> None:
    count = "from config import metrics; metrics.DECISIONS.inc(2)"
    tell = "from config import metrics; print(metrics.text().decode())"
    _python(count, place, "play1")
    _python(count, place, "play0")
    mine = place / "counter_play0.db"
    whole = mine.read_bytes()
    # A loss of power leaves a page of zeros, or a part of the file.
    mine.write_bytes(whole[:8] + bytes(len(whole) - 8))
    assert "room_decisions_total 2.0" in _python(tell, place, "web"), "of the other process"
    assert not mine.exists()
    mine.write_bytes(whole[:100])
    _python(count, place, "play0")
    assert "room_decisions_total 4.0" in _python(tell, place, "web")


def test_an_empty_file_of_counters_is_passed_by_and_filled_by_its_process(place: Path) -> None:
    count = "from config import metrics; metrics.DECISIONS.inc(2)"
    tell = "from config import metrics; print(metrics.text().decode())"
    for name in ("play0", "play1"):
        _python(count, place, name)
    # A loss of power leaves the name of a file whose bytes were not on the disk.
    (place / "counter_play0.db").write_bytes(b"")
    assert "room_decisions_total 2.0" in _python(tell, place, "web")
    assert (place / "counter_play0.db").exists(), "it may have been made in this moment"
    _python(count, place, "play0")
    assert "room_decisions_total 4.0" in _python(tell, place, "web")


def _python(program: str, folder: Path, name: str) -> str:
    environment = {**os.environ, metrics.FOLDER: str(folder), "PROCESS_NAME": name}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout
