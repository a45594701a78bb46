"""Heartbeats: they go on without servers, stop with a stuck task, and their age is judged."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config import heartbeat
from config.environment import HOME
from config.heartbeat import Heartbeat


@pytest.fixture
def now_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Clock of the heart, in seconds; tests move it."""
    clock = [1_000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    return clock


def test_a_heart_beats_once_a_second(tmp_path: Path, now_s: list[float]) -> None:
    file = tmp_path / "alive"
    heart = Heartbeat(str(file))
    turns = []
    for step_s in (0.0, 0.5, 0.5):
        now_s[0] += step_s
        turns.append((heart.beat(), file.exists()))
        file.unlink(missing_ok=True)
    assert turns == [(True, True), (False, False), (True, True)]


def test_a_stuck_task_stops_the_heart_until_it_ends(now_s: list[float]) -> None:
    heart = Heartbeat()
    heart.begin()
    now_s[0] += heartbeat.STUCK_S
    turns = [heart.beat()]
    now_s[0] += 1
    turns.append(heart.beat())
    heart.end()
    turns.append(heart.beat())
    assert turns == [True, False, True]


def _probed(file: Path | None) -> subprocess.CompletedProcess[str]:
    named = {heartbeat.FILE: str(file)} if file else {}
    return subprocess.run(
        [sys.executable, "-m", "config.heartbeat"],
        cwd=HOME,
        env={**os.environ, **named},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_probe_judges_the_age_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "alive"
    Heartbeat(str(file)).beat()
    assert _probed(file).returncode == 0
    old_s = file.stat().st_mtime - heartbeat.STUCK_S - 5
    os.utime(file, (old_s, old_s))
    late = _probed(file)
    assert late.returncode == 1 and "at most 60 are allowed" in late.stderr


@pytest.mark.parametrize("named", [True, False])
def test_the_probe_says_that_no_process_touched_the_file(tmp_path: Path, named: bool) -> None:
    done = _probed(tmp_path / "never" if named else None)
    assert done.returncode == 1 and "names no file that a process touched" in done.stderr
