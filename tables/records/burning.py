"""Burning of finished hands by month: their keys are deleted, so that folded cards are gone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

import structlog

from config import clock
from tables.models import Hand
from tables.records import month_keys
from tables.records.month_keys import Month, MonthKeys, own_keys, record_keys

log = structlog.get_logger(__name__)


class BurntMonths(NamedTuple):
    """Months whose keys are to go, and the number of hands until the end of the last one."""

    months: list[Month]
    hands: int


def due(older_days: int) -> BurntMonths:
    """Return the months that ended more than so many days ago, as far as a key is there.

    Raises KeyFileMissing.
    """
    first_kept = kept_from(older_days)
    months = sorted(
        {month for keys in (record_keys, own_keys) for month in _months(keys, first_kept)}
    )
    first = datetime(first_kept // 12, first_kept % 12 + 1, 1, tzinfo=UTC)
    return BurntMonths(months, Hand.objects.filter(finished_at__lt=first).count())


def burn(older_days: int) -> None:
    """Delete the keys of these months from both files; raises KeyFileMissing, OSError.

    Processes that run forget them within seconds of their next look at a hand.
    """
    first_kept = kept_from(older_days)
    for keys in (own_keys, record_keys):
        months = [month_keys.text_of(month) for month in _months(keys, first_kept)]
        if month_keys.burn(keys.path(), keys.name, first_kept):
            log.warning("record keys burnt", key=keys.name, months=months)


def kept_from(older_days: int) -> Month:
    """Return the first month whose keys stay when those older than so many days go."""
    return month_keys.first_kept(clock.now_ms(), older_days)


def _months(keys: MonthKeys, kept_from: Month) -> list[Month]:
    return month_keys.months_before(keys.path(), keys.name, kept_from)
