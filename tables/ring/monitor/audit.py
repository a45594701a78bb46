"""Laws of ring games in one snapshot: accounts of tables and pools hold the money of all chips."""

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

_POOL_LAW = """
SELECT g.id, coalesce(a.balance, 0), coalesce(s.chips, 0), coalesce(h.chips, 0)
  FROM ring_ringgame g
  LEFT JOIN accounts_account a ON a.kind = 'ring' AND a.ref = 'rapid:' || g.id
  LEFT JOIN (SELECT game_id, sum(stack + coming) AS chips
               FROM ring_ringsession GROUP BY game_id) s
    ON s.game_id = g.id
  LEFT JOIN (SELECT r.game_id, sum(y.chips - coalesce(y.freed_chips, 0)) AS chips
               FROM ring_rapidstay y JOIN ring_ringsession r ON r.id = y.session_id
              WHERE NOT y.ended GROUP BY r.game_id) h
    ON h.game_id = g.id
 WHERE g.rapid
   AND coalesce(a.balance, 0) <> coalesce(s.chips, 0) + coalesce(h.chips, 0)
 ORDER BY g.id
"""


def violations() -> list[str]:
    """Return a line for every ring table and rapid pool whose account differs from its chips.

    Amounts are in minor units. Chips of a rapid player are in the session or in hands (R-03).
    """
    with connection.cursor() as cursor:
        cursor.execute(_LAW)
        lines = [
            f"ring table {table} holds {balance} for {chips} chips and {coming} coming"
            for table, balance, chips, coming in cursor.fetchall()
        ]
        cursor.execute(_POOL_LAW)
        lines += [
            f"rapid pool {game} holds {balance} for {chips} chips and {staked} in hands"
            for game, balance, chips, staked in cursor.fetchall()
        ]
    return lines
