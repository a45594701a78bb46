"""Plans of PostgreSQL for the queries of a piece of work."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext


def whole_reads(
    work: Callable[[], object], table: str, *, by: str = "", sorts: bool = True
) -> list[str]:
    """Return the plans of those queries of `work` that read a table whole, in whichever order.

    Tests have few rows, which PostgreSQL reads whole: it is told to look for other ways. Without
    `sorts` it also looks for a way that finds the rows in their order. An index counts that has a
    condition on the column `by`, if it is given.
    """
    with CaptureQueriesContext(connection) as asked:
        work()
    selects = [one["sql"] for one in asked if one["sql"].startswith("SELECT")]
    plans = [_plan(sql, sorts=sorts) for sql in selects if f'"{table}"' in sql]
    assert plans, f"no query reads {table}"
    return [plan for plan in plans if _reads_whole(plan, table, by)]


def _plan(sql: str, *, sorts: bool) -> str:
    ways = ("seqscan",) if sorts else ("seqscan", "sort")
    with connection.cursor() as cursor:
        for way in ways:
            cursor.execute(f"SET enable_{way} = off")
        cursor.execute(f"EXPLAIN {sql}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
        for way in ways:
            cursor.execute(f"RESET enable_{way}")
    return plan


def _reads_whole(plan: str, table: str, by: str) -> bool:
    """Return whether a step of a plan reads a table, or a part of it, by no such condition."""
    steps = re.split(r"^ *-> +", plan, flags=re.MULTILINE)
    scan = rf".*Scan.* on (\S+ )?{table}(_\d+)?\b"  # of partitions under numbered names
    scans = [step for step in steps if re.match(scan, step)]
    assert scans, plan
    return any(not re.search(rf"(Index|Recheck) Cond: .*{by}", step) for step in scans)
