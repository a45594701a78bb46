"""Own limits of a player: entries in 24 hours, buy-ins in 7 days, exclusion until a time.

A lower limit acts at once, a higher one a day later; an exclusion is never shortened.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import Q, Sum
from django.utils import timezone

from accounts.models import Account, AccountKind, OwnLimit, Posting, User
from accounts.refusals import (
    AccountDeleted,
    Excluded,
    ExclusionRefused,
    OwnEntriesReached,
    OwnMoneyReached,
)
from config import limits
from config.postgres.statements import ANY_KEY, BuiltOnce

DAY, WEEK = timedelta(days=1), timedelta(days=7)
RAISED_AFTER = DAY
FIELDS = ("entries_a_day", "money_a_week")
_LOCKED = BuiltOnce(
    lambda pk: (
        User.objects.select_for_update(of=("self",), no_key=True)
        .select_related("own_limit")
        .filter(pk=pk)
    ),
    ANY_KEY,
)
BUY_IN_KINDS = ("registration", "rebuy", "add_on", "ring_buy_in", "refund")
"""Kinds of transfers that count as buy-ins; a refund takes its price off again."""
_SURPLUS = Q(transfer__kind="registration", amount__gt=0)

Accepted = Callable[[User], int]
"""User -> minor units of purchases that were accepted and are booked later."""

Foreign = Callable[[User, datetime], int]
"""(user, time) -> minor units of refunds since that time for what the player had not bought."""

_accepted: list[Accepted] = []
_foreign: list[Foreign] = []


def register(accepted: Accepted, foreign: Foreign) -> None:
    """Register what an app accepts before it is booked, and refunds that take no buy-in off."""
    _accepted.append(accepted)
    _foreign.append(foreign)


def check_purchase(
    user: User, cost: int, entries_since: Callable[[datetime], int] | None = None
) -> None:
    """Refuse a purchase beyond the own limits of a player, before any write of the transaction.

    `cost` in minor units; `entries_since` counts the entries of a player since a time, and is
    given for purchases that are entries. The user stays locked, so that purchases at once add up
    and the deletion of the account waits. Raises AccountDeleted, Excluded, OwnEntriesReached or
    OwnMoneyReached.
    """
    assert transaction.get_connection().in_atomic_block
    [locked] = _LOCKED.rows(user.pk)
    if locked.deleted_at is not None:
        raise AccountDeleted
    row = getattr(locked, "own_limit", None)
    if row is None:
        return
    now = timezone.now()
    _apply_wanted(row, now)
    if row.excluded_until is not None and row.excluded_until > now:
        raise Excluded(until=_day(row.excluded_until))
    if entries_since is not None and row.entries_a_day is not None:
        made = entries_since(now - DAY)
        if made >= row.entries_a_day:
            raise OwnEntriesReached(most=row.entries_a_day, made=made)
    if cost and row.money_a_week is not None:
        spent = _bound_in_week(user)
        if spent + cost > row.money_a_week:
            raise OwnMoneyReached(price=cost, most=row.money_a_week, spent=spent)


def left_to_buy(users: Collection[int]) -> dict[int, int | None]:
    """Return what players with an own limit may still spend now, in minor units, by user; None for
    one who is buying something at this moment.

    The users stay locked, so that purchases at once add up. No lock is waited for: a purchase locks
    its user before the rows that the caller has locked already.
    """
    assert transaction.get_connection().in_atomic_block
    now, left = timezone.now(), dict[int, int | None]()
    rows = OwnLimit.objects.filter(user__in=users).select_related("user")
    limited = User.objects.filter(own_limit__user__in=users).order_by("pk")
    free = limited.select_for_update(of=("self",), no_key=True, skip_locked=True)
    locked = set(free.values_list("pk", flat=True))
    for row in rows:
        _apply_wanted(row, now)
        if row.user_id not in locked:
            left[row.user_id] = None
        elif row.excluded_until is not None and row.excluded_until > now:
            left[row.user_id] = 0
        elif row.money_a_week is not None:
            left[row.user_id] = max(0, row.money_a_week - _bound_in_week(row.user))
    return left


def spent_in_week(user: User) -> int:
    """Return the buy-ins of the last 7 days less refunds, money and bonus, in minor units.

    A ticket that comes back as money was no buy-in, and takes none off.
    """
    since = timezone.now() - WEEK
    own = Account.objects.filter(user=user, kind__in=(AccountKind.PLAYER, AccountKind.BONUS))
    spent = sum(_spent_since(one, since) for one in own.values_list("pk", flat=True))
    return max(0, spent + sum(foreign(user, since) for foreign in _foreign))


def _spent_since(account: int, since: datetime) -> int:
    """Return the buy-ins of an account less refunds since a time.

    The last movement before that time is looked for from the newest one back, and the sum begins
    after it: a purchase waits for this, and movements of years are not read for one of a week. What
    a ticket is worth above the price is booked with its entry, and is no purchase.
    """
    rows = Posting.objects.filter(account=account)
    earlier = rows.filter(transfer__created__lt=since).order_by("-pk")
    last = earlier.values_list("pk", flat=True).first() or 0
    lately = rows.filter(pk__gt=last, transfer__created__gte=since)
    bought = lately.filter(transfer__kind__in=BUY_IN_KINDS).exclude(_SURPLUS)
    return -(bought.aggregate(sum=Sum("amount"))["sum"] or 0)


def _bound_in_week(user: User) -> int:
    """Return the buy-ins of the last 7 days and those that are accepted, in minor units.

    One that is booked between the two reads counts twice rather than never.
    """
    coming = sum(accepted(user) for accepted in _accepted)
    return coming + spent_in_week(user)


def present(user: User) -> OwnLimit:
    """Return the limits of a player as they act now, unsaved; an exclusion that is over is none."""
    now = timezone.now()
    row = OwnLimit.objects.filter(user=user).first() or OwnLimit(user=user)
    _apply_wanted(row, now)
    if row.excluded_until is not None and row.excluded_until <= now:
        row.excluded_until = None
    return row


def change(user: User, *, entries_a_day: int | None, money_a_week: int | None) -> OwnLimit:
    """Set the limits: a lower one at once, a higher one or none in 24 hours; return the row."""
    now = timezone.now()
    with transaction.atomic():
        row = _locked(user, now)
        given = {"entries_a_day": entries_a_day, "money_a_week": money_a_week}
        raised, waiting = dict[str, int | None](), times_of_wanted(row)
        for field, value in given.items():
            former = getattr(row, field)
            if former is None or (value is not None and value <= former):
                setattr(row, field, value)
            else:
                raised[field] = value
        # A raise that waits begins no later for another one that is asked for meanwhile.
        later = now + RAISED_AFTER
        begins = {
            field: waiting[field] if field in waiting and row.wanted[field] == value else later
            for field, value in raised.items()
        }
        _set_wanted(row, raised, begins)
        row.save()
        words = f"own limits: {given}, in 24 hours: {sorted(raised)}"
        LogEntry.objects.log_actions(user.pk, [user], CHANGE, words, single_object=True)
    return row


def times_of_wanted(row: OwnLimit) -> dict[str, datetime]:
    """Return when each raised limit begins, by field.

    A process of the release before writes `wanted_at` alone, which is the latest time here.
    """
    times = {field: datetime.fromisoformat(at) for field, at in row.wanted_times.items()}
    if times.keys() == row.wanted.keys() and max(times.values(), default=None) == row.wanted_at:
        return times
    return {} if row.wanted_at is None else dict.fromkeys(row.wanted, row.wanted_at)


def exclude(user: User, days: int) -> OwnLimit:
    """Exclude a player from every purchase for so many days; raises ExclusionRefused."""
    now = timezone.now()
    until = now + timedelta(days=max(0, min(days, limits.EXCLUSION_DAYS_MAX)))
    with transaction.atomic():
        row = _locked(user, now)
        is_shorter = row.excluded_until is not None and until < row.excluded_until
        if not 1 <= days <= limits.EXCLUSION_DAYS_MAX or is_shorter:
            raise ExclusionRefused(most=limits.EXCLUSION_DAYS_MAX)
        row.excluded_until = until
        row.save()
        words = f"own exclusion until {_day(until)}"
        LogEntry.objects.log_actions(user.pk, [user], CHANGE, words, single_object=True)
    return row


def _locked(user: User, now: datetime) -> OwnLimit:
    OwnLimit.objects.get_or_create(user=user)
    row = OwnLimit.objects.select_for_update().get(user=user)
    _apply_wanted(row, now)
    return row


def _apply_wanted(row: OwnLimit, now: datetime) -> None:
    """Replace limits of an unsaved row by raised ones that are due."""
    times = times_of_wanted(row)
    for field, at in times.items():
        if at <= now:
            setattr(row, field, row.wanted[field])
    later = {field: at for field, at in times.items() if at > now}
    if later != times:
        _set_wanted(row, {field: row.wanted[field] for field in later}, later)


def _set_wanted(row: OwnLimit, wanted: dict[str, int | None], times: dict[str, datetime]) -> None:
    row.wanted, row.wanted_at = wanted, max(times.values(), default=None)
    row.wanted_times = {field: at.isoformat() for field, at in times.items()}


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
