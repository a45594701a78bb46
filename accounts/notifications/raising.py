"""Raising of notifications: each fact once for each player, bounded, and put on its ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from accounts.models import User
from accounts.notifications import faults
from accounts.notifications.kinds import Notice, NotificationKind, asking_users
from accounts.notifications.models import (
    Notification,
    NotificationChoice,
    NotificationDelivery,
    NotificationSettings,
    PushEndpoint,
    Way,
)
from accounts.notifications.preferences import audible_time, settings_of
from config import entropy, limits
from config.door.rates import Rate

RAISED = Rate("notifications", limits.NOTICES_BURST, limits.NOTICES_PER_MINUTE)
"""Notifications of one player; what is beyond waits for a later look, or expires."""

TRIAL, TRIAL_LASTS = "trial", timedelta(minutes=10)


def raise_kind(kind: NotificationKind, now: datetime) -> int:
    """Raise what a kind finds at a moment; return the number of new notifications."""
    notices = [one for one in kind.find(now, asking_users(kind)) if one.expires_at > now]
    fresh = _without_known(kind, notices)
    raised = 0
    for notice in fresh:
        with faults.of_one_player(notice.user):
            raised += _raise_notice(kind, notice, now)
    return raised


def raise_trial(user: User) -> bool:
    """Send a notification to all devices of a user at once; False above the rate."""
    if RAISED.take(str(user.pk)):
        return False
    now = timezone.now()
    with override(settings_of(user).language):
        title, text = gettext("It works"), gettext("Notifications of the poker room arrive here.")
    with transaction.atomic():
        trial = Notification.objects.create(
            user=user,
            kind=TRIAL,
            key=entropy.name(),
            title=title,
            text=text,
            link=reverse("notifications"),
            expires_at=now + TRIAL_LASTS,
        )
        NotificationDelivery.objects.bulk_create(
            NotificationDelivery(notification=trial, user=user, endpoint=endpoint)
            for endpoint in PushEndpoint.objects.filter(user=user)
        )
    return True


def _without_known(kind: NotificationKind, notices: list[Notice]) -> Iterable[Notice]:
    rows = Notification.objects.filter(
        kind=kind.name, user__in={one.user for one in notices}, key__in={one.key for one in notices}
    )
    known: dict[int, set[str]] = defaultdict(set)
    for user, key in rows.values_list("user_id", "key"):
        known[user].add(key)
    return [one for one in notices if one.key not in known[one.user]]


def _raise_notice(kind: NotificationKind, notice: Notice, now: datetime) -> bool:
    """Store a notification with its deliveries in one transaction; False for a known one."""
    if RAISED.take(str(notice.user)):
        return False
    with transaction.atomic():
        # An account being deleted is waited for: nothing is raised for it afterwards.
        user = User.objects.select_for_update(no_key=True).get(pk=notice.user)
        if not user.is_active:
            return False
        row = settings_of(user)
        with override(row.language):
            title, text = notice.words()
        found, is_new = Notification.objects.get_or_create(
            user=user,
            kind=kind.name,
            key=notice.key,
            defaults={
                "title": title[:200],
                "text": text[:300],
                "link": notice.link,
                "expires_at": notice.expires_at,
            },
        )
        if is_new:
            NotificationDelivery.objects.bulk_create(_deliveries(kind, found, row, now))
    return is_new


def _deliveries(
    kind: NotificationKind, found: Notification, row: NotificationSettings, now: datetime
) -> Iterable[NotificationDelivery]:
    """Yield the deliveries of a notification; one that quiet hours outlast has none."""
    due_at = audible_time(row, now)
    if due_at >= found.expires_at:
        return
    chosen = NotificationChoice.objects.filter(user=found.user_id, kind=kind.name)
    for way in chosen.values_list("way", flat=True):
        if way == Way.PUSH:
            for endpoint in PushEndpoint.objects.filter(user=found.user_id):
                yield NotificationDelivery(
                    notification=found, user_id=found.user_id, endpoint=endpoint, due_at=due_at
                )
        elif way in kind.ways:
            yield NotificationDelivery(notification=found, user_id=found.user_id, due_at=due_at)
