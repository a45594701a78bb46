"""Judgement of the log as a whole: its newest head, one fate for each seal, opened decks."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.db import connection

from tables.fairaudit.findings import FairDifference, Finding
from tables.fairaudit.secrets import opens_escrow
from tables.fairlog import storage
from tables.fairlog.models import LogLeaf, OpenedDeck
from tables.fairness.encoding import hand_id, room_id
from tables.fairness.leaves import Fate, LeafKind
from tables.fairness.notes import LogHead, open_head
from tables.fairness.sealing import seal_deck
from tables.fairness.tree import leaf_hash, root_of
from tables.models import SealedDeck

_SEAL = slice(38, 70)
"""Place of the seal in the leaf of a seal or fate."""


def judge_head(origin: str, log_keys: Collection[bytes]) -> Iterator[Finding]:
    """Yield a finding unless the newest head is signed, and over the leaves as they are."""
    day = storage.head()
    if day is None:
        return
    head = _opened(day.note, origin, log_keys)
    if head is None:
        yield Finding(FairDifference.HEAD, detail="no log key of the room signed it")
        return
    rows = LogLeaf.objects.filter(index__lt=head.size).order_by("index")
    leaves = [bytes(leaf or b"") for leaf in rows.values_list("leaf", flat=True).iterator()]
    if len(leaves) != head.size or root_of([leaf_hash(leaf) for leaf in leaves]) != head.root:
        yield Finding(FairDifference.HEAD, detail=f"{len(leaves)} leaves, {head.size} signed")
    yield from _judge_order(leaves)


def _opened(note: str, origin: str, log_keys: Collection[bytes]) -> LogHead | None:
    for key in log_keys:
        try:
            return open_head(note, origin, key)
        except ValueError:
            continue
    return None


def _judge_order(leaves: list[bytes]) -> Iterator[Finding]:
    """Yield seals and fates that are in the log twice, or a fate before its seal."""
    found: dict[int, set[bytes]] = {LeafKind.SEAL: set(), LeafKind.FATE: set()}
    for index, leaf in enumerate(leaves):
        kind, seal = leaf[1], leaf[_SEAL]
        if kind not in found:
            continue
        is_early = kind == LeafKind.FATE and seal not in found[LeafKind.SEAL]
        if seal in found[kind] or is_early:
            yield Finding(FairDifference.FATE, detail=f"leaf {index}")
        found[kind].add(seal)


def judge_decks(origin: str, auditor: bytes = b"") -> Iterator[Finding]:
    """Yield decks without a fate that fits, and opened decks whose secret makes another seal.

    The `auditor` opens the escrows of all decks that were not played, too.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FATELESS)
        for table, epoch, hand, detail in cursor.fetchall():
            yield Finding(FairDifference.FATE, table, epoch, hand, detail)
    room = room_id(origin)
    for opened in OpenedDeck.objects.select_related("deck").iterator():
        deck = opened.deck
        name = hand_id(room, table=deck.table_id, epoch=deck.epoch, hand=deck.hand)
        if seal_deck(bytes(opened.secret), name).seal != bytes(deck.seal):
            yield Finding(FairDifference.OPENED, deck.table_id, deck.epoch, deck.hand)
    if auditor:
        yield from _judge_escrows(room, auditor)


def _judge_escrows(room: bytes, auditor: bytes) -> Iterator[Finding]:
    rows = SealedDeck.objects.exclude(fate=Fate.PLAYED).exclude(escrow=None)
    for deck in rows.iterator():
        name = hand_id(room, table=deck.table_id, epoch=deck.epoch, hand=deck.hand)
        if not opens_escrow(bytes(deck.escrow or b""), bytes(deck.seal), name, auditor):
            yield Finding(FairDifference.ESCROW, deck.table_id, deck.epoch, deck.hand)


_FATELESS = """
SELECT d.table_id, d.epoch, d.hand, 'the table went on without it'
  FROM tables_sealeddeck d JOIN tables_table t ON t.id = d.table_id
 WHERE d.fate IS NULL AND (t.status = 'closed' OR d.hand <= t.hand)
UNION ALL
SELECT d.table_id, d.epoch, d.hand, 'played, and no hand is there'
  FROM tables_sealeddeck d
 WHERE d.fate = 1
   AND NOT EXISTS (SELECT 1 FROM tables_hand h
                    WHERE h.table_id = d.table_id AND h.number = d.hand)
UNION ALL
SELECT d.table_id, d.epoch, d.hand, 'void before its cards, and not opened'
  FROM tables_sealeddeck d
 WHERE d.fate = 3 AND NOT EXISTS (SELECT 1 FROM fairlog_openeddeck o WHERE o.deck_id = d.id)
 ORDER BY 1, 2, 3
"""
