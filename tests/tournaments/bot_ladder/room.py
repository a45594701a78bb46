"""Ladders of the tests, and finished tournaments of their templates."""

from __future__ import annotations

from typing import Any

from tests.tournaments.cast import structure
from tests.tournaments.seasons.cast import finished
from tournaments.bot_ladder.models import BotLadder
from tournaments.models import Template, Tournament

OFFER: dict[str, Any] = {
    "start": "sit_and_go",
    "bots": "only",
    "players_min": 3,
    "players_max": 3,
    "seats_per_table": 6,
    "hand_pause_ms": 0,
    "showdown_pause_ms": 0,
    "street_pause_ms": 0,
}


def template(name: str = "Turbo", schedule: str = "none", **more: Any) -> Template:
    """A template of Sit & Gos for bots alone."""
    return Template.objects.create(
        name=name, structure=structure(), offer=OFFER | more, schedule=schedule
    )


def ladder(*templates: Template, name: str = "Ladder") -> BotLadder:
    """An open ladder of these templates."""
    made = BotLadder.objects.create(name=name)
    made.templates.set(templates)
    return made


def over(made: Template, *names: str, **fields: Any) -> Tournament:
    """A finished tournament of a template with these bots, best first, without hands."""
    chosen: dict[str, Any] = {"bots": "only", "template": made}
    return finished(*names, **(chosen | fields))
