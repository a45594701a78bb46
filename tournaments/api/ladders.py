"""Routes of ladders of bots: the list, the table of each, and the course of a bot."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Field, Router

from config import limits
from tournaments.api.access import ScopedBearer
from tournaments.api.bodies.ladders import (
    LadderAnswer,
    LadderPage,
    LadderTableAnswer,
    RatedBotAnswer,
    RatedResultAnswer,
    RatedResultPage,
)
from tournaments.api.cursors import page_of
from tournaments.api.shared import shared_page
from tournaments.bot_ladder import ranking
from tournaments.bot_ladder.models import BotLadder, RatedBot

router = Router()

WATCH = ScopedBearer("watch")

_RESULT = ("place", "mu", "sigma", "decisions", "time_outs", "crashes", "missed")


@router.get("/ladders", auth=WATCH, response=LadderPage, url_name="api_ladders")
def ladders(request: HttpRequest, cursor: str = "") -> HttpResponse:
    """List the ladders of bots, newest first."""
    return shared_page("ladders", cursor, _ladders)


def _ladders(cursor: str) -> LadderPage:
    rows, following = page_of(BotLadder.objects.all(), cursor, "ladders")
    return LadderPage(items=[_ladder(row) for row in rows], next=following)


@router.get(
    "/ladders/{int:pk}/table", auth=WATCH, response=LadderTableAnswer, url_name="api_ladder"
)
def table(
    request: HttpRequest, pk: int, page: Annotated[int, Field(ge=1, le=10_000)] = 1
) -> LadderTableAnswer:
    """Return a page of the table of a ladder, the strongest bot first."""
    ladder = get_object_or_404(BotLadder, pk=pk)
    found, size = ranking.ranked_bots(ladder), limits.LADDER_ROWS_PER_PAGE
    first = (page - 1) * size
    rows = ranking.table_rows(list(found[first : first + size]), first + 1)
    return LadderTableAnswer(
        ladder=_ladder(ladder),
        bots=found.count(),
        items=[RatedBotAnswer.model_validate(row, from_attributes=True) for row in rows],
    )


@router.get(
    "/ladders/{int:pk}/bots/{int:user}",
    auth=WATCH,
    response=RatedResultPage,
    url_name="api_ladder_bot",
)
def bot(request: HttpRequest, pk: int, user: int, cursor: str = "") -> RatedResultPage:
    """Return the rated games of a bot in a ladder with its ratings, newest first."""
    found = get_object_or_404(RatedBot, ladder=pk, user=user)
    rated = ranking.rated_results(found)
    rows, following = page_of(rated, cursor, f"rated-games:{found.pk}", "game_id")
    items = [
        RatedResultAnswer(
            game=row.game.number,
            tournament=row.game.tournament_id,
            players=row.game.players,
            **{name: getattr(row, name) for name in _RESULT},
        )
        for row in rows
    ]
    return RatedResultPage(items=items, next=following)


def _ladder(row: BotLadder) -> LadderAnswer:
    return LadderAnswer(id=row.pk, name=row.name, is_open=row.is_open, rated=row.rated)
