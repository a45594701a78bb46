"""Cost of counting: hands settled with and without it in turns, in one process."""

from __future__ import annotations

from functools import partial
from time import perf_counter, process_time
from typing import Any

from tests.bench.shared import rooms
from tests.bench.shared.report import note
from tests.bench.shared.settlements import Taken, in_turns, shown


def main(hands: int) -> None:
    """Settle so many hands at ten tables of nine, and print the medians of both kinds."""
    with rooms.opened():
        taken = measured(rooms.seated(10, 9), hands)
        conduct = conduct_cost()
    found = shown(taken, "counting")
    per_hand, wall = (value * 1e6 for value in conduct)
    print(f"  {'its conduct, counted afterwards':<34} {'':>7} {per_hand:>9.0f} {wall:>9.0f}")
    found |= {"counting.conduct_cpu_us": round(per_hand), "counting.conduct_wall_us": round(wall)}
    note(found)


def measured(tables: list[int], hands: int) -> Taken:
    """Return what settlements took: `with` all counting, `without` statistics, and `unqueued` for
    the count of conduct.
    """
    from tables.statistics.counting import COUNT, counts
    from tables.workers import settle_rows

    whole = settle_rows._WRITE
    bare = whole.replace(f", c AS (\n{COUNT})", "")
    unqueued = whole.replace(_QUEUE, "")
    assert bare != whole != unqueued
    nothing: Any = lambda _hand: {}  # noqa: E731

    def use(statement: str, count: Any) -> None:
        settle_rows._WRITE = statement
        vars(settle_rows)["counts"] = count

    return in_turns(
        tables,
        hands,
        {
            "with": partial(use, whole, counts),
            "without": partial(use, bare, nothing),
            "unqueued": partial(use, unqueued, counts),
        },
    )


def conduct_cost() -> tuple[float, float]:
    """Return processor and wall seconds of the count of conduct for each hand that waits."""
    from tables.conduct.counting import count_waiting

    hands, cpu, wall = 0, process_time(), perf_counter()
    while counted := count_waiting():
        hands += counted
    return (process_time() - cpu) / hands, (perf_counter() - wall) / hands


_QUEUE = """, w AS (
  INSERT INTO conduct_uncountedhand (hand) SELECT id FROM h
)"""


if __name__ == "__main__":
    main(1_200)
