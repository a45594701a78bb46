"""Figures counted anew from the records of hands, compared with the stored ones."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

import msgspec
from django.db import connection, transaction
from django.db.models import Min

from accounts.models import User
from config.postgres.one_moment import one_moment
from tables.conduct.counting import (
    PAIR_NAMES,
    PLAYER_NAMES,
    ConductCount,
    DayKey,
    PairMonth,
    PlayerMonth,
    record_of,
    stored_figures,
    write,
)
from tables.conduct.models import PairConduct, PlayerConduct, PlayerDay, UncountedHand
from tables.conduct.rules.figures import PairFigures
from tables.dealt import rows
from tables.dealt.models import DealtDay
from tables.models import Hand
from tables.records import month_keys, stored
from tables.records.archive import ArchiveAway
from tables.records.month_keys import record_keys

READ_AT_ONCE = 500


class ConductDifference(NamedTuple):
    """Row of figures that is not the sum of its hands; None where there is none."""

    key: Any
    stored: Any
    recounted: Any


class RecountedHands(NamedTuple):
    """Numbers of hands that were counted anew, and of those passed over: damaged, or burnt."""

    counted: int
    passed_over: int


def differences() -> list[ConductDifference]:
    """Return every row that differs from the counted hands, in one snapshot of PostgreSQL.

    Hands of months before the oldest stored one are left out, but for their dealt cards: the
    figures of conduct were pruned. So are those of months whose record key was deleted. Raises
    NoMonthKey, ArchiveAway.
    """
    with one_moment():
        kept, counted = _stored(), _recounted()
    found: list[ConductDifference] = []
    for here, there in zip(kept, counted, strict=True):
        for key in sorted(here.keys() | there.keys()):
            if here.get(key) != there.get(key):
                found.append(ConductDifference(key, here.get(key), there.get(key)))
    return found


def rewrite() -> RecountedHands:
    """Replace all figures by those of the hands; return the numbers of hands.

    Hands that wait are counted too and wait no longer; nobody counts meanwhile. Figures of months
    whose record key was deleted stay. Raises NoMonthKey, and ArchiveAway, in which case nothing has
    changed.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE conduct_uncountedhand, conduct_playerconduct")
        UncountedHand.objects.all().delete()
        since, first_day = _oldest_month(), _first_day()
        for model in (PlayerConduct, PairConduct):
            model.objects.filter(month__gte=since).delete()
        for by_day in (PlayerDay, DealtDay):
            by_day.objects.filter(day__gte=first_day).delete()
        count, hands = _counted(since)
        write(count)
    return hands


def _stored() -> tuple[dict[Any, Any], ...]:
    since, first_day = _oldest_month(), _first_day()
    players = PlayerConduct.objects.filter(month__gte=since).values_list(
        "user_id", "month", *PLAYER_NAMES
    )
    pairs = PairConduct.objects.filter(month__gte=since).values_list(
        "first_id", "second_id", "month", *PAIR_NAMES
    )
    days = PlayerDay.objects.filter(day__gte=first_day).values_list("user_id", "day", "hours")
    return (
        {PlayerMonth(*row[:2]): stored_figures(row[2:]) for row in players.iterator()},
        {PairMonth(*row[:3]): PairFigures(*row[3:]) for row in pairs.iterator()},
        {DayKey(*row[:2]): row[2] for row in days.iterator()},
        dict(rows.all_rows(first_day)),
    )


def _recounted() -> tuple[dict[Any, Any], ...]:
    count, _ = _counted(_oldest_month())
    return count.players, count.pairs, count.days, count.dealt


def _oldest_month() -> int:
    """Return the first month, as 202611, of whose hands there are figures and keys."""
    oldest = PlayerConduct.objects.aggregate(oldest=Min("month"))["oldest"] or 0
    return max(oldest, _first_day().year * 100 + _first_day().month) if _is_burnt() else oldest


def _first_day() -> date:
    """Return the first day whose hands the record key opens; the first of all without boxes."""
    return month_keys.first_day(record_keys.first) if _is_burnt() else date.min


def _is_burnt() -> bool:
    """Return whether the key of the oldest hand that says its key was deleted."""
    rows = Hand.objects.order_by("pk").values_list("record", flat=True)
    for raw in rows.iterator(chunk_size=READ_AT_ONCE):
        try:
            names = stored.key_names(bytes(raw))
        except ArchiveAway:
            raise  # the oldest months may be those in it
        except msgspec.DecodeError:
            continue  # a damaged record says nothing of the months
        return names is not None and names[0] < record_keys.first
    return False


def _counted(since: int) -> tuple[ConductCount, RecountedHands]:
    deleted = set(User.objects.filter(deleted_at__isnull=False).values_list("pk", flat=True))
    count, hands, passed_over = ConductCount(since), 0, 0
    waiting = UncountedHand.objects.values("hand")
    counted = Hand.objects.exclude(pk__in=waiting).order_by("pk")
    for hand, raw in counted.values_list("pk", "record").iterator(chunk_size=READ_AT_ONCE):
        if (kept := record_of(hand, bytes(raw))) is not None:
            count.add(kept, without=deleted)
            hands += 1
        else:
            passed_over += 1
    return count, RecountedHands(hands, passed_over)
