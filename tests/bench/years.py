"""Cost of years: settlements, queries of pages and upkeep in a room with many old hands.

`python -m tests.bench.years HANDS` measures at a tenth of the hands first, then at all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from tests.bench.shared import rooms
from tests.bench.shared.report import note
from tests.bench.shared.settlements import in_turns
from tests.bench.shared.years_fill import GAME, RARE, SAMPLES, fill, rows

SETTLED = 300
REPEATED = 31
GROWTH_MAX = 1.5
ROWS_OF_PAGE = 51
"""Hands of a page of a history, and one more."""


class PageCost(NamedTuple):
    """Cost of a query: median wall time, rows found, pages and partitions of the database read."""

    us: float
    rows: int
    buffers: int
    partitions: int


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
        upkeep(layout.owner_url())
    note(
        {
            f"years.{name.replace(' ', '_')}_us_{size}": round(cost[name].us)
            for size, cost in zip(("few", "many"), found, strict=True)
            for name in cost
        }
    )


def _told(cost: PageCost) -> str:
    return f"{cost.us:>8.0f} us {cost.buffers:>6} pages {cost.partitions:>3} months"


def settled(tables: list[int], hands: int) -> list[float]:
    """Settle hands of live tables; return the wall time of each in us."""
    taken = in_turns(tables, hands, {"settled": lambda: None})
    return [wall * 1e6 for _, wall in taken["settled"]]


def settlements(tables: list[int]) -> dict[str, PageCost]:
    """Return what a settlement with its next grant costs."""
    settled(tables, SETTLED // 10)
    before = _touched()
    times = settled(tables, SETTLED)
    return {"settlement": PageCost(median(times), 1, (_touched() - before) // SETTLED, 1)}


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
    from tables.history.released import hands_of_game, hands_of_table
    from tables.models import Hand, Table
    from tables.records import hand_months

    game = Table.objects.filter(game__gte=GAME).order_by("-game").values_list("game", flat=True)[0]
    middle = GAME + (game - GAME) // 2
    table = Table.objects.filter(game=middle).order_by("pk")[0]
    player = (Hand.objects.filter(table=table)[0].users or [RARE])[-1]
    of_table = hands_of_table(table)
    ways: dict[str, Any] = {
        "replay": of_table.filter(number=50),
        "hands of a table": of_table.order_by("-number")[:25],
        "own hands at a table": own_hands(player)
        .filter(hand_months.of_table(table))
        .order_by("-number")[:12],
        "hands of a tournament": hands_of_game("tournament", middle).order_by("-pk")[:51],
    }
    histories = {"history of a regular": player, "history of a rare player": RARE}
    return {name: _cost([found]) for name, found in ways.items()} | {
        name: _cost(_looks(user)) for name, user in histories.items()
    }


def _looks(user: int) -> list[Any]:
    """Return the queries of the first page of a player's history."""
    from django.utils import timezone

    from tables.history.own import newest, own_hands, within
    from tables.models import Hand
    from tables.records import hand_months

    looks = []

    def look(first: int, end: int) -> list[Hand]:
        looks.append(within(own_hands(user), first, end)[:ROWS_OF_PAGE])
        return list(looks[-1].all())

    newest(look, hand_months.end_key(timezone.now()), ROWS_OF_PAGE)
    return looks


def _cost(looks: list[Any]) -> PageCost:
    import json

    def read() -> list[Any]:
        return [row for look in looks for row in look.all()]

    read()
    times = [_timed(read) for _ in range(REPEATED)]
    buffers, read_months = 0, set[str]()
    for look in looks:
        plan = json.loads(look.explain(format="json", analyze=True, buffers=True))[0]["Plan"]
        buffers += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
        read_months |= set(_partitions(plan))
    return PageCost(median(times), len(read()), buffers, len(read_months))


def _partitions(node: dict[str, Any]) -> Iterator[str]:
    """Yield the partitions of hands that a plan read."""
    name = node.get("Relation Name", "")
    if name.startswith("tables_hand_") and node["Actual Loops"]:
        yield name
    for child in node.get("Plans", ()):
        yield from _partitions(child)


def _timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return (perf_counter() - began) * 1e6


def upkeep(owner_url: str) -> None:
    """Print sizes, and what a month costs by itself: its vacuum, its deletion, its removal."""
    from deploy.preparation import roles

    with roles.as_owner(owner_url):
        rows("SET statement_timeout = 0")
        first, second, *_ = [name for (name,) in rows(_MONTHS)]
        for what, name in (("all", "tables_hand"), ("a month", first)):
            [(table, indexes)] = rows(_SIZES, params=[name])
            print(f"  {what}: {table // 10**6} MB of rows, {indexes // 10**6} MB of indexes")
        [(hands,)] = rows(f"SELECT count(*) FROM {first}")
        for what, statement in (
            ("vacuum of a month", f"VACUUM (FREEZE) {first}"),
            ("vacuum of all", "VACUUM (FREEZE) tables_hand"),
            ("rewriting a month", f"VACUUM FULL {first}"),
            ("deleting a month", f"DELETE FROM {second}"),
            ("detaching a month", f"ALTER TABLE tables_hand DETACH PARTITION {first}"),
            ("dropping it", f"DROP TABLE {first}"),
        ):
            took = _timed(partial(rows, statement)) / 1_000
            print(f"  {what} of {hands:,} hands: {took:,.0f} ms")


_MONTHS = """
SELECT relid::regclass::text FROM pg_partition_tree('tables_hand')
 WHERE isleaf AND relid::regclass::text ~ '[0-9]{6}$' ORDER BY 1
"""

_SIZES = """
SELECT sum(pg_table_size(relid)), sum(pg_indexes_size(relid)) FROM pg_partition_tree(%s)
"""


if __name__ == "__main__":
    main()
