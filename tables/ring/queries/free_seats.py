"""Notification of a free seat to players on a waiting list."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from accounts.notifications.kinds import Notice, NotificationKind
from accounts.notifications.models import Way
from config.refusals import marked as _
from tables.ring.models import WaitingPlayer


def find_free_seats(now: datetime, users: QuerySet[User]) -> Iterator[Notice]:
    """Yield the seats that are kept for players of a waiting list."""
    rows = WaitingPlayer.objects.filter(user__in=users, offered_until__gt=now)
    for row in rows.select_related("game", "offered_table"):
        yield _notice(row)


def _notice(row: WaitingPlayer) -> Notice:
    assert row.offered_until is not None and row.offered_table is not None
    facts = {"name": row.game.name, "number": row.offered_table.number}

    def words() -> tuple[str, str]:
        text = gettext("%(name)s, table %(number)s: take it before it goes to the next player.")
        return gettext("A seat is free for you"), text % facts

    return Notice(
        user=row.user_id,
        key=f"{row.pk}:{row.offered_table_id}:{row.offered_seat}",
        words=words,
        link=reverse("ring", args=[row.game_id]),
        expires_at=row.offered_until,
    )


SEAT_OPEN = NotificationKind(
    name="seat",
    title=_("Seat open"),
    hint=_("at a ring game for which I wait"),
    ways=(Way.PUSH,),
    every_s=2,
    find=find_free_seats,
)
