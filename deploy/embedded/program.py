"""Foreground child process: started as its owner, killed with its parent, stopped in order."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deploy.embedded import network
from deploy.embedded.owner import Owner

_PR_SET_PDEATHSIG = 1
_READY_ASK_S = 0.05
_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


class NotReady(Exception):
    """Program died or was not ready in time; the message names its log."""


@dataclass(frozen=True, slots=True)
class Program:
    """Command of one process; `ready` is polled until it is true."""

    name: str
    argv: tuple[str, ...]
    directory: Path
    log: Path
    ready: Callable[[], bool]
    environment: Mapping[str, str] = field(default_factory=dict)
    # Ready file that the process writes; removed before each start.
    mark: Path | None = None
    # Open files that the child inherits under the same numbers.
    descriptors: tuple[int, ...] = ()
    owner: Owner | None = None
    # Network namespace of the child; None is the parent's.
    network: Path | None = None
    # Called after the process ended: true when that was its proper end.
    ended: Callable[[], bool] = lambda: False
    stop_signal: signal.Signals = signal.SIGTERM
    # Signal that the kernel sends the child when its parent dies in any way (Linux).
    orphan_signal: signal.Signals = signal.SIGKILL


def inherited() -> dict[str, str]:
    """Environment that a child takes from this process: all but the ban on bytecode.

    A process of the room that may not keep bytecode compiles 1,900 modules at each start: 2.0 s
    of processor time instead of 0.7 s.
    """
    return {name: value for name, value in os.environ.items() if name != _NO_BYTECODE}


def start(program: Program) -> subprocess.Popen[bytes]:
    """Start the program now; append its output to its log."""
    program.log.parent.mkdir(parents=True, exist_ok=True)
    if program.mark is not None:
        program.mark.parent.mkdir(parents=True, exist_ok=True)
        program.mark.unlink(missing_ok=True)
    parent = os.getpid()
    with program.log.open("ab") as log:
        return subprocess.Popen(
            program.argv,
            cwd=program.directory,
            env={**inherited(), **program.environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=program.descriptors,
            # Ctrl-C reaches the supervisor, which stops its children in order
            start_new_session=True,
            preexec_fn=lambda: _prepare(program, parent),
        )


def wait_ready(program: Program, child: subprocess.Popen[bytes], within_s: float) -> None:
    """Return once the program is ready; raise NotReady when it died or took too long."""
    give_up = time.monotonic() + within_s
    while not program.ready():
        if child.poll() is not None:
            raise NotReady(f"{program.name} ended with {child.returncode}; see {program.log}")
        if time.monotonic() > give_up:
            raise NotReady(f"{program.name} not ready after {within_s:g} s; see {program.log}")
        time.sleep(_READY_ASK_S)


def stop(program: Program, child: subprocess.Popen[bytes], within_s: float) -> None:
    """Ask the child to end; kill its whole group when it does not end in time."""
    if child.poll() is None:
        child.send_signal(signal.SIGCONT)
        child.send_signal(program.stop_signal)
        try:
            child.wait(within_s)
        except subprocess.TimeoutExpired:
            kill(child)


def kill(child: subprocess.Popen[bytes]) -> None:
    """Kill -9 the child and every process of its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _prepare(program: Program, parent: int) -> None:
    if program.network is not None:
        network.enter(program.network)
    if program.owner is not None:
        program.owner.become()
    # After the change of user, which would clear this setting.
    die_with(parent, program.orphan_signal)


def die_with(parent: int, number: signal.Signals) -> None:
    """Have the kernel send the calling process a signal when its parent dies (Linux).

    For a child before its exec.
    """
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


_libc = ctypes.CDLL(None, use_errno=True)
