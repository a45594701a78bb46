"""Kind of notification that tells what a test wants."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.notifications import raising
from accounts.notifications.kinds import Notice, NotificationKind
from accounts.notifications.models import Way


class TestedKind:
    """Kind that tells every user who asks what `keys` names, until `lasts` is over."""

    __test__ = False

    def __init__(self) -> None:
        self.keys = ["a"]
        self.lasts = timedelta(hours=24)
        ways = (Way.PUSH, Way.MAIL)
        self.kind = NotificationKind("tested", "Tested", "", ways, 1, self._find)

    def _find(self, now: datetime, users: QuerySet[User]) -> Iterator[Notice]:
        for user in users.order_by("pk"):
            for key in self.keys:
                yield Notice(user.pk, key, self._words, "/tickets/", now + self.lasts)

    @staticmethod
    def _words() -> tuple[str, str]:
        return gettext("Your turn"), "text"

    def tell(self, now: datetime | None = None) -> int:
        """Raise what is new."""
        return raising.raise_kind(self.kind, now or timezone.now())
