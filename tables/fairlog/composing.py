"""Bytes of leaves, made from rows of PostgreSQL."""

from __future__ import annotations

from typing import NamedTuple

import structlog
from django.conf import settings
from django.db import connection

from tables.fairlog.storage import PendingLeaf
from tables.fairness.cutting import CutState
from tables.fairness.encoding import HASH_SIZE, hand_id
from tables.fairness.escrow import escrow_hash
from tables.fairness.leaves import Fate, FateReason, LeafKind, fate_leaf, genesis_leaf, seal_leaf
from tables.fairness.tree import leaf_hash, root_of
from tables.history.hand_proofs import logged_parts
from tables.records import stored
from tables.workers import sealing

log = structlog.get_logger(__name__)


class LoggedEnd(NamedTuple):
    """End of a deck with the states of its seats, for the counts of a day."""

    fate: Fate
    states: tuple[CutState, ...]


def genesis(now_ms: int) -> bytes:
    """Return the first leaf: the hands that were settled without a leaf of their own.

    Its root is that over the digests of these hands, by table and number.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OLDER)
        hashes = [leaf_hash(bytes.fromhex(digest)) for (digest,) in cursor]
    return genesis_leaf(hands=len(hashes), root=root_of(hashes), created_ms=now_ms)


def composed(row: PendingLeaf) -> tuple[bytes, LoggedEnd | None]:
    """Return the leaf of a seal or fate; with a fate, what the day counts of it."""
    name = hand_id(sealing.room(), table=row.table, epoch=row.epoch, hand=row.hand)
    if row.kind == LeafKind.SEAL:
        escrow = escrow_hash(row.escrow)
        return seal_leaf(name, row.seal, sealed_ms=row.sealed_ms, escrow_hash=escrow), None
    if row.leaf is not None and (known := _known(row, name)) is not None:
        return known
    fate = _fate(row)
    public = course = None
    states: tuple[CutState, ...] = ()
    if row.record is not None:
        try:
            kept = stored.decode_open(row.record)
            public, course = logged_parts(kept, origin=settings.FAIR_ORIGIN)
            states = tuple(one.state for one in kept.called.roster()) if kept.called else ()
        except Exception:
            # The log never waits for a hand that nobody can read: its hashes are told as unknown.
            log.exception("hand logged without its course", table=row.table, hand=row.hand)
    leaf = fate_leaf(
        name,
        row.seal,
        fate=fate,
        reason=FateReason(row.reason),
        ended_ms=row.ended_ms,
        public=public,
        course=course,
    )
    return leaf, LoggedEnd(fate, states)


def _known(row: PendingLeaf, name: bytes) -> tuple[bytes, LoggedEnd] | None:
    """Return the leaf that a settlement wrote; None for one that is not that of its deck."""
    assert row.leaf is not None
    end = LoggedEnd(_fate(row), tuple(map(CutState, row.states)))
    bare = fate_leaf(
        name,
        row.seal,
        fate=end.fate,
        reason=FateReason(row.reason),
        ended_ms=row.ended_ms,
        public=None,
        course=None,
    )
    if len(row.leaf) == len(bare) and row.leaf.startswith(bare[: -2 * HASH_SIZE]):
        return row.leaf, end
    log.error("leaf of another deck", table=row.table, hand=row.hand, leaf=row.leaf.hex())
    return None


def _fate(row: PendingLeaf) -> Fate:
    assert row.fate is not None, "a fate is logged that its deck does not have"
    return Fate(row.fate)


_OLDER = """
SELECT h.digest
  FROM tables_hand h
 WHERE NOT EXISTS (SELECT 1
                     FROM tables_sealeddeck d
                     JOIN fairlog_logleaf l ON l.deck_id = d.id AND l.kind = 2
                    WHERE d.table_id = h.table_id AND d.hand = h.number AND d.fate = 1)
 ORDER BY h.table_id, h.number
"""
