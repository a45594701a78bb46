"""Ask for a step: done at once where one person may, else stored until another answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from accounts.approvals.models import ApprovalRequest
from accounts.ledger.credit import credit
from accounts.models import User
from accounts.refusals import AmountRefused
from config import entropy, limits


def ask_credit(
    operator: User, users: Iterable[User], *, amount: int, reason: str, token: str
) -> tuple[ApprovalRequest | None, list[User]]:
    """Credit `amount` minor units to each user; return the users credited, or the waiting request.

    Without a limit in the settings everything is credited at once and no request is stored. With
    one, an operator credits alone until the sum of 24 hours reaches CREDIT_ALONE_MAX_CENTS.
    Raises AmountRefused, in which case nothing has changed.
    """
    chosen = list(users)
    alone_max = settings.CREDIT_ALONE_MAX_CENTS
    if alone_max is None:
        return None, credit(chosen, amount=amount, reason=reason, token=token)
    if not 0 < amount <= limits.TRANSFER_MAX_CENTS:
        raise AmountRefused(largest=limits.TRANSFER_MAX_CENTS)
    with transaction.atomic():
        # One credit of an operator after the other, so that two at once count each other.
        User.objects.select_for_update(no_key=True).get(pk=operator.pk)
        known = ApprovalRequest.objects.filter(key=f"credit:{token}").first()
        if known is not None:
            return (known if known.state == ApprovalRequest.State.WAITING else None), []
        whole = amount * len(chosen)
        alone = _credited_alone(operator) + whole <= alone_max
        now = timezone.now()
        request = ApprovalRequest.objects.create(
            kind=ApprovalRequest.Kind.CREDIT,
            key=f"credit:{token}",
            state=ApprovalRequest.State.ALONE if alone else ApprovalRequest.State.WAITING,
            details={"users": [user.pk for user in chosen], "each": amount},
            amount=whole,
            reason=reason,
            asked_by=operator,
            asked_at=now,
            answered_by=operator if alone else None,
            answered_at=now if alone else None,
        )
        if not alone:
            return request, []
        return None, credit(chosen, amount=amount, reason=reason, token=token)


def ask_rights(operator: User, user: User, rights: Mapping[str, Any]) -> ApprovalRequest:
    """Store a change of an account's rights: flags, and numbers of groups and permissions.

    `groups` and `user_permissions` are numbers to `add` and to `remove`; what is not named stays.
    """
    return ApprovalRequest.objects.create(
        kind=ApprovalRequest.Kind.RIGHTS,
        key=f"rights:{entropy.name()}",
        details={"users": [user.pk], "rights": dict(rights)},
        asked_by=operator,
        asked_at=timezone.now(),
    )


def _credited_alone(operator: User) -> int:
    """Return what an operator credited alone in the last 24 hours, in minor units."""
    since = timezone.now() - timedelta(hours=24)
    rows = ApprovalRequest.objects.filter(
        asked_by=operator, state=ApprovalRequest.State.ALONE, asked_at__gt=since
    )
    return rows.aggregate(whole=Sum("amount"))["whole"] or 0
