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

MONTHS = 24
HANDS_AT_TABLE = 100
TABLES_OF_GAME = 10
PLAYERS = 2_000
FIRST_PLAYER = 10_000_000
RARE = FIRST_PLAYER - 1
"""A player of the first table alone, before all the others."""

GAME = 1_000_000
SETTLED = 300
SAMPLES = 40
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
    with rooms.opened():
        tables = rooms.seated(4, 6)
        settled(tables, SAMPLES)
        found = []
        for count in (hands // 10, hands):
            fill(count)
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
    rows = _rows(
        "SELECT pg_stat_force_next_flush(), pg_sleep(1.2), pg_stat_clear_snapshot()",
        "SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)"
        " + coalesce(toast_blks_read + toast_blks_hit + tidx_blks_read + tidx_blks_hit, 0))"
        " FROM pg_statio_user_tables",
    )
    return int(rows[0][0])


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
    return {name: _cost(rows) for name, rows in ways.items()}


def _cost(rows: Any) -> PageCost:
    import json

    list(rows.all())
    times = [_timed(lambda: list(rows.all())) for _ in range(REPEATED)]
    plan = json.loads(rows.explain(format="json", analyze=True, buffers=True))[0]["Plan"]
    buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return PageCost(median(times), len(list(rows.all())), buffers)


def _timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return (perf_counter() - began) * 1e6


def fill(hands: int) -> None:
    """Insert old hands, with their tables, decks and leaves, up to this number; in 24 months."""
    have = int(_rows("SELECT count(*) FROM tables_table WHERE game >= %s", params=[GAME])[0][0])
    names = {
        "first": have,
        "last": hands // HANDS_AT_TABLE - 1,
        "game": GAME,
        "of_game": TABLES_OF_GAME,
        "hands": HANDS_AT_TABLE,
        "players": PLAYERS,
        "first_player": FIRST_PLAYER,
        "rare": RARE,
        "months": MONTHS,
        "tables": hands // HANDS_AT_TABLE,
        "samples": SAMPLES,
    }
    began = perf_counter()
    for statement in _FILL:
        _rows(statement, params=names)
    _rows("VACUUM ANALYZE")
    print(f"  {hands:,} hands after {perf_counter() - began:.0f} s")


def space(hands: int) -> None:
    """Archive some hands; print bytes per row before and after, in the file, and the time."""
    from django.db.models import Sum
    from django.utils import timezone

    from tables.models import HandArchive
    from tables.records import archiving

    [(whole, record)] = _rows(
        "SELECT pg_total_relation_size('tables_hand'), avg(pg_column_size(record))"
        " FROM (SELECT record FROM tables_hand ORDER BY id LIMIT 5000) AS some"
    )
    print(f"\n  bytes of a hand: {whole / hands:.0f} in all, {record:.0f} of them the record")
    until = archiving.end_of_months(1, timezone.now())
    began, done = perf_counter(), 0
    while done < ARCHIVED and (some := archiving.archive_some(until)):
        done += some
    took = perf_counter() - began
    [(left,)] = _rows(
        "SELECT avg(pg_column_size(record)) FROM tables_hand WHERE id <= %s",
        params=[HandArchive.objects.order_by("-last")[0].last],
    )
    size = HandArchive.objects.aggregate(size=Sum("size"))["size"] / max(done, 1)
    print(f"  archived: {left:.0f} in the row, {size:.0f} in the file; {done / took:.0f} hands/s")


def _rows(*statements: str, params: Any = None) -> list[tuple[Any, ...]]:
    from django.db import connection

    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, params)
        return cursor.fetchall() if cursor.description else []


_FILL = (
    "SET statement_timeout = 0",
    "SET synchronous_commit = off",
    """CREATE TEMP TABLE IF NOT EXISTS sample AS
       SELECT row_number() OVER (ORDER BY id) - 1 AS n, record, digest
         FROM tables_hand ORDER BY id LIMIT %(samples)s""",
    """UPDATE tables_hand h SET finished_at = now() - make_interval(months => %(months)s + 1)
         FROM tables_table t WHERE t.id = h.table_id AND t.game < %(game)s""",
    """INSERT INTO tables_table (director, game, number, seats_max, status, epoch, hand, round,
                                 granted_hand, opened_at, closed_at)
       SELECT 'tournament', %(game)s + t / %(of_game)s, 1 + t %% %(of_game)s, 6, 'closed', 1,
              %(hands)s, 0, %(hands)s, now(), now()
         FROM generate_series(%(first)s, %(last)s) AS t""",
    """CREATE TEMP TABLE new_tables AS
       SELECT id, (game - %(game)s) * %(of_game)s + number - 1 AS t FROM tables_table
        WHERE game >= %(game)s + %(first)s / %(of_game)s""",
    """INSERT INTO tables_hand (table_id, number, epoch, digest, record, level, players, actions,
                                pot, finished_at, released_at, users)
       SELECT o.id, g.n, 1, s.digest, s.record, 1, 6, 9, 1200, at.at, at.at,
              CASE WHEN o.t = 0 THEN ARRAY[%(rare)s::bigint] ELSE '{}' END ||
              ARRAY(SELECT %(first_player)s + (o.t * 7919 + k * 104729) %% %(players)s
                      FROM generate_series(1, 6) AS k)
         FROM new_tables o CROSS JOIN generate_series(1, %(hands)s) AS g(n)
         JOIN sample s ON s.n = (o.t + g.n) %% %(samples)s
        CROSS JOIN LATERAL (SELECT now() - make_interval(
                months => %(months)s,
                secs => -o.t::float * %(months)s * 2592000 / %(tables)s) AS at) AS at
        ORDER BY o.t, g.n""",
    """INSERT INTO tables_sealeddeck (table_id, epoch, hand, seal, sealed_ms, fate, reason,
                                      ended_ms)
       SELECT o.id, 1, n, sha256(int8send(o.id * 1000 + n)), 0, 1, 0, 0
         FROM new_tables o CROSS JOIN generate_series(1, %(hands)s) AS n""",
    """INSERT INTO fairlog_logleaf (deck_id, kind, index, leaf)
       SELECT d.id, k, (SELECT coalesce(max(index), -1) FROM fairlog_logleaf)
                       + row_number() OVER (ORDER BY d.id, k), sha256(d.seal)
         FROM tables_sealeddeck d JOIN new_tables o ON o.id = d.table_id
        CROSS JOIN generate_series(1, 2) AS k""",
    "DROP TABLE new_tables",
)


if __name__ == "__main__":
    main()
