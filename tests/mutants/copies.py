"""Copy of the project in which one file at a time is changed and tested."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from config.environment import HOME
from tests.mutants import warm
from tests.mutants.catalog import Mutant
from tests.mutants.database import Database

WITHIN_S = 900
"""Timeout of the tests of one mutant; a hanging test counts as noticed."""
PASSED, FAILED = 0, 1


@dataclass(frozen=True)
class Verdict:
    """Verdict on a mutant: pytest's exit code, None when the tests hung, and their output."""

    mutant: Mutant
    code: int | None
    output: str
    seconds: float = 0.0

    @property
    def is_right(self) -> bool:
        """Return whether tests failed, or hung; an error of collection proves nothing."""
        return self.code in (None, FAILED)

    @property
    def killer(self) -> str:
        """Return the test that failed first, or an empty text."""
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", self.output, re.MULTILINE)
        return found[1] if found else ""

    def line(self) -> str:
        """Return the verdict in one line."""
        words = {None: "killed (hung)", FAILED: "killed", PASSED: "SURVIVED"}
        word = words.get(self.code, "BROKEN")
        mutant = f"{self.mutant.area:7} {self.mutant.name}"
        return f"{word:14} {self.seconds:4.0f} s  {mutant}  [{self.killer}]"


class Copy:
    """Copy of the files that git tracks or would track, with the same environment.

    The project itself is never changed, however a run ends.
    """

    def __init__(self, place: Path, database: Database | None = None) -> None:
        self.place = place
        self._database = database
        self._running: ForkServerProcess | None = None
        self._output = place / "output.log"
        place.mkdir(parents=True, exist_ok=True)
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=HOME,
            check=True,
            capture_output=True,
        ).stdout
        for name in filter(None, listed.decode().split("\0")):
            source = HOME / name
            if source.is_file():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, place / name)

    def run(self, tests: Sequence[str]) -> tuple[int | None, str]:
        """Run tests to the first failure; return pytest's code and output, None when they hung."""
        arguments = ["-x", "-q", "-p", "no:cacheprovider", *tests]
        environment: dict[str, str] = {}
        if self._database is not None:
            self._database.renew()
            environment = self._database.environment()
            arguments.append("--reuse-db")
        self._running = warm.start(self.place, arguments, environment, self._output)
        self._running.join(WITHIN_S)
        code = self._running.exitcode
        self.stop()
        return code, self._output.read_text(errors="replace")

    def judge(self, mutant: Mutant) -> Verdict:
        """Apply the change, run its tests to the first failure, and take the change back."""
        began = time.monotonic()
        path = self.place / mutant.file
        text = path.read_text()
        try:
            _write(path, mutant.changed(text))
            code, output = self.run(mutant.tests)
        finally:
            _write(path, text)
        return Verdict(mutant, code, output, time.monotonic() - began)

    def stop(self) -> None:
        """Kill the running tests."""
        if self._running is not None and self._running.is_alive():
            self._running.kill()
            self._running.join()


def _write(path: Path, text: str) -> None:
    """Write a file with a new time, so that Python does not use the module compiled before."""
    path.write_text(text)
    Path(cache_from_source(str(path))).unlink(missing_ok=True)
