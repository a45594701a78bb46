"""Injection of scheduled faults into the processes of a running room."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from deploy.faults import killing, power
from deploy.faults.schedule import Harm
from deploy.processes.supervisor import STOP_MAX_S, Supervisor

POSTGRES_FAST_AFTER_S = 3.0
"""Seconds from SIGTERM, which waits for clients, until PostgreSQL is told to disconnect them."""

DEAD_WITHIN_S = 5.0
ELSEWHERE = ("swarm", "proxy")
"""Processes that a loss of power spares: players have machines of their own."""


class Harming:
    """Injector of faults and their follow-ups: frozen processes resume, lost ones come back.

    Each Redis of the room has its files in a folder of its name under `servers`.
    """

    def __init__(self, supervisor: Supervisor, chance: random.Random, servers: Path) -> None:
        self._supervisor = supervisor
        self._chance = chance
        self._servers = servers
        self._later: list[tuple[float, Callable[[], None]]] = []

    def do(self, harm: Harm) -> str | None:
        """Inject a fault now; return the name of its process, None when no such process runs."""
        if harm.kind == "lines":
            number = signal.SIGUSR1 if harm.action == "cut" else signal.SIGUSR2
            return "proxy" if self._supervisor.signal("proxy", number) else None
        if harm.kind == "machine":
            return self._reset()
        there = [name for name in killing.named(harm.kind, self._supervisor) if self._is_hit(name)]
        if not there:
            return None
        name = self._chance.choice(sorted(there))
        match harm.action:
            case "kill":
                self._supervisor.kill(name)
            case "empty":
                self._empty(name)
            case "term":
                self._terminate(name)
            case "stop":
                self._freeze(name, harm.lasts_s)
            case "lose":
                self._supervisor.lose(name)
                self._after(harm.lasts_s, partial(self._supervisor.revive, name))
            case _:
                raise AssertionError(harm)
        return name

    def _is_hit(self, name: str) -> bool:
        """Return whether the process serves the room; a worker that only starts serves no table
        yet.
        """
        if name.startswith(killing.KINDS["worker"]):
            return self._supervisor.serves(name)
        return self._supervisor.pid(name) is not None

    def follow_up_due(self) -> None:
        """Carry out the follow-ups that are due."""
        now_s = time.monotonic()
        due = [what for at_s, what in self._later if at_s <= now_s]
        self._later = [(at_s, what) for at_s, what in self._later if at_s > now_s]
        for what in due:
            what()

    def finish(self) -> None:
        """Carry out all follow-ups at once, so that no process stays harmed."""
        for _, what in self._later:
            what()
        self._later = []

    def _after(self, wait_s: float, what: Callable[[], None]) -> None:
        self._later.append((time.monotonic() + wait_s, what))

    def _reset(self) -> str:
        """Kill all processes at once, but for those of players, and lose what was never synced."""
        mine = [n for n in self._supervisor.restarts() if not n.startswith(ELSEWHERE)]
        for name in sorted(mine, key=lambda name: not name.startswith("room")):
            self._supervisor.kill(name)
        for name in mine:
            self._await_death(name)
        for name in killing.named("room", self._supervisor):
            power.lose_unsynced(self._servers / name)
        return "machine"

    def _await_death(self, name: str) -> None:
        give_up_s = time.monotonic() + DEAD_WITHIN_S
        while self._supervisor.pid(name) is not None and time.monotonic() < give_up_s:
            time.sleep(0.01)

    def _empty(self, name: str) -> None:
        self._supervisor.kill(name)
        self._await_death(name)
        data = self._servers / name
        for path in [*data.rglob("appendonly*"), *data.rglob("*.rdb")]:
            if path.is_file():
                path.unlink(missing_ok=True)

    def _terminate(self, name: str) -> None:
        pid = self._supervisor.signal(name, signal.SIGTERM)
        if name == "postgres" and pid is not None:
            self._after(POSTGRES_FAST_AFTER_S, lambda: self._signal_same(name, pid, signal.SIGINT))
        elif pid is not None:
            # A process that does not end when asked is killed, as the supervisor does it.
            self._after(STOP_MAX_S, lambda: self._signal_same(name, pid, signal.SIGKILL))

    def _freeze(self, name: str, lasts_s: float) -> None:
        pid = self._supervisor.pid(name)
        assert pid is not None
        family = _family(pid)
        for member in family:
            _send(member, signal.SIGSTOP)
        self._after(lasts_s, partial(_thaw, family))

    def _signal_same(self, name: str, pid: int, number: signal.Signals) -> None:
        if self._supervisor.pid(name) == pid:
            _send(pid, number)


def _thaw(family: list[int]) -> None:
    # Children first: a resumed parent might miss the state of its children.
    for member in reversed(family):
        _send(member, signal.SIGCONT)


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _family(pid: int) -> list[int]:
    """Return a process and its children (PostgreSQL has one per connection), parents first."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    if not children.exists():
        return [pid]
    return [pid, *(m for child in children.read_text().split() for m in _family(int(child)))]
