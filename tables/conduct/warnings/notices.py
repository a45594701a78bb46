"""Notices of warnings: the event on the player's stream, and a kind of notifications."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from accounts.notifications.kinds import Notice, NotificationKind
from accounts.notifications.models import Way
from config.refusals import marked as _
from tables.conduct.models import ConductWarning
from tables.engine.events import Event
from tables.store import notices

TOLD_WITHIN = timedelta(days=7)
"""Age from which an unread warning is told on the room's pages alone."""


class PlayerWarned(Event, frozen=True, tag="warned"):
    """Staff have warned you for your conduct; your page of warnings says why."""

    warning: int


def send(warnings: list[ConductWarning]) -> None:
    """Tell players of their warnings; the last statement of the transaction."""
    notices.send({row.user_id: [PlayerWarned(row.pk)] for row in warnings})


def find_warnings(now: datetime, users: QuerySet[User]) -> Iterator[Notice]:
    """Yield the warnings that their players have not read."""
    fresh = ConductWarning.objects.filter(
        user__in=users, read_at=None, made_at__gt=now - TOLD_WITHIN
    )
    for row in fresh.order_by("pk"):
        yield Notice(
            user=row.user_id,
            key=str(row.pk),
            words=_words,
            link=reverse("warnings"),
            expires_at=row.made_at + TOLD_WITHIN,
        )


def _words() -> tuple[str, str]:
    return gettext("The room has warned you"), gettext("Read why, and what follows from it.")


WARNING = NotificationKind(
    name="warning",
    title=_("Warning of the room"),
    hint=_("when staff warn me for my conduct"),
    ways=(Way.PUSH, Way.MAIL),
    every_s=30,
    find=find_warnings,
    is_urgent=False,
)
