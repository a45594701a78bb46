"""Notices of the room to one player, as they were published."""

from __future__ import annotations

from typing import Any

import msgspec

from accounts.models import User
from tournaments.models import Announcement


def heard(user: User) -> list[dict[str, Any]]:
    """Published notices of a player in order."""
    rows = Announcement.objects.filter(stream=f"user:{user.pk}", published=True).order_by("seq")
    return [msgspec.json.decode(bytes(row.payload)) for row in rows]
