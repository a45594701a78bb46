"""Days of burnt months, merged so that no figure tells the cards of a hand that was burnt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import structlog
from django.db import transaction

from config.environment import KeyFileMissing
from config.sums import add_to
from tables.dealt import boxed
from tables.dealt.boxed import DealtBox, DealtKey, month_of_day
from tables.dealt.figures import DealtFigures
from tables.dealt.models import DealtDay
from tables.fairness.boxes import DamagedBox
from tables.records import month_keys
from tables.records.month_keys import BurntMonth, Month, NoMonthKey, own_keys

HANDS_MIN = 20
"""Least hands of a merged month: a sum of fewer tells too much of each, and is deleted."""

ROWS_AT_ONCE = 1_000
"""Rows in memory, and as many more as one user has: a room keeps the months of all its years."""

log = structlog.get_logger(__name__)


class MergedDays(NamedTuple):
    """Numbers of rows that were merged, that are left of them, and of those deleted unread."""

    rows: int
    left: int
    unread: int


def merge_before(kept_from: Month) -> MergedDays:
    """Merge the rows of each month before one, and box them under the key of that month.

    Run before the keys of these months are deleted: rows that no key opens are deleted, too. Raises
    KeyFileMissing, changing nothing, where most rows have other keys than those here.
    """
    found: list[MergedDays] = []
    foreign = 0
    with transaction.atomic():
        old = DealtDay.objects.select_for_update().filter(day__lt=month_keys.first_day(kept_from))
        ordered = old.order_by("user_id", "day", "cards").iterator(ROWS_AT_ONCE)
        for some in _whole_users(ordered):
            opened = _opened(some)
            foreign += opened.foreign
            found.append(_merge(some, opened, kept_from))
        merged = MergedDays(*map(sum, zip(*found, strict=True))) if found else MergedDays(0, 0, 0)
        if foreign > merged.rows:
            raise KeyFileMissing(
                f"The {own_keys.name} here opens {merged.rows} days of dealt cards, and {foreign}"
                f" have other keys: put the right file at {own_keys.path()}."
            )
    return merged


class _OpenedDays(NamedTuple):
    """Sums of rows by month, and the numbers of rows that were not read, and of other keys."""

    sums: dict[DealtKey, DealtFigures]
    unread: int
    foreign: int


def _whole_users(rows: Iterable[DealtDay]) -> Iterator[list[DealtDay]]:
    """Yield rows in their order, all those of a user together, not many more at once than set."""
    some: list[DealtDay] = []
    for _user, own in groupby(rows, key=attrgetter("user_id")):
        some += own
        if len(some) >= ROWS_AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def _opened(rows: Iterable[DealtDay]) -> _OpenedDays:
    sums: dict[DealtKey, DealtFigures] = {}
    unread = foreign = 0
    for row in rows:
        first = month_keys.first_day(month_of_day(row.day))
        at = DealtKey(row.user_id, row.day, row.cards)
        try:
            own = boxed.open_figures(at, DealtBox(row.month, bytes(row.key), bytes(row.box)))
        except (NoMonthKey, DamagedBox) as problem:
            log.warning("figures of dealt cards deleted unread", why=str(problem), row=row.pk)
            unread += 1
            foreign += isinstance(problem, NoMonthKey) and not isinstance(problem, BurntMonth)
            continue
        add_to(sums, DealtKey(row.user_id, first, row.cards), own)
    return _OpenedDays(sums, unread, foreign)


def _merge(rows: Collection[DealtDay], opened: _OpenedDays, kept_from: Month) -> MergedDays:
    """Put the sums of whole users in the place of their rows."""
    left = {at: own for at, own in opened.sums.items() if own.hands >= HANDS_MIN}
    DealtDay.objects.filter(pk__in=[row.pk for row in rows]).delete()
    DealtDay.objects.bulk_create(
        [_row(at, boxed.close_figures(at, own, kept_from)) for at, own in left.items()],
        batch_size=ROWS_AT_ONCE,
    )
    return MergedDays(len(rows) - opened.unread, len(left), opened.unread)


def _row(at: DealtKey, kept: DealtBox) -> DealtDay:
    return DealtDay(
        user_id=at.user, day=at.day, cards=at.cards, month=kept.month, key=kept.key, box=kept.box
    )
