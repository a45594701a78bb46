"""Part of an account that conduct holds: figures, shared log-ins, and the user's own reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import F, Q

from accounts.models import User
from tables.conduct.models import (
    ConductWarning,
    LoginNetwork,
    PairConduct,
    PlayerConduct,
    PlayerDay,
    PlayerReport,
    SharedBrowser,
)


def erase(user: User) -> None:
    """Delete a user's figures, log-ins, warnings and reports; cases keep the anonymous name."""
    either = Q(first=user) | Q(second=user)
    PairConduct.objects.filter(either).delete()
    SharedBrowser.objects.filter(either).delete()
    for model in (PlayerConduct, PlayerDay, LoginNetwork, ConductWarning):
        model.objects.filter(user=user).delete()
    PlayerReport.objects.filter(Q(by=user) | Q(accused=user)).delete()


def exported_reports(user: User) -> Iterator[Mapping[str, Any]]:
    """Return the reports that a user made, for the export of the account."""
    rows = PlayerReport.objects.filter(by=user).order_by("pk")
    yield from rows.values("table_id", "hand", "reason", "words", "made_at")


def exported_warnings(user: User) -> Iterator[Mapping[str, Any]]:
    """Return the warnings of a user, for the export of the account."""
    rows = ConductWarning.objects.filter(user=user).order_by("pk")
    yield from rows.values("words", "made_at", "read_at", sign=F("case__sign"))
