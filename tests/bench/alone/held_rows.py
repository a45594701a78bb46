"""Time for which the transactions that end a large tournament hold its row, and what it locks.

`python -m tests.bench.alone.held_rows PLAYERS cancel|forward|finish|win` starts the field in this
process, without workers, and ends it at once: `finish` by its play time with a prize for each
entry, `win` with the knock-out of the second of two that are left. It prints the time of the first
transaction with its tick, of the longest that follows, how many follow, and for how long one of
them held the row.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time

from tests.bench.long_work import Probe, filled, locked_row
from tests.bench.shared import rooms
from tests.bench.shared.report import note


def main(players: int, ending: str) -> None:
    """Start and end a tournament of so many players, and print for how long its row was held."""
    with rooms.opened():
        rooms.seated(1, 2)  # connections, scripts and statements that are built once
        large = filled(players)
        start(large)
        begin = _begin(large, ending)
        probe = Probe(locked_row(large))
        probe.start()
        first_ms, first_cpu_ms = timed(begin)
        longest_ms = longest_cpu_ms = 0.0
        count = 0
        while _is_left(large):
            took_ms, cpu_ms = timed(partial(tick, large))
            longest_ms, longest_cpu_ms = max(longest_ms, took_ms), max(longest_cpu_ms, cpu_ms)
            count += 1
        probe.stop()
        note(
            {
                f"held_rows.{ending}.first_ms": first_ms,
                f"held_rows.{ending}.first_cpu_ms": first_cpu_ms,
                f"held_rows.{ending}.longest_after_ms": longest_ms,
                f"held_rows.{ending}.longest_after_cpu_ms": longest_cpu_ms,
                f"held_rows.{ending}.after": count,
                f"held_rows.{ending}.longest_lock_ms": probe.take(),
            }
        )


def timed(step: Callable[[], object]) -> tuple[float, float]:
    """Return the time of the step in ms, and the processor time of this process in it."""
    began, began_cpu = perf_counter(), process_time()
    step()
    return (perf_counter() - began) * 1_000, (process_time() - began_cpu) * 1_000


def start(large: int) -> None:
    """Open every table of the tournament; nobody answers the bells of first hands."""
    from config.celery import SETTLE
    from config.redis import broker
    from tournaments.models import Tournament
    from tournaments.running import operations

    operations.start(large)
    while Tournament.objects.get(pk=large).opening:
        broker().delete(SETTLE)
        tick(large)


def _begin(large: int, ending: str) -> Callable[[], object]:
    """Return the step that ends the tournament."""
    from tournaments.models import Tournament
    from tournaments.running import operations

    if ending == "win":
        return _last_knock_out(large)
    if ending == "finish":
        Tournament.objects.filter(pk=large).update(play_time_ms=1, time_up="proportional")
        return partial(tick, large)
    step = operations.cancel if ending == "cancel" else operations.cancel_forward
    return partial(step, large, reason="measured")


def _last_knock_out(large: int) -> Callable[[], object]:
    """Leave two entries of the field, the others out and paid, and return the end of play."""
    from tables.models import Seat, Table
    from tournaments.events.unit_of_work import tournament_transaction
    from tournaments.models import Entry, KnockOut, Tournament
    from tournaments.prizes import money
    from tournaments.running import settlement

    row = Tournament.objects.get(pk=large)
    entries = list(row.entries.order_by("pk"))
    winner, second, *out = entries
    sold = sum(entry.chips_bought for entry in entries)
    table = Seat.objects.get(entry=winner.pk).table_id
    Seat.objects.filter(table__game=large).exclude(entry=winner.pk).delete()
    Seat.objects.filter(entry=winner.pk).update(chips=sold)
    Table.objects.filter(game=large).exclude(pk=table).update(status=Table.Status.CLOSED)
    for place, entry in enumerate(out, start=3):
        entry.state, entry.place = Entry.State.OUT, place
        entry.prize = row.prizes[place - 1] if place <= len(row.prizes) else 0
    for first in range(0, len(out), 1_000):
        few = out[first : first + 1_000]
        Entry.objects.bulk_update(few, ["state", "place", "prize"])
        with tournament_transaction(large) as tx:
            tx.tournament.left = 2
            tx.pay(money.prizes(row, [entry for entry in few if entry.prize]))
    KnockOut.objects.create(
        tournament=row, entry=second, order=1, round=0, table_id=table, hand=1, stack=1,
        button_distance=1, winners=[[winner.pk, 1]],
    )  # fmt: skip

    def end() -> None:
        with tournament_transaction(large) as tx:
            settlement.go_out(tx, [second])

    return end


def tick(large: int) -> None:
    """Tick the tournament in this process."""
    from tournaments.running.tick import tick as tick_now

    tick_now(large)


def _is_left(large: int) -> bool:
    """Return whether batches are left: an entry is not paid, or a table is open."""
    from tournaments.models import Tournament
    from tournaments.models.tournament import is_over

    return Tournament.objects.filter(pk=large).exclude(is_over()).exists()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
