"""A player's choices: kinds by way, quiet hours, time zone and language."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, time
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.notifications.kinds import NoSuchKind, kind_named
from accounts.notifications.models import (
    NotificationChoice,
    NotificationDelivery,
    NotificationSettings,
    Way,
)
from accounts.notifications.quiet_hours import audible_from

Choice = tuple[str, str]
"""Name of a kind, and a way."""


def choices_of(user: User) -> set[Choice]:
    """Return the kinds and ways that are on."""
    return set(NotificationChoice.objects.filter(user=user).values_list("kind", "way"))


def settings_of(user: User) -> NotificationSettings:
    """Return a player's settings, unsaved defaults for a player without."""
    row = NotificationSettings.objects.filter(user=user).first()
    return row or NotificationSettings(user=user, language=user.language or "en")


def keep_language(user: User, language: str) -> None:
    """Store the language in which a player turned a device on, unless one is stored."""
    NotificationSettings.objects.get_or_create(user=user, defaults={"language": language})


def has_zone(row: NotificationSettings) -> bool:
    """Return whether a time zone was chosen: that of quiet hours, or another one than UTC."""
    return row.quiet_from is not None or row.time_zone != NotificationSettings().time_zone


def save_choices(user: User, wanted: Collection[Choice]) -> None:
    """Turn on exactly these kinds and ways; what waits for one that is turned off is not sent.

    Raises NoSuchKind, then nothing has changed.
    """
    for name, way in wanted:
        if way not in kind_named(name).ways:
            raise NoSuchKind
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        before = choices_of(user)
        for name, way in before - set(wanted):
            NotificationChoice.objects.filter(user=user, kind=name, way=way).delete()
            _drop_waiting(user, name, way)
        NotificationChoice.objects.bulk_create(
            NotificationChoice(user=user, kind=name, way=way)
            for name, way in sorted(set(wanted) - before)
        )


def save_settings(
    user: User, *, time_zone: str, quiet_from: time | None, quiet_until: time | None, language: str
) -> None:
    """Store quiet hours, their time zone, and the language of the notifications.

    What the quiet hours of before held back is told when the new ones allow it.
    """
    ZoneInfo(time_zone)  # a form offers known names; another one is a bug
    with transaction.atomic():
        # What is raised at the same moment waits for this, or is held by the hours of before.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        now = timezone.now()
        held_until = audible_time(settings_of(user), now)
        row, _made = NotificationSettings.objects.update_or_create(
            user=user,
            defaults={
                "time_zone": time_zone,
                "quiet_from": quiet_from,
                "quiet_until": quiet_until,
                "language": language,
            },
        )
        held = NotificationDelivery.objects.filter(
            user=user, state=NotificationDelivery.State.WAITING, due_at=held_until
        )
        held.update(due_at=audible_time(row, now))


def audible_time(row: NotificationSettings, now: datetime) -> datetime:
    """Return the moment from which a player may be told something."""
    return audible_from(now, ZoneInfo(row.time_zone), row.quiet_from, row.quiet_until)


def _drop_waiting(user: User, kind: str, way: str) -> None:
    """Delete the deliveries of a kind by one way that quiet hours or the pause of mail hold."""
    NotificationDelivery.objects.filter(
        user=user,
        notification__kind=kind,
        endpoint__isnull=way == Way.MAIL,
        state=NotificationDelivery.State.WAITING,
    ).delete()


assert set(Way.values) == {"push", "mail"}
