"""Judgement of the log as a whole: its newest head, one fate for each seal, opened decks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from django.db import connection

from tables.fairaudit.epochs import NAME, SEAL, judge_epochs
from tables.fairaudit.findings import FairDifference, Finding
from tables.fairaudit.hands import KeptDeck
from tables.fairaudit.secrets import opens_escrow
from tables.fairlog import storage
from tables.fairlog.models import LogLeaf, OpenedDeck
from tables.fairness.encoding import hand_id, room_id
from tables.fairness.escrow import escrow_hash
from tables.fairness.leaves import Fate, FateReason, LeafKind, fate_leaf, seal_leaf
from tables.fairness.notes import LogHead, open_head
from tables.fairness.sealing import seal_deck
from tables.fairness.tree import leaf_hash, root_of
from tables.models import SealedDeck

_LEAVES = {LeafKind.SEAL: FairDifference.SEAL_LEAF, LeafKind.FATE: FairDifference.FATE_LEAF}


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
    yield from judge_epochs(leaves)


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
        kind, seal = leaf[1], leaf[SEAL]
        if kind not in found:
            continue
        is_early = kind == LeafKind.FATE and seal not in found[LeafKind.SEAL]
        if seal in found[kind] or is_early:
            yield Finding(FairDifference.FATE, detail=f"leaf {index}")
        found[kind].add(seal)


def judge_leaves(origin: str) -> Iterator[Finding]:
    """Yield leaves without their deck or of another one, and decks without their leaves.

    Leaves of played decks are compared with the records of their hands (`judge_hand`).
    """
    room = room_id(origin)
    with connection.cursor() as cursor:
        cursor.execute(_UNPLAYED)
        for index, kind, raw, table, epoch, hand, seal, sealed_ms, escrow, *ended in cursor:
            leaf, detail = bytes(raw or b""), "" if index is None else f"leaf {index}"
            if seal is None:
                at = [int.from_bytes(leaf[place]) for place in NAME]
                told = f"{detail} has no deck".strip()
                yield Finding(FairDifference.FATE, at[0], at[1], at[2], told)
                continue
            fate, reason, ended_ms = ended
            box = bytes(escrow or b"")
            deck = KeptDeck(bytes(seal), sealed_ms, fate, reason, ended_ms, box)
            if not leaf or leaf != _leaf_of(kind, room, (table, epoch, hand), deck):
                yield Finding(_LEAVES[kind], table, epoch, hand, detail)
        cursor.execute(_LEAFLESS, [_began_ms()])
        for table, epoch, hand, kind in cursor:
            yield Finding(_LEAVES[kind], table, epoch, hand, "none")


def _leaf_of(kind: int, room: bytes, name: Sequence[int], deck: KeptDeck) -> bytes:
    """Return the leaf of a deck that was not played, b"" for none."""
    table, epoch, hand = name
    try:
        named = hand_id(room, table=table, epoch=epoch, hand=hand)
        if kind == LeafKind.SEAL:
            hashed = escrow_hash(deck.escrow)
            return seal_leaf(named, deck.seal, sealed_ms=deck.sealed_ms, escrow_hash=hashed)
        return fate_leaf(
            named,
            deck.seal,
            fate=Fate(deck.fate or 0),
            reason=FateReason(deck.reason),
            ended_ms=deck.ended_ms,
            public=None,
            course=None,
        )
    except (ValueError, OverflowError):  # no fate, or numbers that no leaf has
        return b""


def _began_ms() -> int:
    """Return when the log began (UTC in ms): decks that were sealed since are in it."""
    genesis = storage.entries(0, 1)
    return int.from_bytes(genesis[0][-8:]) if genesis else 2**63 - 1


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

_UNPLAYED = """
SELECT l.index, l.kind, l.leaf, d.table_id, d.epoch, d.hand,
       d.seal, d.sealed_ms, d.escrow, d.fate, d.reason, d.ended_ms
  FROM fairlog_logleaf l LEFT JOIN tables_sealeddeck d ON d.id = l.deck_id
 WHERE l.kind IN (1, 2)
   AND (d.id IS NULL OR l.leaf IS NOT NULL AND d.fate IS DISTINCT FROM 1)
 ORDER BY l.id
"""

_LEAFLESS = """
SELECT d.table_id, d.epoch, d.hand, CASE WHEN s.id IS NULL THEN 1 ELSE 2 END
  FROM tables_sealeddeck d
  LEFT JOIN fairlog_logleaf s ON s.deck_id = d.id AND s.kind = 1
  LEFT JOIN fairlog_logleaf f ON f.deck_id = d.id AND f.kind = 2
 WHERE s.id IS NULL AND d.sealed_ms > %s
    OR s.id IS NOT NULL AND d.fate IS NOT NULL AND f.id IS NULL
 ORDER BY d.id
"""
