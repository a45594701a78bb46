"""Saved templates of turbo Sit & Gos."""

from __future__ import annotations

from typing import Any

from tests.tournaments.cast import structure
from tournaments.models import Template

TURBO_OFFER = {"buy_in": 500, "fee": 50, "players_min": 2, "players_max": 2, "seats_per_table": 2}


def template(**fields: Any) -> Template:
    """A saved template of a turbo for two; keyword arguments override fields."""
    wanted: dict[str, Any] = {"name": "Evening", "structure": structure(), "offer": TURBO_OFFER}
    return Template.objects.create(**(wanted | fields))
