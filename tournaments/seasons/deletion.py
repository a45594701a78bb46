"""Part of an account that seasons hold: achievements; tables show the anonymous name by itself."""

from __future__ import annotations

from collections.abc import Iterator

from accounts.models import User
from config.refusals import Refusal
from tournaments.seasons.models import Achievement


def obstacles(user: User) -> Iterator[Refusal]:
    """Yield nothing: a season keeps nobody from deleting an account."""
    yield from ()


def erase(user: User) -> None:
    """Delete a user's achievements."""
    Achievement.objects.filter(user=user).delete()
