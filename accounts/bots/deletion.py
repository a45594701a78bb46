"""Bots of an account that is exported or deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from accounts.bots import owning
from accounts.bots.models import BotAccount
from accounts.models import User
from config.refusals import Refusal


def obstacles(user: User) -> list[Refusal]:
    """Return nothing: bots never keep an account."""
    return []


def erase(user: User) -> None:
    """Retire the bots of a deleted account; their names and results stay."""
    for row in owning.bots_of(user):
        owning.retire(user, row.pk)


def exported(user: User) -> Iterable[Mapping[str, Any]]:
    """Return the bots of a user, retired ones too."""
    rows = BotAccount.objects.filter(owner=user).order_by("pk")
    found: Iterable[Mapping[str, Any]] = rows.values("user__name", "made_at", "retired_at")
    return found
