"""Finished hands of one player, once they are released."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from tables.history.released import released_hands
from tables.models import Hand


def own_hands(user: int, now: datetime | None = None) -> QuerySet[Hand]:
    """Return the released hands in which a user was dealt in, with their tables."""
    return released_hands(now).filter(users__contains=[user])
