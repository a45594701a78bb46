"""Part of an account that seasons hold: achievements; tables show the anonymous name by itself."""

from __future__ import annotations

from accounts.models import User
from tournaments.seasons.models import Achievement


def erase(user: User) -> None:
    """Delete a user's achievements."""
    Achievement.objects.filter(user=user).delete()
