"""Apply each small change to a copy of the project and see its tests fail: `make mutants`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.catalog import Mutant, catalog
from tests.mutants.copies import Copy, Verdict


def main() -> int:
    """Judge all mutants, or those whose name or file contains a word; 0 when none survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("words", nargs="*", help="only mutants whose name or file contains one")
    parser.add_argument("--jobs", type=int, default=2, help="copies that are tested side by side")
    options = parser.parse_args()
    chosen = [one for one in catalog() if one.matches(options.words)]
    if not chosen or options.jobs < 1:
        parser.error("no mutant is chosen: --jobs is 1 or more, words are those of tests/mutants")
    with tempfile.TemporaryDirectory(prefix="room-mutants-") as place:
        verdicts = _judge(chosen, [Copy(Path(place) / str(n)) for n in range(options.jobs)])
    wrong = [one for one in verdicts if not one.is_right]
    print(f"{len(verdicts)} mutants, {len(verdicts) - len(wrong)} killed, {len(wrong)} not")
    for one in wrong:
        print(f"  {one.line()}\n{one.output[-2_000:]}")
    return 1 if wrong else 0


def _judge(chosen: list[Mutant], copies: list[Copy]) -> list[Verdict]:
    """First the unchanged selections pass, or nothing is proven; then each change by itself."""
    idle: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        idle.put(copy)

    def judge(mutant: Mutant) -> Verdict:
        copy = idle.get()
        try:
            verdict = copy.judge(mutant)
        finally:
            idle.put(copy)
        print(verdict.line(), flush=True)
        return verdict

    selections = sorted({test for mutant in chosen for test in mutant.tests})
    sound, output = copies[0].passes(selections)
    if not sound:
        sys.exit(f"the tests fail on the unchanged code, so they prove nothing:\n{output}")
    with ThreadPoolExecutor(len(copies)) as pool:
        return list(pool.map(judge, chosen))


if __name__ == "__main__":
    sys.exit(main())
