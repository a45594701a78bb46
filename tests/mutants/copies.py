"""A copy of the project in which one file at a time is changed and tested."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from config.environment import HOME
from tests.mutants.catalog import Mutant

WITHIN_S = 900
"""A change may make a test hang: that counts as noticed."""
PASSED, FAILED = 0, 1


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: pytest's exit code, None when the tests hung, and their output."""

    mutant: Mutant
    code: int | None
    output: str

    @property
    def is_right(self) -> bool:
        """Return whether tests failed, or hung; an error of collection proves nothing."""
        return self.code in (None, FAILED)

    def line(self) -> str:
        """Return the verdict in a line."""
        word = {None: "killed (hung)", FAILED: "killed", PASSED: "SURVIVED"}.get(
            self.code, "BROKEN"
        )
        return f"{word:14} {self.mutant.file:36} {self.mutant.name}"


class Copy:
    """The files of the project that git tracks or would track, with the same environment."""

    def __init__(self, place: Path) -> None:
        self.place = place
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

    def passes(self, tests: Sequence[str]) -> tuple[bool, str]:
        """Return whether these tests pass as things are, and what they printed."""
        code, output = self._run(tests)
        return code == PASSED, output

    def judge(self, mutant: Mutant) -> Verdict:
        """Apply the change, run its tests to the first failure, and take the change back."""
        path = self.place / mutant.file
        text = path.read_text()
        path.write_text(mutant.changed(text))
        try:
            return Verdict(mutant, *self._run(mutant.tests))
        finally:
            path.write_text(text)

    def _run(self, tests: Sequence[str]) -> tuple[int | None, str]:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        # A module compiled from the text before could be taken for the changed one.
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command,
                cwd=self.place,
                env=environment,
                check=False,
                timeout=WITHIN_S,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        except subprocess.TimeoutExpired as hung:
            return None, str(hung)
        return done.returncode, done.stdout
