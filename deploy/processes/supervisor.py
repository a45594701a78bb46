"""Supervisor: starts processes stage by stage, restarts dead ones, stops all in reverse."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from deploy.embedded import program
from deploy.embedded.program import NotReady, Program

RESTART_FIRST_S = 0.2
RESTART_MAX_S = 5.0
RESTART_FORGET_S = 30.0
"""Pauses before a process is started again: the first, the longest, and the time that resets it."""
READY_MAX_S = 180.0
STOP_MAX_S = 10.0

CRASHES = {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE}
"""Signals that end a process for a fault of its own; nobody sends them."""

assert RESTART_FIRST_S < RESTART_MAX_S < RESTART_FORGET_S

Say = Callable[[str], None]


@dataclass
class Kept:
    """Supervised process with its current back-off."""

    how: Program
    child: subprocess.Popen[bytes] | None = None
    started_s: float = 0.0
    start_at_s: float = 0.0
    pause_s: float = RESTART_FIRST_S
    restarts: int = 0
    done: bool = field(default=False)

    def alive(self) -> bool:
        """Return whether the process runs now."""
        return self.child is not None and self.child.poll() is None


class Supervisor:
    """Processes by name; the owner of the main loop calls `tend` repeatedly.

    `heed` is called before and after a stage starts and at each `tend`; it may raise.
    """

    def __init__(
        self,
        say: Say,
        clock: Callable[[], float] = time.monotonic,
        heed: Callable[[], None] = lambda: None,
    ) -> None:
        self._say = say
        self._clock = clock
        self._heed = heed
        self._kept: dict[str, Kept] = {}
        self._crashes: list[str] = []

    def start(self, stage: Sequence[Program], within_s: float = READY_MAX_S) -> None:
        """Start all programs of a stage at once; return when every one is ready."""
        self._heed()
        for how in stage:
            assert how.name not in self._kept, how.name
            self._kept[how.name] = kept = Kept(how)
            self._launch(kept)
        for how in stage:
            self._await(self._kept[how.name], within_s)
        self._heed()

    def tend(self) -> None:
        """Restart dead processes after their back-off; never block."""
        self._heed()
        for kept in self._kept.values():
            if kept.done or kept.alive():
                continue
            if kept.child is not None and kept.how.ended():
                kept.done = True
            elif kept.child is not None:
                self._bury(kept)
            elif self._clock() >= kept.start_at_s:
                kept.restarts += 1
                self._launch(kept)

    def stop(self) -> None:
        """Stop every process, the last started first, and forget them."""
        for kept in reversed(self._kept.values()):
            if kept.child is not None:
                program.stop(kept.how, kept.child, STOP_MAX_S)
        self._kept.clear()

    def kill(self, name: str) -> None:
        """Kill -9 the process called `name`; `tend` restarts it soon, without back-off."""
        kept = self._kept[name]
        if kept.child is not None and kept.alive():
            kept.pause_s = RESTART_FIRST_S
            os.kill(kept.child.pid, signal.SIGKILL)

    def signal(self, name: str, number: signal.Signals) -> int | None:
        """Send the process called `name` a signal; return its process id, None when it does not
        run.
        """
        pid = self.pid(name)
        if pid is not None:
            os.kill(pid, number)
        return pid

    def kill_one_of(self, names: Iterable[str], chance: random.Random) -> str | None:
        """Kill -9 one random living process of `names`; return its name."""
        living = [name for name in names if name in self._kept and self._kept[name].alive()]
        if not living:
            return None
        name = chance.choice(sorted(living))
        self.kill(name)
        return name

    def retire(self, name: str) -> None:
        """Stop the process called `name` for good."""
        kept = self._kept[name]
        kept.done = True
        if kept.child is not None:
            program.stop(kept.how, kept.child, STOP_MAX_S)
            self._note_crash(kept)

    def replace(self, how: Program, within_s: float = READY_MAX_S) -> float:
        """Stop the process of this name, and start another program in its place.

        Return the seconds until it had stopped, once the other one is ready.
        """
        kept = self._kept[how.name]
        began_s = self._clock()
        if kept.child is not None:
            program.stop(kept.how, kept.child, STOP_MAX_S)
            self._note_crash(kept)
        stopped_s = self._clock() - began_s
        kept.how, kept.done, kept.pause_s = how, False, RESTART_FIRST_S
        self._launch(kept)
        self._await(kept, within_s)
        return stopped_s

    def lose(self, name: str) -> None:
        """Kill -9 the process called `name` for good: `tend` does not start it again."""
        kept = self._kept[name]
        kept.done = True
        if kept.child is not None:
            program.kill(kept.child)

    def revive(self, name: str) -> None:
        """Let `tend` start a lost process again."""
        self._kept[name].child = None
        self._kept[name].done = False

    def pid(self, name: str) -> int | None:
        """Return the process id of `name`, while it runs."""
        kept = self._kept[name]
        return kept.child.pid if kept.child is not None and kept.alive() else None

    def serves(self, name: str) -> bool:
        """Return whether the process called `name` runs and is ready."""
        kept = self._kept[name]
        return kept.alive() and kept.how.ready()

    def restarts(self) -> dict[str, int]:
        """Return the number of restarts of each process."""
        return {name: kept.restarts for name, kept in self._kept.items()}

    def take_crashes(self) -> list[str]:
        """Return a line for each process that ended for a fault of its own, and forget it."""
        taken, self._crashes = self._crashes, []
        return taken

    def _await(self, kept: Kept, within_s: float) -> None:
        give_up = self._clock() + within_s
        while True:
            assert kept.child is not None
            try:
                program.wait_ready(kept.how, kept.child, max(0.1, give_up - self._clock()))
                return
            except NotReady:
                if self._clock() >= give_up or kept.alive():
                    raise
                self._say(f"{kept.how.name} died at its start; trying again")
                self._note_crash(kept)
                time.sleep(kept.pause_s)
                kept.pause_s = min(kept.pause_s * 2, RESTART_MAX_S)
                self._launch(kept)

    def _launch(self, kept: Kept) -> None:
        kept.started_s = self._clock()
        kept.child = program.start(kept.how)

    def _bury(self, kept: Kept) -> None:
        assert kept.child is not None
        now_s = self._clock()
        if now_s - kept.started_s >= RESTART_FORGET_S:
            kept.pause_s = RESTART_FIRST_S
        self._note_crash(kept)
        code = kept.child.returncode
        ending = f"was killed by signal {-code}" if code < 0 else f"ended with {code}"
        self._say(f"{kept.how.name} {ending}; starting it again in {kept.pause_s:g} s")
        program.kill(kept.child)  # remaining processes of its group
        kept.child = None
        kept.start_at_s = now_s + kept.pause_s
        kept.pause_s = min(kept.pause_s * 2, RESTART_MAX_S)

    def _note_crash(self, kept: Kept) -> None:
        code = kept.child and kept.child.returncode
        if code and -code in CRASHES:
            self._crashes.append(f"{kept.how.name} crashed: signal {-code}, see {kept.how.log}")
