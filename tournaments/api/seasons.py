"""Routes of seasons: the list, and the table of each, live while its tournaments are played."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field, Router

from accounts.models import User
from config import limits
from config.postgres.statements import ANY_KEY
from tournaments.api.access import ScopedBearer
from tournaments.api.bodies.seasons import (
    SeasonAnswer,
    SeasonPage,
    SeasonPlayerAnswer,
    SeasonResultAnswer,
    SeasonTableAnswer,
)
from tournaments.api.callers import caller
from tournaments.api.cursors import PagedList, page_of
from tournaments.seasons import access
from tournaments.seasons.engine.ranking import SeasonRow
from tournaments.seasons.models import Season
from tournaments.seasons.tables import SeasonTable, table_of

router = Router()

WATCH = ScopedBearer("watch")

_SEASONS = PagedList(lambda user: access.visible_seasons(User(pk=user)), ANY_KEY)

_SAME = ("id", "name", "first_day", "last_day", "zone", "series", "formula", "best_of", "ties")


@router.get("/seasons", auth=WATCH, response=SeasonPage, url_name="api_seasons")
def seasons(request: HttpRequest, cursor: str = "") -> SeasonPage:
    """List the seasons that the user may see, newest first."""
    user = caller(request)
    if user.is_staff:
        rows, following = page_of(access.visible_seasons(user), cursor, "seasons")
    else:
        rows, following = _SEASONS.page_of(cursor, "seasons", user.pk)
    return SeasonPage(items=[_season(row) for row in rows], next=following)


@router.get(
    "/seasons/{int:pk}/table", auth=WATCH, response=SeasonTableAnswer, url_name="api_season"
)
def table(
    request: HttpRequest, pk: int, page: Annotated[int, Field(ge=1, le=10_000)] = 1
) -> SeasonTableAnswer:
    """Return a page of the table of a season that the user may see, best players first."""
    season = get_object_or_404(access.visible_seasons(caller(request)), pk=pk)
    found, size = table_of(season), limits.SEASON_ROWS_PER_PAGE
    rows = found.rows[(page - 1) * size : page * size]
    return SeasonTableAnswer(
        season=_season(season),
        tournaments=len(found.tournaments),
        live=sorted(found.live),
        players=len(found.rows),
        items=[_player(found, row) for row in rows],
    )


def _season(row: Season) -> SeasonAnswer:
    return SeasonAnswer(
        club=row.club.slug if row.club else None, **{name: getattr(row, name) for name in _SAME}
    )


def _player(found: SeasonTable, row: SeasonRow) -> SeasonPlayerAnswer:
    return SeasonPlayerAnswer(
        rank=row.rank,
        name=found.names.get(row.user, ""),
        points=str(row.points),
        wins=row.wins,
        results=[
            SeasonResultAnswer(
                tournament=score.tournament,
                place=score.place,
                points=str(score.points),
                counted=score.counted,
                certain=score.certain,
            )
            for score in row.scores
        ],
    )
