"""Supervisor keeps processes alive with back-off, and no process outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deploy.embedded.program import NotReady, Program
from deploy.processes.lock import DataLock, InUse
from deploy.processes.supervisor import RESTART_FORGET_S, Supervisor

SLEEPER = "import time; time.sleep(600)"


def sleeper(place: Path, name: str, code: str = SLEEPER) -> Program:
    return Program(
        name=name,
        argv=(sys.executable, "-c", code),
        directory=place,
        log=place / f"{name}.log",
        ready=lambda: True,
    )


def until(holds: Callable[[], object], within_s: float = 60.0) -> None:
    give_up = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < give_up, "did not happen in time"
        time.sleep(0.02)


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(said: list[str]) -> Iterator[Supervisor]:
    made = Supervisor(said.append)
    yield made
    made.stop()


def test_a_process_keeps_its_bytecode_where_the_environment_forbids_it(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (tmp_path / "dealt.py").write_text("CARDS = 52\n")
    supervisor.start([sleeper(tmp_path, "worker", f"import dealt; {SLEEPER}")])
    until(lambda: list(tmp_path.glob("__pycache__/dealt.*.pyc")))


def test_a_killed_process_is_started_again(
    supervisor: Supervisor, said: list[str], tmp_path: Path
) -> None:
    supervisor.start([sleeper(tmp_path, "one"), sleeper(tmp_path, "two")])
    first, other = supervisor.pid("one"), supervisor.pid("two")
    supervisor.kill("one")

    def again() -> bool:
        supervisor.tend()
        return supervisor.pid("one") not in (first, None)

    until(again)
    assert supervisor.restarts() == {"one": 1, "two": 0}
    assert supervisor.pid("two") == other
    assert "killed by signal 9" in said[0]


def test_a_process_that_ends_for_a_fault_of_its_own_is_told_once(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    crash = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    supervisor.start([sleeper(tmp_path, "ill", crash), sleeper(tmp_path, "one")])
    supervisor.kill("one")

    def both_again() -> bool:
        supervisor.tend()
        return min(supervisor.restarts().values()) > 0

    until(both_again)
    told = supervisor.take_crashes()
    assert told[0] == f"ill crashed: signal 11, see {tmp_path / 'ill.log'}"
    assert not any("one" in line.split()[0] for line in told), "killed by somebody else"
    assert supervisor.take_crashes() == []


def test_lost_stop_signal_is_obeyed(tmp_path: Path) -> None:
    wishes: list[str] = []

    def heed() -> None:
        if wishes:
            raise KeyboardInterrupt

    def ready() -> bool:
        wishes.append("struck in a destructor, where nobody hears it")
        return True

    supervisor = Supervisor(lambda _: None, heed=heed)
    try:
        with pytest.raises(KeyboardInterrupt):
            supervisor.start([replace(sleeper(tmp_path, "one"), ready=ready)])
        with pytest.raises(KeyboardInterrupt):
            supervisor.tend()
    finally:
        supervisor.stop()


def test_the_pause_doubles_up_to_its_limit_and_is_forgotten_after_a_long_life(
    said: list[str], tmp_path: Path
) -> None:
    clock = [1_000.0]
    supervisor = Supervisor(said.append, clock=lambda: clock[0])
    supervisor.start([sleeper(tmp_path, "one", "")])
    pauses = []

    def die(after_s: float) -> float:
        until(lambda: not supervisor._kept["one"].alive())
        clock[0] += after_s
        supervisor.tend()
        pause = supervisor._kept["one"].start_at_s - clock[0]
        clock[0] += pause - 0.001
        supervisor.tend()
        assert supervisor.pid("one") is None, "started before the end of its back-off"
        clock[0] += 0.002
        supervisor.tend()
        return round(pause, 3)

    pauses = [die(0.0) for _ in range(7)]
    assert pauses == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert die(RESTART_FORGET_S) == 0.2
    supervisor.stop()


def test_a_program_that_never_gets_ready_is_reported_with_its_log(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    how = Program(
        name="stuck",
        argv=(sys.executable, "-c", SLEEPER),
        directory=tmp_path,
        log=tmp_path / "stuck.log",
        ready=lambda: False,
    )
    with pytest.raises(NotReady, match=r"stuck not ready.*stuck\.log"):
        supervisor.start([how], within_s=0.3)


def test_stop_kills_processes_that_ignore_sigterm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = "import signal,time,pathlib; signal.signal(15, signal.SIG_IGN);"
    deaf += "pathlib.Path('deaf').touch(); time.sleep(600)"
    monkeypatch.setattr("deploy.processes.supervisor.STOP_MAX_S", 0.3)
    supervisor = Supervisor(lambda _: None)
    supervisor.start([sleeper(tmp_path, "deaf", deaf)])
    until((tmp_path / "deaf").exists)
    pid = supervisor.pid("deaf")
    supervisor.stop()
    assert pid is not None
    assert not runs(pid)


def test_children_die_with_a_supervisor_that_was_killed(tmp_path: Path) -> None:
    code = f"""
import pathlib, sys, time
from deploy.processes.supervisor import RESTART_FORGET_S, Supervisor
from deploy.embedded.program import Program
here = pathlib.Path({str(tmp_path)!r})
supervisor = Supervisor(print)
supervisor.start([Program(name="child", argv=(sys.executable, "-c", {SLEEPER!r}), directory=here,
                          log=here / "child.log", ready=lambda: True)])
(here / "pid.new").write_text(str(supervisor.pid("child")))
(here / "pid.new").rename(here / "pid")
time.sleep(600)
"""
    parent = subprocess.Popen([sys.executable, "-c", code])
    until((tmp_path / "pid").exists)
    child = int((tmp_path / "pid").read_text())
    assert runs(child)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    until(lambda: not runs(child))


def test_a_second_room_on_the_same_data_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with DataLock(path), pytest.raises(InUse, match=str(os.getpid())), DataLock(path):
        pass
    with DataLock(path):
        assert path.read_text() == str(os.getpid())
