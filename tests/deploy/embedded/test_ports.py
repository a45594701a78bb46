"""Rooms that start at the same moment share no port, and a layout with a taken port changes it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from config.environment import HOME
from deploy.embedded import ports
from deploy.processes import layout as layouts
from deploy.processes.layout import Layout, PortTaken

ROOMS = 6
CHOOSE = """
import json, sys
from deploy.embedded import ports
found = ports.several({"web": int(sys.argv[1]), "postgres": int(sys.argv[1]), "room": None})
print(json.dumps(sorted(found.values())), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def taken() -> Iterator[int]:
    with ports.listen(0) as somebody:
        yield somebody.getsockname()[1]


@pytest.fixture
def layout(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Layout]:
    for variable in layouts.SERVERS.values():
        monkeypatch.delenv(variable)
    made = layouts.choose(place / "room", None)[0]
    yield made
    ports.let_go(*made.ports.values())


def test_processes_that_choose_at_once_choose_different_ports() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        wanted = probe.getsockname()[1]
    rooms = [
        subprocess.Popen(
            [sys.executable, "-c", CHOOSE, str(wanted)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=HOME,
        )
        for _ in range(ROOMS)
    ]
    try:
        outputs = [room.stdout for room in rooms if room.stdout is not None]
        assert len(outputs) == ROOMS
        chosen = [port for output in outputs for port in json.loads(output.readline())]
    finally:
        for room in rooms:
            room.communicate()
    assert len(chosen) == ROOMS * 3
    assert len(set(chosen)) == len(chosen)
    assert wanted in chosen, "one process got the wanted port"


def test_a_room_for_its_network_is_asked_for_by_name_and_keeps_its_servers_to_itself(
    layout: Layout,
) -> None:
    alone = layout.environment()
    assert layout.listens == "127.0.0.1"
    port = layout.ports["web"]
    opened = layouts.given({**replace(layout, lan="192.168.1.5").marks(), "ROOM_LOCAL": "/x"})
    assert (opened.url, opened.near) == (f"http://192.168.1.5:{port}", f"http://127.0.0.1:{port}")
    assert opened.listens == "0.0.0.0"
    found = opened.environment()
    assert found["PUBLIC_URL"] == opened.url
    assert found["ALLOWED_HOSTS"] == f"{alone['ALLOWED_HOSTS']},192.168.1.5"
    assert opened.url in found["CSRF_TRUSTED_ORIGINS"].split(",")
    for server in layouts.SERVERS.values():
        assert "@127.0.0.1:" in found[server]


def test_a_server_with_an_empty_address_is_started_here(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("ROOM_REDIS_URL", "redis://one.example:6379/0")
    monkeypatch.delenv("BROKER_URL")
    made = layouts.choose(place / "room", None)[0]
    ports.let_go(*made.ports.values())
    assert made.embedded == {"postgres", "broker"}


def test_a_port_is_given_back_by_its_process() -> None:
    port = ports.free()
    other = ports.free(port)
    assert other != port
    ports.let_go(port, other)
    assert ports.free(port) == port
    ports.let_go(port)


def test_a_port_that_was_taken_meanwhile_is_noticed_and_only_it_is_changed(
    taken: int, layout: Layout
) -> None:
    layouts.verify(layout)
    stolen = replace(layout, ports={**layout.ports, "room": taken})
    with pytest.raises(PortTaken, match=f"port {taken} of room") as problem:
        layouts.verify(stolen)
    moved = layouts.moved(stolen, problem.value.name)
    layouts.verify(moved)
    assert {name for name, port in moved.ports.items() if port != stolen.ports[name]} == {"room"}
