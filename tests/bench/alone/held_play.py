"""Time for which transactions of a large tournament at play hold its row.

`python -m tests.bench.alone.held_play PLAYERS places|add_on|round` starts the field in this
process, without workers, and prints the time of each step and how long it held the row: `places`
ends sales with a tenth of the field left, `add_on` offers the add-on to all, gives the offers the
time of an outage back and lets them run out, `round` seats the winners of nine players a table in a
shootout.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.bench.alone.held_rows import start, tick, timed
from tests.bench.long_work import Probe, filled, locked_row
from tests.bench.shared import rooms
from tests.bench.shared.report import note

REBUYS = {"rebuys_max": 1, "rebuy_until_level": 1, "rebuy_price": 10_00}
LEFT_OF = 10

Step = tuple[str, Callable[[], object]]


def main(players: int, what: str) -> None:
    """Play a tournament of so many players to the steps of `what`, and print their times."""
    with rooms.opened():
        from tournaments.models import Tournament

        rooms.seated(1, 2)  # connections, scripts and statements that are built once
        options, steps = COURSES[what]
        large = filled(players, **options(players))
        Tournament.objects.filter(pk=large).update(players_min=2)
        start(large)
        for name, step in steps(large):
            probe = Probe(locked_row(large))
            probe.start()
            took_ms, cpu_ms = timed(step)
            probe.stop()
            times = {"ms": took_ms, "cpu_ms": cpu_ms, "lock_ms": probe.take()}
            note({f"held_play.{what}.{name}_{unit}": found for unit, found in times.items()})


def _places(large: int) -> Iterator[Step]:
    from tables.models import Seat
    from tournaments.models import Entry, KnockOut, Tournament

    entries = Entry.objects.filter(tournament=large)
    kept = list(entries.order_by("pk").values_list("pk", flat=True)[: entries.count() // LEFT_OF])
    seats = Seat.objects.filter(table__game=large)
    out = list(seats.exclude(entry__in=kept).order_by("pk"))
    _knock_out(large, out)
    seats.filter(entry__in=kept).update(chips=rooms.STACK * entries.count() // len(kept))
    row = Tournament.objects.filter(pk=large)
    row.update(left=len(kept), knocked_out=len(out), rebuy_until_level=0)
    yield "first", partial(tick, large)
    count = 0
    while KnockOut.objects.filter(tournament=large, placed=False).exists():
        yield f"batch_{(count := count + 1)}", partial(tick, large)


def _add_on(large: int) -> Iterator[Step]:
    from django.db.models import F

    from tournaments.models import Offer, Tournament

    row, offers = Tournament.objects.filter(pk=large), Offer.objects.filter(tournament=large)
    row.update(rebuy_until_level=0)
    count = -1
    while offers.count() > count:
        count = offers.count()
        yield f"offers_{count}", partial(tick, large)
    row.update(heartbeat_ms=F("heartbeat_ms") - 60_000)
    yield "outage", partial(tick, large)
    offers.update(until_ms=1)
    while count := offers.filter(state="open").count():
        yield f"ending_{count}", partial(tick, large)


def _round(large: int) -> Iterator[Step]:
    from django.db.models import F, Min

    from tables.dealer import director
    from tables.models import Seat, Table
    from tournaments.models import KnockOut, Tournament

    seats, tables = Seat.objects.filter(table__game=large), Table.objects.filter(game=large)
    firsts = tables.annotate(first=Min("seats")).values_list("first", flat=True)
    out = list(seats.exclude(pk__in=list(firsts)).order_by("pk"))
    _knock_out(large, out)
    KnockOut.objects.filter(tournament=large).update(placed=True)
    tables.update(hand=1, granted_hand=1)
    Tournament.objects.filter(pk=large).update(left=F("left") - len(out))
    first = tables.order_by("pk")[0].pk
    yield "ask", partial(director.of("tournament").next, first, 2)


def _knock_out(large: int, seats: list[Any]) -> None:
    """Store that the entries of these seats went out, one after the other."""
    from django.db import connection

    from tables.models import Seat
    from tournaments.models import Entry, KnockOut

    KnockOut.objects.bulk_create(
        [
            KnockOut(
                tournament_id=large, entry_id=seat.entry, order=order, round=0,
                table_id=seat.table_id, hand=1, stack=seat.chips, button_distance=1,
            )
            for order, seat in enumerate(seats, start=1)
        ],
        batch_size=1_000,
    )  # fmt: skip
    Entry.objects.filter(pk__in=[seat.entry for seat in seats]).update(state=Entry.State.OUT)
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


Options = Callable[[int], dict[str, Any]]
COURSES: dict[str, tuple[Options, Callable[[int], Iterator[Step]]]] = {
    "places": (lambda _: REBUYS, _places),
    "add_on": (
        lambda _: REBUYS | {"add_on": True, "add_on_price": 10_00, "offer_ms": 600_000},
        _add_on,
    ),
    "round": (lambda players: {"format": "shootout", "players_min": players + 1}, _round),
}

if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
