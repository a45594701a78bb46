"""Audit of the log: seals and fates in it once and in order, and a head that is that of its leaves.

Each look reads the newest part alone, so that its cost does not grow with the log.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection, transaction

from tables.fairlog import storage
from tables.fairness.tiles import WIDTH, range_root, split_hashes
from tables.fairness.tree import leaf_hash

DECKS_MAX = 1_000
"""Newest decks that one look reads."""


def violations() -> Iterator[str]:
    """Yield a sentence for every seal or fate that is not in the log once, and a wrong head."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement, sentence in _LAWS:
            cursor.execute(statement, {"most": DECKS_MAX})
            for row in cursor.fetchall():
                yield sentence.format(*row)
        yield from _head()


def _head() -> Iterator[str]:
    last, size = storage.head(), storage.size()
    if last is None:
        return
    if last.size > size:
        yield f"a head of the log is over {last.size} leaves, and {size} are there"
        return
    first = max(0, last.size - 1) // WIDTH * WIDTH
    held = split_hashes(storage.tile(0, first // WIDTH))[: last.size - first]
    if held != [leaf_hash(leaf) for leaf in storage.entries(first, last.size)]:
        yield f"leaves of the log from {first} on are not those of its tiles"
    elif range_root(storage.reader)(0, last.size) != bytes(last.root):
        yield f"the head of the log over {last.size} leaves has another root"


_LAWS = (
    (
        """
SELECT d.table_id, d.hand, d.epoch
  FROM (SELECT * FROM tables_sealeddeck ORDER BY id DESC LIMIT %(most)s) d
  JOIN fairlog_logleaf s ON s.deck_id = d.id AND s.kind = 1
 WHERE d.fate IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM fairlog_logleaf f WHERE f.deck_id = d.id AND f.kind = 2)
""",
        "the fate of table {} hand {} in epoch {} is not for the log",
    ),
    (
        """
SELECT d.table_id, d.hand, d.epoch
  FROM (SELECT * FROM tables_sealeddeck ORDER BY id DESC LIMIT %(most)s) d
  LEFT JOIN fairlog_logleaf s ON s.deck_id = d.id AND s.kind = 1
 WHERE s.id IS NULL
   AND (d.fate IS NULL
        OR EXISTS (SELECT 1 FROM fairlog_logleaf f WHERE f.deck_id = d.id AND f.kind = 2))
""",
        "the seal of table {} hand {} in epoch {} is not for the log",
    ),
    (
        """
SELECT s.index, f.index
  FROM (SELECT * FROM fairlog_logleaf WHERE index IS NOT NULL ORDER BY index DESC LIMIT %(most)s) f
  JOIN fairlog_logleaf s ON s.deck_id = f.deck_id AND s.kind = 1
 WHERE f.kind = 2 AND (s.index IS NULL OR s.index > f.index)
""",
        "the log has the seal of leaf {1} at {0}, not before it",
    ),
    (
        """
SELECT l.index
  FROM (SELECT * FROM fairlog_logleaf WHERE index IS NOT NULL ORDER BY index DESC LIMIT %(most)s) l
 WHERE l.index > 0 AND NOT EXISTS (SELECT 1 FROM fairlog_logleaf b WHERE b.index = l.index - 1)
""",
        "the log has no leaf before {}",
    ),
)
"""Statements that find what must not be, and the sentence for each row."""
