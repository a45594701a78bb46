"""Long comparison with pokerkit: python -m tests.bench.agree HANDS [FIRST_SEED]."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from multiprocessing import Pool
from time import monotonic

from tests.bench.shared.report import note
from tests.tables.engine.agreement import NOTHING, Agreement, agree

CHUNK = 500
SECONDS_BETWEEN_LINES = 15


def main(hands: int, first: int) -> int:
    """Compare that many hands on all cores and print the result; return 1 for unexplained
    differences.
    """
    start = said = monotonic()
    found = NOTHING
    with Pool() as pool:
        for chunk in pool.imap_unordered(agree, _chunks(hands, first)):
            found = found + chunk
            if monotonic() - said > SECONDS_BETWEEN_LINES:
                said = monotonic()
                _say_progress(found, hands, said - start)
    seconds = monotonic() - start
    assert found.hands == hands, "every hand is compared"
    _tell(found, seconds)
    note(
        {
            "agree.hands": hands,
            "agree.alike": found.agreed,
            "agree.decisions": found.decisions,
            "agree.named_differences": found.parted.total(),
            "agree.unexplained": len(found.unexplained),
            "agree.seconds": round(seconds, 1),
        }
    )
    return 1 if found.unexplained else 0


def _say_progress(found: Agreement, hands: int, seconds: float) -> None:
    left = seconds * (hands - found.hands) / found.hands
    print(
        f"  {found.hands:,} of {hands:,} hands, {seconds:,.0f} s, about {left:,.0f} s left, "
        f"unexplained differences {len(found.unexplained)}",
        flush=True,
    )


def _tell(found: Agreement, seconds: float) -> None:
    print(f"\n{found.hands:,} hands in {seconds:,.0f} s, {found.decisions:,} decisions alike")
    print("\nhands by game and limit")
    for (variant, limit), count in sorted(found.games.items()):
        print(f"  {count:>9,}  {variant} {limit}")
    print(f"\n{found.agreed:,} hands alike to the end")
    print(f"{found.parted.total():,} hands until a named difference")
    for reason, count in found.parted.most_common():
        print(f"  {count:>9,}  {reason}")
    print(f"{len(found.unexplained)} unexplained differences")
    for seed, what in found.unexplained:
        print(f"\nseed {seed}: {what}")


def _chunks(hands: int, first: int) -> Iterator[range]:
    for start in range(first, first + hands, CHUNK):
        yield range(start, min(start + CHUNK, first + hands))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
