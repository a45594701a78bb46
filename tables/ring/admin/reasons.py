"""Reason of an admin action, beside its choice and in the log of the admin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.refusals import words_of
from config.refusals import Refusal
from tables.ring.refusals import NoReason

Row = TypeVar("Row", bound=Model)


class ReasonActionForm(ActionForm):
    """Choice of an action with its reason."""

    reason = forms.CharField(label=_("Reason"), max_length=300, required=False)


def operator(request: HttpRequest) -> User:
    """Return the operator who asks."""
    assert isinstance(request.user, User), "the admin is for users who are logged in"
    return request.user


def each(
    page: admin.ModelAdmin[Row],
    request: HttpRequest,
    rows: QuerySet[Row],
    act: Callable[[Row, str], object],
    done: str,
) -> None:
    """Do `act(row, reason)` with each row and log it; without one nothing is done."""
    reason = request.POST.get("reason", "").strip()
    if not reason:
        messages.error(request, words_of(NoReason()))
        return
    for row in rows:
        try:
            with transaction.atomic():
                act(row, reason)
                page.log_change(request, row, f"{done}: {reason}")
        except Refusal as refusal:
            messages.error(request, f"{row}: {words_of(refusal)}")
        else:
            messages.success(request, f"{row}: {done}")
