"""Crashes leave stacks in the log, and no memory on the disk."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config.environment import HOME
from deploy.embedded import ports

CRASH = """
import ctypes
from config.process import crashes

def deal(hole_cards):
    ctypes.string_at(0)

crashes.leave_no_memory()
deal("Ah Kd")
"""
NO_CORE_FILES = f"{'Max core file size':26}{'0':21}{'0':21}bytes"


def _with_core_files() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE)[1:] * 2)


def _run(program: str, place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(HOME)},
        preexec_fn=_with_core_files,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_crash_tells_its_stack_and_leaves_no_memory(tmp_path: Path) -> None:
    crashed = _run(CRASH, tmp_path)
    assert crashed.returncode == -signal.SIGSEGV
    assert "in deal" in crashed.stderr and "Ah Kd" not in crashed.stderr
    assert list(tmp_path.iterdir()) == []
    limit = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE))"
    asked = _run(CRASH.replace('deal("Ah Kd")', limit), tmp_path)
    assert asked.stdout == "(0, 0)\n"


@pytest.mark.parametrize(
    "command",
    [
        ("-m", "config.worker", "play", "0"),
        ("-m", "config.serve", "127.0.0.1:{port}"),
        ("manage.py", "audit", "--watch"),
    ],
    ids=["worker", "web", "command"],
)
def test_every_process_of_a_room_leaves_no_memory(command: tuple[str, ...]) -> None:
    nobody = {"DATABASE_URL": f"postgresql://nobody@127.0.0.1:{ports.free()}/none"}
    line = [part.format(port=ports.free()) for part in command]
    started = subprocess.Popen(
        [sys.executable, *line],
        cwd=HOME,
        env={**os.environ, **nobody},
        preexec_fn=_with_core_files,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    allowed, give_up_s = Path(f"/proc/{started.pid}/limits"), time.monotonic() + 60
    try:
        while NO_CORE_FILES not in allowed.read_text():
            assert started.poll() is None and time.monotonic() < give_up_s, "core files are allowed"
            time.sleep(0.01)
    finally:
        started.kill()
        started.wait()
