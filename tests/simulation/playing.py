"""Runs of seeds: the result of one, the smallest set of faults that still fails, the failure
report.
"""

from __future__ import annotations

import subprocess
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.simulation import options
from tests.simulation.clock import START_MS
from tests.simulation.defects.bugs import Bug
from tests.simulation.faults import ALL
from tests.simulation.world import Violation, World

HOME = Path(__file__).resolve().parent.parent.parent
LAST_LINES = 45
SHRINK_MAX = 40
"""Maximum replays of a failing seed in the search for fewer faults that make it fail."""


@dataclass(frozen=True)
class Played:
    """Result of one seed: its violation if any, its faults, and a digest of its trace."""

    seed: int
    violation: str | None
    digest: str
    steps: int
    virtual_ms: int
    struck: dict[int, str]
    counts: Counter[str]
    trace: list[str]
    where: str = ""


@dataclass
class Sum:
    """Totals of several seeds."""

    seeds: int = 0
    steps: int = 0
    virtual_ms: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    failed: list[Played] = field(default_factory=list)

    def add(self, played: Played) -> None:
        """Add the result of one seed."""
        self.seeds += 1
        self.steps += played.steps
        self.virtual_ms += played.virtual_ms
        self.counts += played.counts
        if played.violation is not None:
            self.failed.append(played)

    def join(self, other: Sum) -> None:
        """Add the totals of another process."""
        self.seeds += other.seeds
        self.steps += other.steps
        self.virtual_ms += other.virtual_ms
        self.counts += other.counts
        self.failed += other.failed

    def text(self) -> str:
        """Return the figures: one line for each kind of fault, then the tournaments by format."""
        lines = [
            f"{self.seeds:,} seeds, {self.steps:,} steps, {self.virtual_ms / 3_600_000:,.1f} hours"
            f" of play, {self.counts['bells']:,} bells, {len(self.failed)} failed"
        ]
        shown = [*ALL, *sorted(self.counts.keys() - ALL.keys())]
        lines += [f"  {self.counts[kind]:>9,}  {kind}" for kind in shown]
        return "\n".join(lines)


def play(
    seed: int,
    *,
    bug: Bug | None = None,
    only: frozenset[int] | None = None,
    look_every: int | None = None,
) -> Played:
    """Play one seed to its end or to the first violation; an error of the simulation itself counts
    as one.
    """
    extra = {} if look_every is None else {"look_every": look_every}
    world = World(seed, bug=bug, only=only, **extra)
    violation, where = None, ""
    try:
        world.run()
    except Violation as found:
        violation = str(found)
        if found.__cause__ is not None:
            where = "".join(traceback.format_exception(found.__cause__)[-6:])
    except Exception as broke:
        violation = f"the world broke: {broke!r}"
        where = "".join(traceback.format_exception(broke)[-6:])
    return Played(
        seed=seed,
        violation=violation,
        digest=world.digest(),
        steps=world.steps,
        virtual_ms=world.played_ms,
        struck=world.faults.struck,
        counts=world.counts,
        trace=world.trace,
        where=where,
    )


def shortest(
    failed: Played, *, bug: Bug | None = None, enough: Callable[[], bool] = lambda: False
) -> Played:
    """Return the failure with the fewest faults that trying finds until `enough` says so."""
    best = failed
    kept = frozenset(failed.struck)
    for step in sorted(failed.struck, reverse=True)[:SHRINK_MAX]:
        if enough():
            break
        again = play(failed.seed, bug=bug, only=kept - {step}, look_every=1)
        if again.violation is not None:
            best, kept = again, kept - {step}
    return best


def told(failed: Played) -> str:
    """Return the report of a failing seed: violation, step, command to repeat it, last steps."""
    faults = [f"  step {step}: {kind}" for step, kind in sorted(failed.struck.items())]
    return "\n".join(
        [
            f"seed {failed.seed} at commit {commit()}: {failed.violation}",
            f"play it again: make world SEED={failed.seed}",
            f"{len(faults)} faults struck:",
            *faults,
            f"the last of {failed.steps} steps:",
            *failed.trace[-LAST_LINES:],
            failed.where,
        ]
    )


def commit() -> str:
    """Return the current commit, with a plus when files differ from it."""
    try:
        head = _git("rev-parse", "--short=12", "HEAD")
        return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def found_by(bug: Bug, seeds: Iterable[int]) -> Played | None:
    """Return the first seed that finds a planted defect."""
    for seed in seeds:
        if not bug.needs(options.of_seed(seed, _whenever)):
            continue
        played = play(seed, bug=bug)
        if played.violation is not None:
            return played
    return None


def _whenever(in_ms: int) -> datetime:
    """Return a time in the future for offers that are never opened."""
    return datetime.fromtimestamp((START_MS + in_ms) / 1_000, UTC)


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=HOME, check=True, capture_output=True, text=True)
    return done.stdout.strip()
