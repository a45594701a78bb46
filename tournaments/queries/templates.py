"""Rows of a club's templates, with the options by which a manager knows them."""

from __future__ import annotations

from typing import NamedTuple

from accounts.models import Club
from tables.templatetags.games import game_words
from tournaments.models import Tournament


class ClubTemplateRow(NamedTuple):
    """A template: game in words, price in minor units, audience in words."""

    pk: int
    name: str
    game: str
    price: int
    entered_by: str
    tournament: int
    tournament_name: str


def rows_of(club: Club) -> list[ClubTemplateRow]:
    """Return the templates of a club by name."""
    shown = ("name", "variant", "limit", "buy_in", "bounty", "fee", "entered_by")
    found = club.templates.select_related("tournament").order_by("name")
    found = found.only("club", "name", *(f"tournament__{name}" for name in shown))
    return [_row(row.pk, row.name, row.tournament) for row in found]


def _row(pk: int, name: str, source: Tournament) -> ClubTemplateRow:
    return ClubTemplateRow(
        pk=pk,
        name=name,
        game=game_words(source.variant, source.limit),
        price=source.price,
        entered_by=source.get_entered_by_display(),
        tournament=source.pk,
        tournament_name=source.name,
    )
