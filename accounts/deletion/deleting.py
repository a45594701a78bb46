"""Deletion of an account: refused while something is open, else done in one transaction."""

from __future__ import annotations

from collections.abc import Iterator

import structlog
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.clubs import members
from accounts.deletion import parts, traces
from accounts.deletion.refusals import (
    ChangedMeanwhile,
    LastAdministrator,
    LastOwnerOf,
    Overdrawn,
)
from accounts.ledger.transfers import held_by
from accounts.models import ClubRole, Membership, RetiredName, User
from accounts.names import DELETED_PREFIX, fold
from config.refusals import Refusal

log = structlog.get_logger(__name__)


def obstacles(user: User) -> list[Refusal]:
    """Return what keeps an account from its deletion now, in words for its owner."""
    return [*_own_obstacles(user), *_club_obstacles(user)]


def delete(user: User) -> str:
    """Delete an account for good and return its anonymous name.

    Ledger, entries, results and audit rows stay and show that name. Raises a refusal; then nothing
    has changed.
    """
    for obstacle in obstacles(user):
        raise obstacle
    with transaction.atomic():
        # 1. Clubs come before the user: each step of a club locks its row, then may write a row
        #    that refers to the user. The opposite order could deadlock.
        for row in Membership.objects.filter(user=user).select_related("club").order_by("club"):
            members.leave(row.club, user)
        # 2. This lock waits for transactions that refer to the user (entries, seats, places), and
        #    purchases wait for it (accounts.users.own_limits.check_purchase).
        locked = _locked(user)
        # 3. Nothing new can appear now.
        for obstacle in _own_obstacles(locked):
            raise obstacle
        former = locked.name
        _anonymise(locked)
        traces.erase(locked, former)
        for part in parts.registered():
            part.erase(locked)
        LogEntry.objects.log_actions(
            locked.pk, [locked], CHANGE, "account deleted by its owner", single_object=True
        )
    log.info("account deleted", user=locked.pk)
    return locked.name


def _own_obstacles(user: User) -> Iterator[Refusal]:
    balance = held_by(user)
    if balance < 0:
        yield Overdrawn(-balance)
    if user.is_superuser and not _administrators().exclude(pk=user.pk).exists():
        yield LastAdministrator()
    for part in parts.registered():
        yield from part.obstacles(user)


def _club_obstacles(user: User) -> Iterator[Refusal]:
    owned = Membership.objects.filter(user=user, role=ClubRole.OWNER).select_related("club")
    alone = [
        row.club.name for row in owned.order_by("club__name") if not members.has_successor(row)
    ]
    if alone:
        yield LastOwnerOf(alone)


def _administrators() -> QuerySet[User]:
    return User.objects.filter(is_superuser=True, is_active=True)


def _locked(user: User) -> User:
    """Return the locked row of a user, for an administrator after locking the other ones too."""
    keys = [user.pk]
    if user.is_superuser:
        # Two administrators who leave at once wait for each other here.
        keys += _administrators().values_list("pk", flat=True)
    rows = User.objects.select_for_update().filter(pk__in=keys).order_by("pk")
    locked = next(row for row in list(rows) if row.pk == user.pk)
    is_member = Membership.objects.filter(user=user).exists()
    if is_member or locked.deleted_at is not None or locked.is_superuser != user.is_superuser:
        raise ChangedMeanwhile
    return locked


def _anonymise(user: User) -> None:
    former = user.name
    user.name = _free_name(user.pk)
    user.email = user.language = ""
    user.is_active = user.is_staff = user.is_superuser = user.is_pro = False
    user.last_login = None
    user.deleted_at = timezone.now()
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    RetiredName.retire(former)


def _free_name(pk: int) -> str:
    """Return the anonymous name of a user; an older account may have chosen the first one."""
    names = (f"{DELETED_PREFIX}{pk}{'x' * number}" for number in range(10))
    return next(name for name in names if not User.objects.filter(name_key=fold(name)).exists())
