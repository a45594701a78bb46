"""Law of ring games in one snapshot: a table's account holds the money of all its chips."""

from __future__ import annotations

from django.db import connection

_LAW = """
SELECT t.id, coalesce(a.balance, 0), coalesce(s.chips, 0), coalesce(r.coming, 0)
  FROM tables_table t
  LEFT JOIN accounts_account a ON a.kind = 'ring' AND a.ref = 'ring:' || t.id
  LEFT JOIN (SELECT table_id, sum(chips) AS chips FROM tables_seat GROUP BY table_id) s
    ON s.table_id = t.id
  LEFT JOIN (SELECT table_id, sum(coming) AS coming FROM ring_ringsession GROUP BY table_id) r
    ON r.table_id = t.id
 WHERE t.director = 'ring'
   AND coalesce(a.balance, 0) <> coalesce(s.chips, 0) + coalesce(r.coming, 0)
 ORDER BY t.id
"""


def violations() -> list[str]:
    """Return a line for every ring table whose account differs from its chips, in minor units."""
    with connection.cursor() as cursor:
        cursor.execute(_LAW)
        return [
            f"ring table {table} holds {balance} for {chips} chips and {coming} coming"
            for table, balance, chips, coming in cursor.fetchall()
        ]
