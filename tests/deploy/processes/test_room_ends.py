"""Room of one command whose terminal is gone, and a port that no machine has."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from socket import socket

import pytest

from config.environment import HOME
from deploy.cluster.room import ClusterOptions, Room
from deploy.embedded import ports
from deploy.embedded.program import Program
from deploy.processes import layout as layouts
from deploy.processes.layout import Layout
from deploy.processes.terminal import Terminal


class _ClosedPipe(io.StringIO):
    def write(self, _: str) -> int:
        """Fail as a pipe without a reader."""
        raise BrokenPipeError


class _RoomOfOneProcess(Room):
    def _open(self, listening: socket) -> None:
        home = self.layout.home
        command = (sys.executable, "-c", "import time; time.sleep(600)")
        self.supervisor.start([Program("one", command, home, home / "one.log", lambda: True)])
        (home / "environment").write_text("SHARDS=1\n")


@pytest.fixture
def layout(tmp_path: Path) -> Iterator[Layout]:
    made = layouts.choose(tmp_path / "room", None)[0]
    yield made
    ports.let_go(*made.ports.values())


def test_a_room_whose_terminal_is_gone_stops_its_processes(layout: Layout) -> None:
    room = _RoomOfOneProcess(layout, ClusterOptions(), Terminal(_ClosedPipe()))
    children = []
    with pytest.raises(BrokenPipeError), room.opened():
        children += [kept.child for kept in room.supervisor._kept.values()]
    [child] = children
    assert child is not None and child.poll() is not None
    assert not (layout.home / "environment").exists()


@pytest.mark.parametrize("port", ["99999", "0", "-1", "http"])
def test_a_port_that_no_machine_has_is_told_in_one_line(tmp_path: Path, port: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cluster", "--data", str(tmp_path / "room"), "--port", port],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and f"{port} is no port: 1 to 65535" in done.stderr
    assert not (tmp_path / "room").exists()
