"""Time for which the transactions that end a large tournament hold its row, and what it locks.

`python -m tests.bench.alone.held_rows PLAYERS cancel|forward|finish` starts the field in this
process, without workers, and ends it at once. It prints the time of the first transaction, of the
longest that follows, and how many follow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time

from tests.bench.long_work import filled
from tests.bench.shared import rooms
from tests.bench.shared.report import note


def main(players: int, ending: str) -> None:
    """Start and end a tournament of so many players, and print for how long its row was held."""
    with rooms.opened():
        rooms.seated(1, 2)  # connections, scripts and statements that are built once
        large = filled(players)
        _start(large)
        first_ms, first_cpu_ms = _timed(_begin(large, ending))
        longest_ms = longest_cpu_ms = 0.0
        count = 0
        while _is_left(large):
            took_ms, cpu_ms = _timed(partial(_tick, large))
            longest_ms, longest_cpu_ms = max(longest_ms, took_ms), max(longest_cpu_ms, cpu_ms)
            count += 1
        note(
            {
                f"held_rows.{ending}.first_ms": first_ms,
                f"held_rows.{ending}.first_cpu_ms": first_cpu_ms,
                f"held_rows.{ending}.longest_after_ms": longest_ms,
                f"held_rows.{ending}.longest_after_cpu_ms": longest_cpu_ms,
                f"held_rows.{ending}.after": count,
            }
        )


def _timed(step: Callable[[], object]) -> tuple[float, float]:
    """Return the time of the step in ms, and the processor time of this process in it."""
    began, began_cpu = perf_counter(), process_time()
    step()
    return (perf_counter() - began) * 1_000, (process_time() - began_cpu) * 1_000


def _start(large: int) -> None:
    """Open every table of the tournament; nobody answers the bells of first hands."""
    from config.celery import SETTLE
    from config.redis import broker
    from tournaments.models import Tournament
    from tournaments.running import operations

    operations.start(large)
    while Tournament.objects.get(pk=large).opening:
        broker().delete(SETTLE)
        _tick(large)


def _begin(large: int, ending: str) -> Callable[[], object]:
    """Return the step that ends the tournament."""
    from tournaments.models import Tournament
    from tournaments.running import operations

    if ending == "finish":
        Tournament.objects.filter(pk=large).update(play_time_ms=1, time_up="proportional")
        return partial(_tick, large)
    step = operations.cancel if ending == "cancel" else operations.cancel_forward
    return partial(step, large, reason="measured")


def _tick(large: int) -> None:
    from tournaments.running import tick

    tick.tick(large)


def _is_left(large: int) -> bool:
    """Return whether an entry is not paid, or a table is open."""
    from tables.models import Table
    from tournaments.models import Entry

    tables = Table.objects.filter(director="tournament", game=large, status="open")
    entries = Entry.objects.filter(tournament=large).exclude(state__in=("refunded", "won"))
    return tables.exists() or entries.exists()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
