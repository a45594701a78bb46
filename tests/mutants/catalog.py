"""Catalog of mutants: the change, its place, and the tests that must notice it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from config.environment import HOME

PLACE = Path(__file__).parent


@dataclass(frozen=True)
class Mutant:
    """Change: in `file` the only occurrence of `old` becomes `new`; `tests` must fail then.

    Its area is the name of its TOML file.
    """

    area: str
    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def matches(self, words: Sequence[str]) -> bool:
        """Return whether a word is the area or part of the name or the file; no words
        select all.
        """
        return not words or any(
            word == self.area or word in self.name or word in self.file for word in words
        )

    def changed(self, text: str) -> str:
        """Return the text of the file with the change; raise ValueError when it has no place."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file}: {text.count(self.old)} places for “{self.name}”")
        return text.replace(self.old, self.new)


def catalog() -> list[Mutant]:
    """Return every mutant of the TOML files beside this module, in their order."""
    return [
        Mutant(path.stem, row["name"], row["file"], row["old"], row["new"], tuple(row["tests"]))
        for path in sorted(PLACE.glob("*.toml"))
        for row in tomllib.loads(path.read_text())["mutant"]
    ]


def misplaced() -> list[str]:
    """Return the defects of the catalog: changes without a place, tests that do not exist."""
    found = []
    for mutant in catalog():
        try:
            mutant.changed((HOME / mutant.file).read_text())
        except (OSError, ValueError) as problem:
            found.append(str(problem))
        for test in mutant.tests:
            path, _, function = test.partition("::")
            text = (HOME / path).read_text() if (HOME / path).exists() else ""
            if f"def {function}" not in text:
                found.append(f"“{mutant.name}”: no test {test}")
    return found
