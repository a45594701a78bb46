"""Seven tests of GLI-19 chapter 3 on decks of the room's code: python -m tests.bench.shuffles."""

from __future__ import annotations

import sys
from time import perf_counter

from tables.chance.shuffles import CONFIDENCE, ShuffleResult, Shuffles
from tests.tables.chance.sampled_decks import decks

SEED = b"decks of the certificate"


def judge(count: int, seed: bytes = SEED) -> list[ShuffleResult]:
    """Return the results of the seven tests on that many decks."""
    return Shuffles().add_all(decks(seed, count)).results()


def main(count: int) -> int:
    """Print one line for each test; return 1 when one fails."""
    began = perf_counter()
    results = judge(count)
    print(f"{count:,} decks, all seven together at {CONFIDENCE:.0%}")
    for result in results:
        verdict = "holds" if result.holds else "FAILS"
        print(f"{result.name:<24}{result.statistic:>14,.3f}  p = {result.chance:.4f}  {verdict}")
    print(f"{perf_counter() - began:,.0f} s")
    return int(not all(result.holds for result in results))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
