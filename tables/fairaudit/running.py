"""One audit over the finished hands of a database, in one snapshot that is only read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, NamedTuple

from django.db import connection

from config.postgres.one_moment import one_moment
from tables.dealer.record import HandRecord
from tables.dealer.seen_record import SeenRecord
from tables.fairaudit.findings import FairDifference, Finding
from tables.fairaudit.hands import KeptDeck, KeptHand, RoomNames, decoded, judge_hand
from tables.fairaudit.logs import judge_decks, judge_head, judge_leaves
from tables.fairness.cutting import CutState

READ_AT_ONCE = 500

PlayAgain = Callable[[HandRecord], str | None]
"""Play a hand in the second engine; return the name of a known difference, or None.

Raises AssertionError for a difference without a name.
"""


class AuditResult(NamedTuple):
    """Outcome of an audit: counts of what was looked at, named differences, and findings."""

    counts: Counter[str]
    named: Counter[str]
    findings: list[Finding]

    def as_json(self) -> dict[str, Any]:
        """Return the report for a file."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "second_engine": dict(self.named.most_common()),
            "differences": dict(Counter(str(one.kind) for one in self.findings).most_common()),
            "findings": [one._asdict() | {"sentence": one.kind.sentence} for one in self.findings],
        }


def run(
    names: RoomNames,
    log_keys: list[bytes],
    *,
    day: date | None = None,
    play_again: PlayAgain | None = None,
) -> AuditResult:
    """Audit all hands, or those that finished on a UTC day, and the whole log."""
    found = AuditResult(Counter(), Counter(), [])
    with one_moment():
        found.findings.extend(judge_head(names.origin, log_keys))
        found.findings.extend(judge_leaves(names.origin))
        found.findings.extend(judge_decks(names.origin, names.auditor))
        _count_decks(found.counts)
        sealing: set[int] = set()
        for hand in _hands(day):
            _judge(found, hand, names, sealing, play_again)
    return found


def _judge(
    found: AuditResult,
    hand: KeptHand,
    names: RoomNames,
    sealing: set[int],
    play_again: PlayAgain | None,
) -> None:
    at = (hand.table, hand.epoch, hand.number)
    found.counts["hands"] += 1
    kept = decoded(hand, names.auditor)
    if kept is None:
        found.findings.append(Finding(FairDifference.UNREADABLE, *at))
        return
    if kept.called is not None:
        found.counts["sealed"] += 1
        states = [row.state for row in kept.called.roster()]
        found.counts["cut"] += CutState.OPENED in states
        found.counts["logged"] += hand.fate_leaf is not None
        sealing.add(hand.table)
    elif hand.table in sealing:
        found.findings.append(Finding(FairDifference.UNSEALED, *at))
    for kind, detail in judge_hand(hand, kept, names):
        found.findings.append(Finding(kind, *at, detail))
    if isinstance(kept, SeenRecord):
        found.counts["burnt"] += 1
        return
    if play_again is None:
        return
    try:
        reason = play_again(kept)
    except Exception as error:  # pokerkit refuses a hand by errors of many kinds
        detail = str(error).partition("\n")[0] or type(error).__name__
        found.findings.append(Finding(FairDifference.ENGINES, *at, detail))
        return
    if reason is None:
        found.counts["equal_in_second_engine"] += 1
    else:
        found.named[reason] += 1


def _count_decks(counts: Counter[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT fate, count(*) FROM tables_sealeddeck GROUP BY fate")
        for fate, count in cursor.fetchall():
            counts["decks_open" if fate is None else f"decks_of_fate_{fate}"] = count


def _hands(day: date | None) -> Iterator[KeptHand]:
    last = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_HANDS, {"last": last, "day": day, "most": READ_AT_ONCE})
            rows = cursor.fetchall()
        for pk, table, number, epoch, digest, raw, seal, *deck, escrow, leaf, fate_leaf in rows:
            last = pk
            kept = None if seal is None else KeptDeck(bytes(seal), *deck)
            if kept is not None and escrow is not None:
                kept = kept._replace(escrow=bytes(escrow))
            leaves = [leaf and bytes(leaf) for leaf in (leaf, fate_leaf)]
            yield KeptHand(table, number, epoch, digest, bytes(raw), kept, *leaves)
        if not rows:
            return


_HANDS = """
SELECT h.id, h.table_id, h.number, h.epoch, h.digest, h.record,
       d.seal, d.sealed_ms, d.fate, d.reason, d.ended_ms, d.escrow, s.leaf, f.leaf
  FROM tables_hand h
  LEFT JOIN tables_sealeddeck d
    ON d.table_id = h.table_id AND d.hand = h.number AND d.fate = 1
  LEFT JOIN fairlog_logleaf s ON s.deck_id = d.id AND s.kind = 1
  LEFT JOIN fairlog_logleaf f ON f.deck_id = d.id AND f.kind = 2
 WHERE h.id > %(last)s
   AND (%(day)s::date IS NULL
        OR (h.finished_at AT TIME ZONE 'UTC')::date = %(day)s)
 ORDER BY h.id
 LIMIT %(most)s
"""
