"""Room whose processes each run one of two releases, on the same servers and ports."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from socket import socket

from config.environment import HOME
from deploy.cluster.room import TEND_S, ClusterOptions, Room
from deploy.drills.upgrade import releases
from deploy.drills.upgrade.releases import Release, ReleasePair, UnfitReleases
from deploy.embedded.program import Program, inherited
from deploy.processes import programs
from deploy.processes.layout import Layout
from deploy.processes.terminal import Terminal


class MixedRoom(Room):
    """Room that is prepared and started by the old release of a pair."""

    old: Release
    new: Release
    migrations: list[str]
    """Files of the migrations that only the new release has."""

    def __init__(
        self, pair: ReleasePair, layout: Layout, options: ClusterOptions, terminal: Terminal
    ) -> None:
        super().__init__(layout, options, terminal)
        self._pair = pair
        self._listening: socket | None = None

    def program(self, name: str, release: Release) -> Program:
        """Return a process of the room, by its name, as a release runs it."""
        [found] = [one for one in self._all_programs() if one.name == name]
        return run_by(found, release)

    def names(self) -> list[str]:
        """Return the names of all processes that are replaced, in their order."""
        return [one.name for one in self._all_programs()]

    def start_others(self) -> None:
        """Start the second workers and the processes beside play."""
        alone = [programs.auditor, programs.deliveries, programs.cards_up]
        started = [run_by(make(self.layout), self.old) for make in alone]
        self.supervisor.start([*self._second, *started])

    def prepare(self, release: Release) -> None:
        """Run `manage.py prepare` of a release, as the owner of the database."""
        owner = {"DATABASE_OWNER_URL": self.layout.owner_url()}
        self.run_in(release, ["manage.py", "prepare"], environment=owner)

    def run_in(
        self,
        release: Release,
        arguments: list[str],
        *,
        given: str = "",
        environment: dict[str, str] | None = None,
    ) -> str:
        """Return the output of Python in the folder of a release, tending to the room meanwhile.

        Raises UnfitReleases when it fails.
        """
        output, log = self.layout.run / "asked.out", self.layout.logs / "asked.log"
        with output.open("wb") as out, log.open("ab") as errors:
            child = subprocess.Popen(
                [release.python, *arguments],
                cwd=release.folder,
                env={**inherited(), **self.layout.environment(), **(environment or {})},
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=errors,
            )
            assert child.stdin is not None
            with child.stdin as asked:
                asked.write(given.encode())
            while child.poll() is None:
                self.supervisor.tend()
                time.sleep(TEND_S)
        if child.returncode:
            said = f"{' '.join(arguments[:2])} of {release.name} failed; see {log}"
            raise UnfitReleases(said)
        return output.read_text()

    def _prepare(self) -> None:
        place = self.layout.home / "releases"
        shutil.rmtree(place, ignore_errors=True)
        pair = self._pair
        self.old = releases.unpack(pair.old, place / "old", pair.with_venv)
        self.new = releases.unpack(pair.new, place / "new", pair.with_venv)
        self.migrations = releases.verify_migrations(self.new, pair.old)
        self.prepare(self.old)
        os.environ.pop("DATABASE_OWNER_URL", None)

    def _programs(self, listening: socket) -> tuple[list[Program], list[Program]]:
        self._listening = listening
        webs, workers = super()._programs(listening)
        ready = [self._ready_by_itself(one) for one in webs]
        return [run_by(one, self.old) for one in ready], [run_by(one, self.old) for one in workers]

    def _all_programs(self) -> list[Program]:
        assert self._listening is not None, "the room is open"
        webs, workers = super()._programs(self._listening)
        alone = [programs.auditor, programs.deliveries, programs.cards_up]
        others = [make(self.layout) for make in alone]
        return [*(self._ready_by_itself(one) for one in webs), *workers, *others]

    def _ready_by_itself(self, web: Program) -> Program:
        """Return a web process that is ready once it accepts: another one may answer for it."""
        return replace(web, ready=partial(self._accepts, web.name, web.descriptors[0]))

    def _accepts(self, name: str, descriptor: int) -> bool:
        pid = self.supervisor.pid(name)
        return pid is not None and is_polled(pid, descriptor)


def run_by(program: Program, release: Release) -> Program:
    """Return a program as the Python and in the folder of a release."""
    moved = {str(HOME / "manage.py"): str(release.folder / "manage.py")}
    arguments = [moved.get(argument, argument) for argument in program.argv[1:]]
    return replace(program, argv=(release.python, *arguments), directory=release.folder)


def is_polled(pid: int, descriptor: int) -> bool:
    """Return whether a process waits for events of its open file (Linux)."""
    wanted = f"tfd:{descriptor:9d} "
    try:
        for entry in Path(f"/proc/{pid}/fdinfo").iterdir():
            if wanted in entry.read_text():
                return True
    except OSError:
        return False
    return False
