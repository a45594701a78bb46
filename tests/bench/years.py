"""Cost of years: settlements, queries of pages and archiving in a room with many old hands.

`python -m tests.bench.years HANDS` measures at a tenth of the hands first, then at all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from tests.bench import rooms
from tests.bench.report import note
from tests.bench.settlements import in_turns
from tests.bench.years_fill import GAME, RARE, SAMPLES, fill, rows

SETTLED = 300
REPEATED = 31
ARCHIVED = 20_000
GROWTH_MAX = 1.5


class PageCost(NamedTuple):
    """Cost of a query: median wall time, rows found, pages of the database touched."""

    us: float
    rows: int
    buffers: int


def main() -> None:
    """Measure at a tenth and at all hands; print both, and what grew by more than half."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    with rooms.opened() as (_, layout):
        tables = rooms.seated(4, 6)
        settled(tables, SAMPLES)
        found = []
        for count in (hands // 10, hands):
            fill(count, layout.owner_url())
            found.append(settlements(tables) | queries())
        print(f"\n  {'':<34}{hands // 10:>22,}{hands:>26,} hands")
        for name in found[0]:
            few, many = found[0][name], found[1][name]
            grown = many.us / few.us
            mark = " !" if grown > GROWTH_MAX else ""
            print(f"  {name:<34}{_told(few)}  {_told(many)}  x{grown:.2f}{mark}")
        space(hands)
    note(
        {
            f"years.{name.replace(' ', '_')}_us_{size}": round(cost[name].us)
            for size, cost in zip(("few", "many"), found, strict=True)
            for name in cost
        }
    )


def _told(cost: PageCost) -> str:
    return f"{cost.us:>8.0f} us {cost.buffers:>6} pages"


def settled(tables: list[int], hands: int) -> list[float]:
    """Settle hands of live tables; return the wall time of each in us."""
    taken = in_turns(tables, hands, {"settled": lambda: None})
    return [wall * 1e6 for _, wall in taken["settled"]]


def settlements(tables: list[int]) -> dict[str, PageCost]:
    """Return what a settlement with its next grant costs."""
    settled(tables, SETTLED // 10)
    before = _touched()
    times = settled(tables, SETTLED)
    return {"settlement": PageCost(median(times), 1, (_touched() - before) // SETTLED)}


def _touched() -> int:
    """Pages of tables and indexes that this database touched since its start."""
    found = rows(
        "SELECT pg_stat_force_next_flush(), pg_sleep(1.2), pg_stat_clear_snapshot()",
        "SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)"
        " + coalesce(toast_blks_read + toast_blks_hit + tidx_blks_read + tidx_blks_hit, 0))"
        " FROM pg_statio_user_tables",
    )
    return int(found[0][0])


def queries() -> dict[str, PageCost]:
    """Return what the queries of pages cost, for hands of the middle of all months."""
    from tables.history.own import own_hands
    from tables.history.released import released_hands
    from tables.models import Hand, Table

    game = Table.objects.filter(game__gte=GAME).order_by("-game").values_list("game", flat=True)[0]
    middle = GAME + (game - GAME) // 2
    table = Table.objects.filter(game=middle).order_by("pk")[0]
    player = (Hand.objects.filter(table=table)[0].users or [RARE])[-1]
    of_game = released_hands().filter(table__director="tournament", table__game=middle)
    ways: dict[str, Any] = {
        "replay": released_hands().filter(table=table, number=50),
        "hands of a table": released_hands().filter(table=table).order_by("-number")[:25],
        "own hands at a table": own_hands(player).filter(table=table).order_by("-number")[:12],
        "hands of a tournament": of_game.order_by("-pk")[:51],
        "history of a regular": own_hands(player).order_by("-pk")[:51],
        "history of a rare player": own_hands(RARE).order_by("-pk")[:51],
    }
    return {name: _cost(found) for name, found in ways.items()}


def _cost(found: Any) -> PageCost:
    import json

    list(found.all())
    times = [_timed(lambda: list(found.all())) for _ in range(REPEATED)]
    plan = json.loads(found.explain(format="json", analyze=True, buffers=True))[0]["Plan"]
    buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return PageCost(median(times), len(list(found.all())), buffers)


def _timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return (perf_counter() - began) * 1e6


def space(hands: int) -> None:
    """Archive some hands; print bytes per row before and after, in the file, and the time."""
    from django.db.models import Sum
    from django.utils import timezone

    from tables.models import HandArchive
    from tables.records import archiving

    [(whole, record)] = rows(
        "SELECT pg_total_relation_size('tables_hand'), avg(pg_column_size(record))"
        " FROM (SELECT record FROM tables_hand ORDER BY id LIMIT 5000) AS some"
    )
    print(f"\n  bytes of a hand: {whole / hands:.0f} in all, {record:.0f} of them the record")
    until = archiving.end_of_months(1, timezone.now())
    began, done = perf_counter(), 0
    while done < ARCHIVED and (some := archiving.archive_some(until)):
        done += some
    took = perf_counter() - began
    [(left,)] = rows(
        "SELECT avg(pg_column_size(record)) FROM tables_hand WHERE id <= %s",
        params=[HandArchive.objects.order_by("-last")[0].last],
    )
    size = HandArchive.objects.aggregate(size=Sum("size"))["size"] / max(done, 1)
    print(f"  archived: {left:.0f} in the row, {size:.0f} in the file; {done / took:.0f} hands/s")


if __name__ == "__main__":
    main()
