"""Mail of notifications: all that wait for a player in one mail, at most one an hour."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from accounts.mail import outgoing
from accounts.models import User
from accounts.notifications import faults
from accounts.notifications.models import NotificationDelivery, NotificationSettings
from accounts.notifications.preferences import audible_time, settings_of

PAUSE = timedelta(hours=1)
"""Least time between two mails to a player."""
IN_ONE_MAX = 50

_State = NotificationDelivery.State


def mail_due(now: datetime) -> int:
    """Queue the mails that are due; return their number."""
    waiting = NotificationDelivery.objects.filter(
        state=_State.WAITING, due_at__lte=now, endpoint=None
    )
    users = list(waiting.order_by("user").values_list("user", flat=True).distinct())
    mailed = 0
    for user in users:
        with faults.of_one_player(user):
            mailed += _mail_user(user, now)
    return mailed


def _mail_user(pk: int, now: datetime) -> bool:
    with transaction.atomic():
        # The lock lets one process mail at a time, and waits for the deletion of an account.
        user = User.objects.select_for_update(no_key=True).get(pk=pk)
        row = settings_of(user)
        if row.mailed_at is not None and now < row.mailed_at + PAUSE:
            return False
        if audible_time(row, now) > now:
            return False
        own = NotificationDelivery.objects.filter(user=pk, state=_State.WAITING, endpoint=None)
        own.filter(notification__expires_at__lte=now).update(
            state=_State.DEAD, error="expired before it was sent"
        )
        due = list(own.select_related("notification").order_by("pk")[:IN_ONE_MAX])
        address = outgoing.primary_address(pk)
        if not (due and address and outgoing.is_on()):
            own.update(state=_State.DEAD, error="no mail address")
            return False
        with override(row.language):
            subject, body = _words(user, due)
        outgoing.queue(address, subject, body)
        own.filter(pk__in=[one.pk for one in due]).update(state=_State.SENT)
        NotificationSettings.objects.update_or_create(user=user, defaults={"mailed_at": now})
        return True


def _words(user: User, due: list[NotificationDelivery]) -> tuple[str, str]:
    subject = ngettext("%(count)s notification", "%(count)s notifications", len(due))
    parts = [gettext("Hello %(name)s,") % {"name": user.name}]
    for one in due:
        notice = one.notification
        lines = (notice.title, notice.text, settings.PUBLIC_URL + notice.link)
        parts.append("\n".join(filter(None, lines)))
    page = settings.PUBLIC_URL + reverse("notifications")
    parts.append(gettext("You choose what is told, and how: %(page)s") % {"page": page})
    return subject % {"count": len(due)}, "\n\n".join(parts)
