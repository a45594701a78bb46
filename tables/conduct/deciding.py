"""Decisions of cases: dismissed, warned, banned, and notes; each leaves a record.

The record is a row of the admin's log, which is append-only and sealed.
"""

from __future__ import annotations

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from tables.conduct.models import ConductCase
from tables.conduct.refusals import BannedByOthers, CaseDecided
from tables.conduct.warnings import giving

RIGHT = "conduct.decide_cases"
BAN_RIGHT = "accounts.change_user"

State = ConductCase.State


def note(case: ConductCase, by: User, words: str) -> None:
    """Add words to the record of a case, decided or not."""
    assert by.has_perm(RIGHT) and words
    LogEntry.objects.log_actions(by.pk, [case], CHANGE, f"note: {words}", single_object=True)


def decide(
    case: ConductCase,
    by: User,
    state: State,
    reason: str,
    player: User | None = None,
    words: str = "",
) -> None:
    """Decide an open case with a reason: a ban closes the account of `player`, a warning tells it.

    `player` is one of the case; without one a warning goes to all of its players. `words` are read
    by whoever is warned. Raises CaseDecided and BannedByOthers, in which case nothing has changed.
    """
    assert by.has_perm(RIGHT) and reason and state != State.OPEN
    assert player is None or player.pk in (case.user_id, case.other_id)
    with transaction.atomic():
        now = timezone.now()
        row = ConductCase.objects.filter(pk=case.pk, state=State.OPEN)
        if not row.update(state=state, decided_at=now):
            raise CaseDecided
        if state == State.BANNED:
            assert player is not None
            _ban(player, by, case)
        named = [player] if player else players_of(case) if state == State.WARNED else []
        told = " ".join([state, ", ".join(one.name for one in named)]).strip()
        entry = f"{told}: {reason}" + (f" ({words})" if words else "")
        LogEntry.objects.log_actions(by.pk, [case], CHANGE, entry, single_object=True)
        if state == State.WARNED:
            giving.warn(case, by, named, words)
    case.refresh_from_db()


def players_of(case: ConductCase) -> list[User]:
    """Return the one player of a case, or both."""
    return [player for player in (case.user, case.other) if player is not None]


def may_ban(by: User, player: User) -> bool:
    """Return whether staff may ban an account; only superusers ban staff."""
    if player == by or player.deleted_at is not None:
        return False
    is_ours = player.is_staff or player.is_superuser
    return by.is_superuser or (by.has_perm(BAN_RIGHT) and not is_ours)


def record_of(case: ConductCase) -> QuerySet[LogEntry]:
    """Return the record of a case, oldest first: who, when and why."""
    kind = ContentType.objects.get_for_model(ConductCase)
    rows = LogEntry.objects.filter(content_type=kind, object_id=str(case.pk))
    return rows.select_related("user").order_by("action_time", "pk")


def _ban(player: User, by: User, case: ConductCase) -> None:
    # Locked, so that an account is not deleted or made staff meanwhile.
    row = User.objects.select_for_update().get(pk=player.pk)
    if not may_ban(by, row):
        raise BannedByOthers
    row.is_active = False
    row.save(update_fields=["is_active"])
    LogEntry.objects.log_actions(
        by.pk, [row], CHANGE, f"banned: case {case.pk}", single_object=True
    )
