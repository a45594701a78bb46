"""Answer a waiting step: another person approves or declines it, the asker withdraws it."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils import timezone

from accounts import money
from accounts.approvals.models import ApprovalRequest
from accounts.approvals.refusals import (
    AccountGone,
    AnsweredAlready,
    AskerLostRight,
    NeedsAnotherPerson,
    NotYourStep,
    RequestExpired,
)
from accounts.ledger.credit import credit
from accounts.models import User

State = ApprovalRequest.State
EXPIRES_AFTER_HOURS = 72
"""A step that waits for a second person is asked for again after so long."""


def may_answer(user: User, kind: str) -> bool:
    """Return whether a user has the right to steps of a kind, as asker or as second person."""
    if not (user.is_active and user.is_staff):
        return False
    if kind == ApprovalRequest.Kind.CREDIT:
        return user.has_perm("accounts.credit_money")
    return user.is_superuser


def approve(pk: int, second: User) -> ApprovalRequest:
    """Carry the step out, once, in the name of both.

    Raises ApprovalRefusal, or the refusal of the step itself; then nothing has changed.
    """
    with transaction.atomic():
        request = _waiting(pk)
        _need_second(request, second)
        if timezone.now() - request.asked_at > timedelta(hours=EXPIRES_AFTER_HOURS):
            raise RequestExpired(most=EXPIRES_AFTER_HOURS)
        if not may_answer(request.asked_by, request.kind):
            raise AskerLostRight
        users = _live_users(request)
        _answer(request, State.APPROVED, second)
        if request.kind == ApprovalRequest.Kind.CREDIT:
            _credit(request, users, second)
        else:
            [user] = users
            _give_rights(request, user, second)
    return request


def decline(pk: int, second: User) -> ApprovalRequest:
    """Decline a step; raises ApprovalRefusal."""
    with transaction.atomic():
        request = _waiting(pk)
        _need_second(request, second)
        _answer(request, State.DECLINED, second)
    return request


def withdraw(pk: int, asker: User) -> ApprovalRequest:
    """Take an own step back; raises ApprovalRefusal."""
    with transaction.atomic():
        request = _waiting(pk)
        if request.asked_by != asker:
            raise NotYourStep
        _answer(request, State.WITHDRAWN, asker)
    return request


def _waiting(pk: int) -> ApprovalRequest:
    """Lock a request, so that it is answered once; raise AnsweredAlready."""
    rows = ApprovalRequest.objects.select_for_update(of=("self",)).select_related("asked_by")
    request = rows.get(pk=pk)
    if request.state != State.WAITING:
        raise AnsweredAlready
    return request


def _need_second(request: ApprovalRequest, second: User) -> None:
    if request.asked_by == second:
        raise NeedsAnotherPerson
    if not may_answer(second, request.kind):
        raise NotYourStep


def _live_users(request: ApprovalRequest) -> list[User]:
    """Lock the users of a step, so that none is deleted before it is done; raise AccountGone."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=request.users())
    users = list(rows.order_by("pk"))
    if len(users) < len(set(request.users())) or any(user.deleted_at for user in users):
        raise AccountGone
    return users


def _answer(request: ApprovalRequest, state: str, by: User) -> None:
    request.state, request.answered_by, request.answered_at = state, by, timezone.now()
    request.save(update_fields=["state", "answered_by", "answered_at"])
    words = f"{state}; asked by {request.asked_by.name}"
    LogEntry.objects.log_actions(by.pk, [request], CHANGE, words, single_object=True)


def _credit(request: ApprovalRequest, users: list[User], second: User) -> None:
    each = request.details["each"]
    new = credit(users, amount=each, reason=request.reason, token=f"approved-{request.pk}")
    words = f"credit {money.text(each)}: {request.reason}; asked by {request.asked_by.name}"
    for user in new:
        LogEntry.objects.log_actions(second.pk, [user], CHANGE, words, single_object=True)


def _give_rights(request: ApprovalRequest, user: User, second: User) -> None:
    """Make the changes that were asked for; what they do not name stays as it is now."""
    rights = request.details["rights"]
    flags = [name for name in ("is_staff", "is_superuser") if name in rights]
    for name in flags:
        setattr(user, name, rights[name])
    user.save(update_fields=flags)
    # A group that was deleted since the step was asked for gives nothing.
    for name, model in (("groups", Group), ("user_permissions", Permission)):
        change, held = rights.get(name), getattr(user, name)
        if isinstance(change, dict):
            held.remove(*model.objects.filter(pk__in=change["remove"]))
            held.add(*model.objects.filter(pk__in=change["add"]))
        elif change is not None:  # the whole list, of a step asked for by an earlier release
            held.set(model.objects.filter(pk__in=change))
    words = f"rights changed; asked by {request.asked_by.name}"
    LogEntry.objects.log_actions(second.pk, [user], CHANGE, words, single_object=True)
