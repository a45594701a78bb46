"""Counting of dealt cards: by day from records, and added to the stored rows."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import structlog
from django.db import connection

from config.sums import add_to
from tables.dealer.record import HandRecord
from tables.dealt import boxed
from tables.dealt.boxed import DealtBox, DealtKey
from tables.dealt.figures import DealtFigures, dealt_figures
from tables.fairness.boxes import DamagedBox
from tables.records.month_keys import Month

log = structlog.get_logger(__name__)


def count_dealt(
    days: dict[DealtKey, DealtFigures], hand: HandRecord, without: Iterable[int] = ()
) -> None:
    """Add a hand to figures by their keys; users in `without` have none any more."""
    day = datetime.fromtimestamp(hand.ended_ms / 1_000, UTC).date()
    gone = set(without)
    for (user, cards), own in dealt_figures(hand).items():
        if user not in gone:
            add_to(days, DealtKey(user, day, cards), own)


def write(days: dict[DealtKey, DealtFigures]) -> None:
    """Add figures to the rows of their keys, in the order of the keys; in a transaction.

    One process counts at a time, so that no row is new to two of them. Raises NoMonthKey.
    """
    if not days:
        return
    keys, sums = sorted(days), dict(days)
    months: dict[DealtKey, Month] = {}
    with connection.cursor() as cursor:
        cursor.execute(_KEPT, [list(column) for column in zip(*keys, strict=True)])
        for user, day, cards, month, key, box in cursor.fetchall():
            at = DealtKey(user, day, cards)
            before = _before(at, DealtBox(month, bytes(key), bytes(box)))
            if before is not None:
                add_to(sums, at, before)
                # Days merged at a burning stay under the later key that they got there.
                months[at] = month
        boxes = {at: boxed.close_figures(at, sums[at], months.get(at, 0)) for at in keys}
        cursor.executemany(_WRITE, [(*at, *box) for at, box in boxes.items()])


def _before(at: DealtKey, kept: DealtBox) -> DealtFigures | None:
    """Return the figures of a row, None for a changed one, which must not stop the count of all."""
    try:
        return boxed.open_figures(at, kept)
    except DamagedBox:
        log.error("figures of dealt cards were changed and begin anew", user=at.user, day=at.day)
        return None


_KEPT = """
SELECT d.user_id, d.day, d.cards, d.month, d.key, d.box
  FROM dealt_dealtday d
  JOIN unnest(%s::bigint[], %s::date[], %s::int[]) AS k(user_id, day, cards)
    ON (k.user_id, k.day, k.cards) = (d.user_id, d.day, d.cards)
 ORDER BY d.user_id, d.day, d.cards
   FOR UPDATE OF d
"""

_WRITE = """
INSERT INTO dealt_dealtday (user_id, day, cards, month, key, box) VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (user_id, day, cards)
    DO UPDATE SET month = excluded.month, key = excluded.key, box = excluded.box
"""
