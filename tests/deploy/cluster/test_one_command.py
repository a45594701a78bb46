"""One command opens a room, keeps it open, closes it without leftovers, and reopens its data."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from config.environment import HOME
from deploy.embedded import network, ports
from deploy.embedded.owner import ground, server_owner
from deploy.processes import layout as layouts
from deploy.processes.layout import Layout

READY_S = 180.0
PROCESSES = ("postgres", "valkey-server", "config.serve", "config.worker")


class Command:
    """`manage.py cluster` started as in an operator's shell; with `chosen` its ports are chosen."""

    def __init__(self, home: Path, *arguments: str, chosen: Layout | None = None) -> None:
        self.output = home.with_name(f"{home.name}-{time.monotonic_ns()}.out")
        clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        if chosen is not None:
            clean |= {**chosen.environment(), **chosen.marks()}
        command = [sys.executable, str(HOME / "manage.py"), "cluster", "--data", str(home)]
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                [*command, *arguments], stdout=out, stderr=out, cwd="/", env=clean
            )

    @property
    def said(self) -> str:
        return self.output.read_text()

    def url(self) -> str:
        until(lambda: re.search(r"^  http://\S+/$", self.said, re.MULTILINE) or self.ended())
        found = re.search(r"^  (http://\S+/)$", self.said, re.MULTILINE)
        assert found, self.said
        return found[1]

    def ended(self) -> bool:
        return self.process.poll() is not None

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(READY_S)


def until(holds: Callable[[], object], within_s: float = READY_S) -> None:
    give_up = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < give_up, "did not happen in time"
        time.sleep(0.1)


def answers(url: str, within_s: float = READY_S) -> int:
    try:
        with urlopen(Request(url), timeout=within_s) as answer:
            return int(answer.status)
    except (URLError, OSError):
        return 0


def processes_of(home: Path) -> dict[int, str]:
    """Return command lines of living processes that mention the room's folder."""
    found = {}
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit():
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                about = (
                    f"{line} {(folder / 'cwd').readlink()} {(folder / 'environ').read_bytes()!r}"
                )
                if str(home) in about and int(folder.name) != os.getpid():
                    found[int(folder.name)] = line
    return found


@pytest.fixture
def home(place: Path) -> Iterator[Path]:
    made = place / "room"
    yield made
    for pid in processes_of(made):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    moved = ground(made / "data" / "servers", server_owner())
    shutil.rmtree(moved, ignore_errors=True)


@pytest.fixture
def chosen(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Layout]:
    for variable in layouts.SERVERS.values():
        monkeypatch.delenv(variable)
    made = layouts.choose(home, None)[0]
    yield made
    ports.let_go(*made.ports.values())


@pytest.mark.sample
@pytest.mark.cluster
def test_a_room_opens_heals_closes_and_opens_again(home: Path, chosen: Layout) -> None:
    with ports.listen(0) as somebody:
        taken = somebody.getsockname()[1]
        stolen = replace(chosen, ports={**chosen.ports, "web": taken})
        first = Command(home, "--no-bots", chosen=stolen)
        url = first.url()
        assert f"port {taken} of web was taken meanwhile; choosing another\n" in first.said
    port = int(str(urlsplit(url).port))
    assert port != taken
    assert answers(f"{url}healthz") == 200
    assert any(answers(f"{url}readyz") == 200 for _ in range(10)), "the first page arrives"
    assert answers(url) == 200, "the page is the lobby"
    running = " ".join(processes_of(home).values())
    assert all(name in running for name in PROCESSES)

    second = Command(home, "--no-bots")
    assert second.process.wait(READY_S) != 0
    assert f"process {first.process.pid}" in second.said

    web = next(pid for pid, line in processes_of(home).items() if "config.serve" in line)
    os.kill(web, signal.SIGKILL)
    assert answers(f"{url}healthz") == 200, "a request during the restart waits and is answered"
    assert "web was killed by signal 9" in first.said

    admin = re.search(r"admin: (\S+)  password: (\S+)", first.said)
    assert admin
    assert first.end(signal.SIGINT) == 0
    until(lambda: not processes_of(home))
    assert not (home / "environment").exists()

    lan = network.own_address()
    again = Command(home, "--no-bots", "--port", str(port), *(["--lan"] if lan else []))
    assert again.url() == url.replace("127.0.0.1", lan or "127.0.0.1"), "the port is released"
    assert answers(url) == answers(again.url()) == 200
    assert "gathering static files" not in again.said, "the data of the first start is there"
    os.kill(again.process.pid, signal.SIGKILL)
    again.process.wait()
    until(lambda: not processes_of(home))


def test_a_port_of_somebody_else_is_avoided_and_said(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = Command(home, "--no-bots", "--port", str(port))
        until(lambda: "starting servers" in command.said or command.ended())
        assert f"port {port} is taken by somebody else; web uses" in command.said
        assert command.end() == 0
    until(lambda: not processes_of(home))
