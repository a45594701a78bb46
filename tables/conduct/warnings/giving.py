"""Warnings of players: made with the decision of a case, told, and read once."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.conduct.models import ConductCase, ConductWarning
from tables.conduct.refusals import NoSuchWarning
from tables.conduct.warnings import notices

_UNREAD = BuiltOnce(
    lambda user: ConductWarning.objects.filter(user=user, read_at=None).values_list("pk")[:1],
    ANY_KEY,
)


def warn(case: ConductCase, by: User, players: Sequence[User], words: str) -> None:
    """Warn players of a case, except deleted accounts; the last step of the decision's transaction.

    `words` are read by the players, with a sentence for the sign; they never see the reason.
    """
    keys = [player.pk for player in players]
    # Locked, so that an account is not deleted meanwhile.
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=keys, deleted_at=None)
    made = [
        ConductWarning.objects.create(case=case, user=player, words=words, by=by)
        for player in rows.order_by("pk")
    ]
    notices.send(made)


def warnings_of(user: User) -> QuerySet[ConductWarning]:
    """Return the warnings of a player, unread ones first, then the newest."""
    rows = ConductWarning.objects.filter(user=user).select_related("case")
    return rows.order_by(F("read_at").desc(nulls_first=True), "-pk")


def has_unread(user: User) -> bool:
    """Return whether a player has a warning to read."""
    return bool(_UNREAD.rows(user.pk))


def read(user: User, warning: int) -> bool:
    """Note that a player has read a warning, in the record of its case too; False when it was read.

    Raises NoSuchWarning.
    """
    row = ConductWarning.objects.filter(pk=warning, user=user).select_related("case").first()
    if row is None:
        raise NoSuchWarning
    with transaction.atomic():
        unread = ConductWarning.objects.filter(pk=row.pk, read_at=None)
        if not unread.update(read_at=timezone.now()):
            return False
        words = f"read the warning {row.pk}"
        LogEntry.objects.log_actions(user.pk, [row.case], CHANGE, words, single_object=True)
    return True
