"""Days of burnt months, merged so that no figure tells the cards of a hand that was burnt."""

from __future__ import annotations

from typing import NamedTuple

import structlog
from django.db import transaction

from config.sums import add_to
from tables.dealt import boxed
from tables.dealt.boxed import DealtBox, DealtKey, month_of_day
from tables.dealt.figures import DealtFigures
from tables.dealt.models import DealtDay
from tables.fairness.boxes import DamagedBox
from tables.records import month_keys
from tables.records.month_keys import Month, NoMonthKey

HANDS_MIN = 20
"""Least hands of a merged month: a sum of fewer tells too much of each, and is deleted."""

ROWS_AT_ONCE = 1_000

log = structlog.get_logger(__name__)


class MergedDays(NamedTuple):
    """Numbers of rows that were merged, that are left of them, and of those deleted unread."""

    rows: int
    left: int
    unread: int


def merge_before(kept_from: Month) -> MergedDays:
    """Merge the rows of each month before one, and box them under the key of that month.

    Run before the keys of these months are deleted: rows that no key opens are deleted, too.
    """
    sums: dict[DealtKey, DealtFigures] = {}
    read, unread = [], []
    with transaction.atomic():
        old = DealtDay.objects.select_for_update().filter(day__lt=month_keys.first_day(kept_from))
        for row in old.order_by("user_id", "day", "cards").iterator(ROWS_AT_ONCE):
            first = month_keys.first_day(month_of_day(row.day))
            at = DealtKey(row.user_id, row.day, row.cards)
            try:
                kept = DealtBox(row.month, bytes(row.key), bytes(row.box))
                own = boxed.open_figures(at, kept)
            except (NoMonthKey, DamagedBox) as problem:
                log.warning("figures of dealt cards deleted unread", why=str(problem), row=row.pk)
                unread.append(row.pk)
                continue
            read.append(row.pk)
            add_to(sums, DealtKey(row.user_id, first, row.cards), own)
        left = {at: own for at, own in sums.items() if own.hands >= HANDS_MIN}
        DealtDay.objects.filter(pk__in=[*read, *unread]).delete()
        DealtDay.objects.bulk_create(
            [_row(at, boxed.close_figures(at, own, kept_from)) for at, own in left.items()],
            batch_size=ROWS_AT_ONCE,
        )
    return MergedDays(len(read), len(left), len(unread))


def _row(at: DealtKey, kept: DealtBox) -> DealtDay:
    return DealtDay(
        user_id=at.user, day=at.day, cards=at.cards, month=kept.month, key=kept.key, box=kept.box
    )
