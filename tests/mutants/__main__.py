"""Apply each mutant to a copy of the project and run its tests: `make mutants`."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from tests.mutants.catalog import Mutant, catalog
from tests.mutants.copies import PASSED, Copy, Verdict
from tests.mutants.database import Database
from tests.mutants.table import table

Task = TypeVar("Task")
Found = TypeVar("Found")
OUTPUT_SHOWN = 2_000


def main() -> int:
    """Judge all mutants, or those selected by words; return 0 when none survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("words", nargs="*", help="only mutants whose name, file or area has one")
    parser.add_argument("--jobs", type=int, default=2, help="copies that are tested side by side")
    options = parser.parse_args()
    chosen = [one for one in catalog() if one.matches(options.words)]
    if not chosen or options.jobs < 1:
        parser.error("no mutant is chosen: --jobs is 1 or more, words are those of tests/mutants")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="room-mutants-") as made:
        verdicts = _judged(chosen, Path(made), options.jobs)
    wrong = [one for one in verdicts if not one.is_right]
    print(f"\n{table(verdicts, time.monotonic() - began)}")
    for one in wrong:
        print(f"\n{one.line()}\n{one.output[-OUTPUT_SHOWN:]}")
    return 1 if wrong else 0


def _judged(chosen: list[Mutant], place: Path, jobs: int) -> list[Verdict]:
    place.chmod(0o711)  # the servers below run as an unprivileged user
    databases: list[Database] = []
    try:
        for number in range(jobs):
            databases.append(Database(place / f"database-{number}"))
        copies = [Copy(place / str(number), one) for number, one in enumerate(databases)]
        _prove_sound(chosen, copies)
        return _spread(chosen, copies, _judge)
    finally:
        for database in databases:
            database.end()


def _prove_sound(chosen: list[Mutant], copies: list[Copy]) -> None:
    """Exit unless the selections pass on the unchanged code: otherwise failures prove nothing."""
    files: dict[str, set[str]] = defaultdict(set)
    for test in {test for mutant in chosen for test in mutant.tests}:
        files[test.partition("::")[0]].add(test)
    selections = [[path] if path in tests else sorted(tests) for path, tests in files.items()]

    def passes(copy: Copy, tests: list[str]) -> str:
        began = time.monotonic()
        code, output = copy.run(tests)
        print(f"{'sound' if code == PASSED else 'FAILS':14} {time.monotonic() - began:4.0f} s  "
              f"{' '.join(tests)}", flush=True)  # fmt: skip
        return "" if code == PASSED else output

    failed = [output for output in _spread(selections, copies, passes) if output]
    if failed:
        sys.exit("tests fail on the unchanged code, so they prove nothing:\n" + "\n".join(failed))


def _judge(copy: Copy, mutant: Mutant) -> Verdict:
    verdict = copy.judge(mutant)
    print(verdict.line(), flush=True)
    return verdict


def _spread(
    tasks: Sequence[Task], copies: list[Copy], work: Callable[[Copy, Task], Found]
) -> list[Found]:
    """Run each task in an idle copy; an interruption ends running and waiting tasks."""
    idle: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        idle.put(copy)

    def in_turn(task: Task) -> Found:
        copy = idle.get()
        try:
            return work(copy, task)
        finally:
            idle.put(copy)

    pool = ThreadPoolExecutor(len(copies))
    try:
        return list(pool.map(in_turn, tasks))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for copy in copies:
            copy.stop()
        pool.shutdown()


if __name__ == "__main__":
    sys.exit(main())
