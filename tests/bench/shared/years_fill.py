"""Old hands in bulk, with their tables, decks and leaves, spread over 24 months."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any

MONTHS = 24
HANDS_AT_TABLE = 100
TABLES_OF_GAME = 10
PLAYERS = 2_000
FIRST_PLAYER = 10_000_000
RARE = FIRST_PLAYER - 1
"""A player of the first table alone, before all the others."""

GAME = 1_000_000
SAMPLES = 40
RECORDS_IN_ROWS_MONTHS = 2
"""Months whose records are in their rows; those of older hands are as long as references."""
REFERENCE_BYTES = 72

TABLES_AT_ONCE = 1_000
"""Tables whose hands one transaction inserts."""

GROWING = ("tables_hand", "tables_sealeddeck", "fairlog_logleaf")


def fill(hands: int, owner_url: str) -> None:
    """Insert old hands up to this number; in 24 months, all of them anew in each month's share."""
    from deploy.preparation import roles

    with roles.as_owner(owner_url):
        have = int(rows("SELECT count(*) FROM tables_table WHERE game >= %s", params=[GAME])[0][0])
        wanted = hands // HANDS_AT_TABLE
        names: dict[str, Any] = {
            "game": GAME,
            "of_game": TABLES_OF_GAME,
            "hands": HANDS_AT_TABLE,
            "players": PLAYERS,
            "first_player": FIRST_PLAYER,
            "rare": RARE,
            "months": MONTHS,
            "tables": wanted,
            "samples": SAMPLES,
            "in_rows": RECORDS_IN_ROWS_MONTHS,
            "reference": REFERENCE_BYTES,
        }
        began = perf_counter()
        for statement in _SESSION:
            rows(statement, params=names)
        _make_past_months()
        with _without_indexes(GROWING):
            [(leaves,)] = rows("SELECT coalesce(max(index), -1) FROM fairlog_logleaf")
            for first in range(have, wanted, TABLES_AT_ONCE):
                last = min(first + TABLES_AT_ONCE, wanted) - 1
                [(decks,)] = rows("SELECT coalesce(max(id), 0) FROM tables_sealeddeck")
                _insert({**names, "first": first, "last": last, "decks": decks, "leaves": leaves})
                leaves += (last + 1 - first) * HANDS_AT_TABLE * 2
                done = (last + 1) * HANDS_AT_TABLE
                print(f"  {done:,} of {hands:,} after {perf_counter() - began:.0f} s", flush=True)
        print(f"  indexes after {perf_counter() - began:.0f} s", flush=True)
        rows("RESET ALL", "SET statement_timeout = 0", "VACUUM ANALYZE")
        print(f"  {hands:,} hands after {perf_counter() - began:.0f} s", flush=True)


def _make_past_months() -> None:
    [(earlier,)] = rows("SELECT to_regclass('tables_hand_earlier')::text")
    if earlier:  # it is empty, and reaches up to this month
        rows(f"ALTER TABLE tables_hand DETACH PARTITION {earlier}", f"DROP TABLE {earlier}")
    for (statement,) in rows(_PAST_MONTHS, params={"months": MONTHS}):
        rows(*statement.split(";"))


def _insert(names: Mapping[str, Any]) -> None:
    from django.db import transaction

    with transaction.atomic():
        for statement in _FILL:
            rows(statement, params=names)


@contextmanager
def _without_indexes(tables: tuple[str, ...]) -> Iterator[None]:
    """Drop the indexes and constraints of tables, but their keys, and make them afterwards."""
    constraints = rows(_CONSTRAINTS, params={"tables": list(tables)})
    for table, name, _ in constraints:
        rows(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
    indexes = rows(_INDEXES, params={"tables": list(tables)})
    for name, _ in indexes:
        rows(f"DROP INDEX {name}")
    for table in tables:
        rows(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    yield
    for table in tables:
        rows(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    for _, definition in indexes:
        rows(definition)
    for table, name, definition in constraints:
        rows(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')


def rows(*statements: str, params: Any = None) -> list[tuple[Any, ...]]:
    """Execute statements; return the rows of the last one."""
    from django.db import connection

    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, params)
        return cursor.fetchall() if cursor.description else []


_CONSTRAINTS = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
 WHERE contype IN ('f', 'u') AND conparentid = 0
   AND (conrelid = ANY(%(tables)s::regclass[])
        OR conrelid IN (SELECT relid FROM pg_partition_tree('tables_hand')))
 ORDER BY contype
"""

_INDEXES = """
SELECT indexrelid::regclass::text, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
  FROM pg_index
 WHERE indrelid = ANY(%(tables)s::regclass[]) AND NOT indisprimary
"""

_PAST_MONTHS = """
SELECT format('CREATE TABLE %%1$I (LIKE tables_hand INCLUDING ALL);'
              'ALTER TABLE %%1$I ADD UNIQUE (table_id, number);'
              'ALTER TABLE tables_hand ATTACH PARTITION %%1$I FOR VALUES FROM (%%2$s) TO (%%3$s)',
              to_char(m, '"tables_hand_"YYYYMM'), hand_month_key(m),
              hand_month_key(m + interval '1 month'))
  FROM generate_series(date_trunc('month', now()) - make_interval(months => %(months)s),
                       date_trunc('month', now()) - interval '1 month', '1 month') AS m
 WHERE to_regclass(to_char(m, '"tables_hand_"YYYYMM')) IS NULL
"""

_SESSION = (
    "SET statement_timeout = 0",
    "SET synchronous_commit = off",
    "SET maintenance_work_mem = '512MB'",
    "SET max_parallel_maintenance_workers = 0",
    "SET work_mem = '256MB'",
    "SET enable_nestloop = off",
    """CREATE TEMP TABLE IF NOT EXISTS sample AS
       SELECT row_number() OVER (ORDER BY id) - 1 AS n, record, digest
         FROM tables_hand ORDER BY id LIMIT %(samples)s""",
    """UPDATE tables_hand h SET finished_at = now() - make_interval(months => %(months)s + 1)
         FROM tables_table t WHERE t.id = h.table_id AND t.game < %(game)s""",
)

_FILL = (
    """INSERT INTO tables_table (director, game, number, seats_max, status, epoch, hand, round,
                                 granted_hand, opened_at, closed_at)
       SELECT 'tournament', %(game)s + t / %(of_game)s, 1 + t %% %(of_game)s, 6, 'closed', 1,
              %(hands)s, 0, %(hands)s, at.at, at.at
         FROM generate_series(%(first)s, %(last)s) AS t
        CROSS JOIN LATERAL (SELECT now() - make_interval(
                months => %(months)s,
                secs => -t::float * %(months)s * 2592000 / %(tables)s) AS at) AS at""",
    """CREATE TEMP TABLE new_tables ON COMMIT DROP AS
       SELECT id, opened_at AS at, (game - %(game)s) * %(of_game)s + number - 1 AS t
         FROM tables_table
        WHERE game >= %(game)s + %(first)s / %(of_game)s""",
    "ANALYZE new_tables",
    """INSERT INTO tables_hand (id, table_id, number, epoch, digest, record, level, players,
                                actions, pot, finished_at, released_at, users)
       SELECT hand_month_key(o.at) + nextval('tables_hand_key_seq'), o.id, g.n, 1, s.digest,
              CASE WHEN o.at < now() - make_interval(months => %(in_rows)s)
                   THEN substr(s.record, 1, %(reference)s) ELSE s.record END, 1, 6, 9, 1200,
              o.at, o.at, CASE WHEN o.t = 0 THEN ARRAY[%(rare)s::bigint] ELSE '{}' END
                          || u.users
         FROM new_tables o
        CROSS JOIN LATERAL (
              SELECT array_agg(%(first_player)s + (o.t * 7919 + k * 104729) %% %(players)s) AS users
                FROM generate_series(1, 6) AS k) AS u
        CROSS JOIN generate_series(1, %(hands)s) AS g(n)
         JOIN sample s ON s.n = (o.t + g.n) %% %(samples)s
        ORDER BY o.t, g.n""",
    """INSERT INTO tables_sealeddeck (table_id, epoch, hand, seal, sealed_ms, fate, reason,
                                      ended_ms)
       SELECT o.id, 1, n, sha256(int8send(o.id * 1000 + n)), 0, 1, 0, 0
         FROM new_tables o CROSS JOIN generate_series(1, %(hands)s) AS n""",
    """INSERT INTO fairlog_logleaf (deck_id, kind, index, leaf)
       SELECT d.id, k, %(leaves)s + row_number() OVER (ORDER BY d.id, k), d.seal
         FROM new_tables o JOIN tables_sealeddeck d ON d.table_id = o.id AND d.id > %(decks)s
        CROSS JOIN generate_series(1, 2) AS k""",
)
