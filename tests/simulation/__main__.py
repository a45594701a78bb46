"""Long simulation runs: python -m tests.simulation --seeds N | --seed S | --bugs."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from time import monotonic
from typing import TYPE_CHECKING

import django

from tests.simulation.share import begin, part, servers

if TYPE_CHECKING:
    from tests.simulation.playing import Sum

BUG_SEEDS = 500
PART = 25
"""Seeds that a process plays before it says what came of them."""
TOLD_EVERY_S = 60.0


def main() -> int:
    """Run the simulation the command line names; return 1 when a violation was found."""
    asked = _arguments()
    django.setup()
    if asked.bugs is not None:
        return _bugs(asked.bugs)
    if asked.seed is not None:
        return _one(asked.seed)
    return _many(range(asked.first, asked.first + asked.seeds), asked.processes)


def _one(seed: int) -> int:
    with servers():
        from tests.simulation.playing import play, told

        played = play(seed)
        print("\n".join(played.trace))
        print(f"digest {played.digest}")
        if played.violation is None:
            return 0
        print(told(played))
        return 1


def _many(seeds: range, processes: int) -> int:
    """Play all seeds on several processes with servers of their own.

    Ctrl-C or SIGTERM ends the run early and prints the figures played so far.
    """
    from tests.simulation import playing

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = told = monotonic()
    total = playing.Sum()
    for played in _parts(seeds, processes):
        total.join(played)
        if monotonic() - told > TOLD_EVERY_S:
            told = monotonic()
            pace = total.seeds / (told - began)
            print(
                f"  {total.seeds:,} of {len(seeds):,} seeds, {len(total.failed)} failed,"
                f" {pace:.2f} a second",
                flush=True,
            )
    seconds = monotonic() - began
    print(f"commit {playing.commit()}, {total.seeds:,} seeds from {seeds.start} on")
    print(total.text())
    print(f"{seconds:,.0f} s, {total.seeds / seconds:.2f} seeds a second")
    print(f"failed: {[played.seed for played in total.failed]}")
    return 1 if total.failed or total.seeds < len(seeds) else 0


def _parts(seeds: range, processes: int) -> Iterator[Sum]:
    """Yield the results of the processes; after Ctrl-C only of the shares already begun."""
    context = get_context("spawn")
    enough = context.Event()
    size = max(1, min(PART, len(seeds) // (4 * processes)))
    shares = [seeds[start : start + size] for start in range(0, len(seeds), size)]
    pool = context.Pool(processes, begin, (enough,))
    try:
        found = pool.imap_unordered(part, shares)
        while True:
            try:
                yield next(found)
            except StopIteration:
                break
            except KeyboardInterrupt:
                enough.set()
    finally:
        enough.set()
        pool.close()
        pool.join()


def _bugs(word: str) -> int:
    """Play every planted defect with `word` in its name; print the seed that found it, and why."""
    missed: Counter[str] = Counter()
    with servers():
        from tests.simulation.defects.bugs import BUGS
        from tests.simulation.playing import found_by

        print(f"{'planted defect':<56} {'seed':>5}  what the world said")
        for bug in (bug for bug in BUGS if word in bug.name):
            found = found_by(bug, range(BUG_SEEDS))
            if found is None:
                missed[bug.name] += 1
                print(f"{bug.name:<56} {'-':>5}  not found in {BUG_SEEDS} seeds", flush=True)
            else:
                print(f"{bug.name:<56} {found.seed:>5}  {found.violation}", flush=True)
    return 1 if missed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="how many to play")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--seed", type=int, help="play this one and print all of it")
    parser.add_argument(
        "--bugs", nargs="?", const="", metavar="WORD", help="look for planted defects"
    )
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
