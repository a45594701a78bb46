"""Sealed rows for tests, and changes of them by the owner of the database."""

from __future__ import annotations

import time

from django.db import connection, transaction

from accounts.ledger import seals

PATIENCE_S = 60
_GUARDED = (
    *("accounts_account", "accounts_transfer", "accounts_posting"),
    *("accounts_seal", "tournaments_auditrow"),
)
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
 WHERE datname <> current_database() AND backend_xid::text::bigint < %s
"""


def sealed() -> None:
    """Take all steps of a seal at once, as there is no other writer."""
    for _ in range(4):
        _wait_for_other_databases()
        seals.seal(apart_s=0)


def _wait_for_other_databases() -> None:
    """Wait for transactions of parallel tests: rows are final only after those."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        (upto,) = cursor.fetchone()
        until_s = time.monotonic() + PATIENCE_S
        while True:
            cursor.execute(_OTHERS, [upto])
            if not cursor.fetchone()[0]:
                return
            assert time.monotonic() < until_s, "another test holds a long transaction"
            time.sleep(0.01)


def owner(*statements: str) -> None:
    """Powers of the database owner: disable triggers, and enable them again."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _GUARDED:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for statement in statements:
            cursor.execute(statement)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in _GUARDED:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
