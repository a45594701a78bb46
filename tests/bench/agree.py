"""The long run against pokerkit: python -m tests.bench.agree HANDS [FIRST_SEED]."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from time import monotonic

from tests.bench.report import note
from tests.engine.agreement import Agreement, agree

CHUNK = 1_000


def main(hands: int, first: int) -> None:
    """Compare that many hands on all cores and print what came of it."""
    start = monotonic()
    agreed = decisions = 0
    parted: Counter[str] = Counter()
    with Pool() as pool:
        for done, found in enumerate(pool.imap_unordered(_chunk, _chunks(hands, first)), start=1):
            agreed, decisions = agreed + found.agreed, decisions + found.decisions
            parted += found.parted
            if done % 20 == 0:
                print(f"  {agreed + parted.total():,} hands, {monotonic() - start:,.0f} s")
    print(f"\n{hands:,} hands, {decisions:,} decisions alike, {agreed:,} hands alike to the end")
    for reason, count in parted.most_common():
        print(f"  {count:>9,}  {reason}")
    note({"agree.hands": hands, "agree.alike": agreed, "agree.seconds": monotonic() - start})


def _chunk(seeds: range) -> Agreement:
    return agree(seeds)


def _chunks(hands: int, first: int) -> Iterator[range]:
    for start in range(first, first + hands, CHUNK):
        yield range(start, min(start + CHUNK, first + hands))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
