"""Terms of a ladder: its templates, and the tournaments of them that it rates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from accounts.bots.places import BotsAdmitted
from accounts.research.mark import is_marked
from config import limits
from config.refusals import Refusal
from config.refusals import marked as _
from tables.seeds.refusals import NotResearch
from tournaments.bot_ladder.models import BotLadder
from tournaments.entries.visible import open_to
from tournaments.models import Template, Tournament
from tournaments.models.options.formats import Format
from tournaments.models.tournament import Start, State
from tournaments.schedule import options


class NotForLadders(Refusal):
    """Refusal of a template whose tournaments no ladder rates."""

    code = "not_for_ladders"
    sentence = _(
        "A ladder rates tournaments for bots alone, without a password, of at most %(most)s"
        " players. “%(template)s” opens others."
    )

    def __init__(self, template: str) -> None:
        super().__init__(template=template, most=limits.LADDER_FIELD_MAX)


def validate_templates(templates: Iterable[Template]) -> None:
    """Refuse templates of other tournaments than a ladder rates; raises NotForLadders."""
    for template in templates:
        offer = options.read(template.offer)
        most = offer.get("players_max", Tournament._meta.get_field("players_max").default)
        is_public = not template.password
        if (
            offer.get("bots") != BotsAdmitted.ONLY
            or not is_public
            or most > limits.LADDER_FIELD_MAX
        ):
            raise NotForLadders(template.name)


class NotForDuplicates(Refusal):
    """Refusal of a template whose games cannot be played again from every seat."""

    code = "not_for_duplicates"
    sentence = _(
        "Duplicate deals are Sit & Gos of one table with one entry a bot, without re-buys."
        " “%(template)s” opens others."
    )

    def __init__(self, template: str) -> None:
        super().__init__(template=template)


class DuplicatesFixed(Refusal):
    """Refusal to change how a ladder with rated games deals."""

    code = "duplicates_fixed"
    sentence = _("This ladder has rated games: it keeps its way of dealing.")


def validate_duplicates(ladder: BotLadder, templates: Iterable[Template]) -> None:
    """Refuse a ladder of duplicate deals that cannot be played.

    Raises NotResearch in a room without the mark, NotForDuplicates or DuplicatesFixed.
    """
    if ladder.rated and BotLadder.objects.exclude(duplicate=ladder.duplicate).filter(pk=ladder.pk):
        raise DuplicatesFixed
    if not ladder.duplicate:
        return
    if not is_marked():
        raise NotResearch
    for template in templates:
        offer = options.read(template.offer)
        if any(_option(offer, name) not in fitting for name, fitting in _OF_DUPLICATES.items()) or (
            _option(offer, "players_max") > _option(offer, "seats_per_table")
        ):
            raise NotForDuplicates(template.name)


_OF_DUPLICATES = {
    "start": (Start.SIT_AND_GO,),
    "format": (Format.FREEZEOUT, Format.HEADS_UP),
    "entries_max": (1,),
    "rebuys_max": (0,),
    "add_on": (False,),
}
"""Fitting options of a template whose games can be played again from every seat."""


def _option(offer: Mapping[str, Any], name: str) -> Any:
    """Return an option of a template, or its default."""
    field: Any = Tournament._meta.get_field(name)
    return offer.get(name, field.get_default())


def ratable(ladder: BotLadder) -> QuerySet[Tournament]:
    """Return the finished tournaments of a ladder's templates that everybody may see.

    Their own options count, not those that their template has now.
    """
    return open_to(members=False).filter(
        template__ladders=ladder,
        state=State.FINISHED,
        bots=BotsAdmitted.ONLY,
        entrants__lte=limits.LADDER_FIELD_MAX,
    )
