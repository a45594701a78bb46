"""Choice of a user to show the own statistics to everybody; off until it is switched on."""

from __future__ import annotations

from accounts.models import User
from tables.statistics.models import StatisticsChoice


def is_public(user: User) -> bool:
    """Return whether everybody may read a user's statistics; never those of a closed account."""
    return user.is_active and StatisticsChoice.objects.filter(user=user, public=True).exists()


def set_public(user: User, *, public: bool) -> None:
    """Show a user's statistics to everybody, or to the user alone."""
    StatisticsChoice.objects.update_or_create(user=user, defaults={"public": public})
