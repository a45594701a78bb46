"""Audit of sealed decks: one fate for each seal, no hand granted before its deck is sealed."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection


def violations() -> Iterator[str]:
    """Yield a sentence for every seal without its fate, and every hand granted without a seal."""
    with connection.cursor() as cursor:
        cursor.execute(_LEFT_OPEN)
        for table, hand, epoch in cursor.fetchall():
            yield f"the seal of table {table} hand {hand} in epoch {epoch} has no fate"
        cursor.execute(_UNSEALED)
        for table, hand in cursor.fetchall():
            yield f"table {table} hand {hand} was granted before its deck was sealed"
        cursor.execute(_SEALED_IN_RESEARCH)
        for table, hand in cursor.fetchall():
            yield f"table {table} hand {hand} was sealed in a research room, which deals from seeds"


# A process of a release without research rooms would deal so.
_SEALED_IN_RESEARCH = """
SELECT d.table_id, d.hand
  FROM tables_sealeddeck d
 WHERE EXISTS (SELECT FROM research_researchmark)
 ORDER BY d.table_id, d.hand LIMIT 20
"""

# A decided hand goes on in the next epoch with the deck it was dealt from.
_LEFT_OPEN = """
SELECT d.table_id, d.hand, d.epoch
  FROM tables_sealeddeck d
  JOIN tables_table t ON t.id = d.table_id
 WHERE d.fate IS NULL
   AND (t.status = 'closed' OR d.hand <> t.hand + 1
        OR (d.epoch <> t.epoch
            AND NOT EXISTS (SELECT 1 FROM tables_decidedhand h
                             WHERE h.table_id = t.id AND h.epoch = t.epoch
                               AND h.number = d.hand)))
 ORDER BY d.table_id
"""

# Hands granted by a release that sealed no decks are at tables without any seal in their epoch.
_UNSEALED = """
SELECT t.id, t.granted_hand
  FROM tables_table t
 WHERE t.status = 'open' AND t.granted_hand > t.hand
   AND EXISTS (SELECT 1 FROM tables_sealeddeck d WHERE d.table_id = t.id AND d.epoch = t.epoch)
   AND NOT EXISTS (SELECT 1 FROM tables_sealeddeck d
                    WHERE d.table_id = t.id AND d.hand = t.granted_hand AND d.fate IS NULL)
 ORDER BY t.id
"""
