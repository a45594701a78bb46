"""Part of an account that the statistics hold: counters and the choice to show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accounts.models import User
from tables.statistics.counters import NAMES
from tables.statistics.models import PlayerCounts, StatisticsChoice


def erase(user: User) -> None:
    """Delete a user's counters and choice; hands keep the anonymous name and are not recounted."""
    PlayerCounts.objects.filter(user=user).delete()
    StatisticsChoice.objects.filter(user=user).delete()


def exported_counts(user: User) -> Iterator[Mapping[str, Any]]:
    """Return a user's counters by game for the export of the account."""
    rows = PlayerCounts.objects.filter(user=user).order_by("pk")
    yield from rows.values("director", "game", "variant", *NAMES)


def exported_choice(user: User) -> Iterable[Mapping[str, Any]]:
    """Return whether a user shows the statistics to everybody."""
    return StatisticsChoice.objects.filter(user=user).values("public")
