"""Words of a season on pages: its formula, its rules between equals, and its rows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from tournaments.seasons.engine.formulas import preset_of
from tournaments.seasons.engine.ranking import SeasonRow
from tournaments.seasons.models import Season
from tournaments.seasons.tables import SeasonTable

PRESET_WORDS = {
    "linear": _("one point for each entry beaten"),
    "square_root": _("square root of field over place"),
    "racing": _("fixed points for ten places, as in Formula One"),
    "weighted": _("square root, weighted by the buy-in"),
}

RESULTS_SHOWN = 12


class ResultCell(msgspec.Struct, frozen=True):
    """A result of a player on the page of a season."""

    title: str
    points: str
    counted: bool
    certain: bool


class SeasonPlayerRow(msgspec.Struct, frozen=True):
    """A row of a season's table as the page shows it."""

    rank: int
    name: str
    points: str
    played: int
    wins: int
    mine: bool
    live: bool
    results: list[ResultCell]
    more: int


def formula_words(season: Season) -> Any:
    """Return the name of a preset formula in words; "" for a formula of one's own."""
    return PRESET_WORDS.get(preset_of(season.formula), "")


def tie_words(season: Season) -> list[Any]:
    """Return the rules between equal players in words, in their order."""
    return [Season.Tie(rule).label for rule in season.ties]


def player_rows(
    table: SeasonTable, user: User | None, first: int, most: int
) -> list[SeasonPlayerRow]:
    """Return rows of a table from `first` on, in the language of the page."""
    number = None if user is None else user.pk
    return [_row(table, row, number) for row in table.rows[first : first + most]]


def points_text(points: Decimal) -> str:
    """Return points in the spelling of the language, without empty places after the point."""
    whole = points == points.to_integral_value()
    return number_format(points, decimal_pos=0 if whole else 2, use_l10n=True)


def _row(table: SeasonTable, row: SeasonRow, number: int | None) -> SeasonPlayerRow:
    return SeasonPlayerRow(
        rank=row.rank,
        name=table.names.get(row.user, "–"),
        points=points_text(row.points),
        played=row.played,
        wins=row.wins,
        mine=row.user == number,
        live=row.is_live,
        results=[
            ResultCell(
                f"{table.tournaments[score.tournament]}: {score.place}.",
                points_text(score.points),
                score.counted,
                score.certain,
            )
            for score in row.scores[:RESULTS_SHOWN]
        ],
        more=max(0, len(row.scores) - RESULTS_SHOWN),
    )
