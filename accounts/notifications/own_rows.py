"""Rows of notifications as parts of an account: exported, deleted, ended with a session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.signals import post_delete

from accounts.models import User
from accounts.notifications.models import (
    Notification,
    NotificationChoice,
    NotificationSettings,
    PushEndpoint,
    RemovedDevice,
)
from config import limits


def erase(user: User) -> None:
    """Delete everything about a user's notifications, deliveries on their way included."""
    about = (Notification, PushEndpoint, RemovedDevice, NotificationChoice, NotificationSettings)
    for kind in about:
        kind._default_manager.filter(user=user).delete()


def follow_sessions() -> None:
    """Let the endpoints of a session end with it."""
    post_delete.connect(_session_ended, sender=Session, dispatch_uid="push-endpoints")


@contextmanager
def followed_session(session: SessionBase) -> Iterator[None]:
    """Keep the endpoints of a session that gets another key in the block."""
    with transaction.atomic():
        own = PushEndpoint.objects.filter(session=session.session_key)
        kept = list(own.values_list("pk", flat=True))
        own.update(session="")
        yield
        PushEndpoint.objects.filter(pk__in=kept).update(session=session.session_key)


def exported_choices(user: User) -> Iterable[Mapping[str, Any]]:
    """Return the kinds and ways that a user chose."""
    return NotificationChoice.objects.filter(user=user).values("kind", "way")


def exported_settings(user: User) -> Iterable[Mapping[str, Any]]:
    """Return a user's quiet hours, time zone and language."""
    columns = ("time_zone", "quiet_from", "quiet_until", "language")
    rows: Iterable[Mapping[str, Any]] = NotificationSettings.objects.filter(user=user).values(
        *columns
    )
    return rows


def exported_devices(user: User) -> Iterable[Mapping[str, Any]]:
    """Return a user's devices without their secrets."""
    return PushEndpoint.objects.filter(user=user).values("device", "address", "made_at")


def exported_notifications(user: User) -> Iterable[Mapping[str, Any]]:
    """Return what a user was told lately, newest first."""
    rows = Notification.objects.filter(user=user).order_by("-pk")
    return rows.values("made_at", "kind", "title", "text")[: limits.EXPORTED_ROWS_MAX]


def _session_ended(instance: Session, **_: Any) -> None:
    PushEndpoint.objects.filter(session=instance.pk).delete()
