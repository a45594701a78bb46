"""Ladders for readers: the list, the table, and the course of a bot; each has a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.ledger.export import plain
from config import limits
from tournaments.bot_ladder import ranking
from tournaments.bot_ladder.models import BotLadder, RatedBot
from tournaments.models import Tournament

TABLE_COLUMNS = (
    *("rank", "name", "owner", "mu", "sigma", "games", "wins", "mean_place"),
    *("decisions", "time_outs", "crashes", "missed"),
)
RESULT_HEADINGS = (
    *("game", "tournament", "place", "players", "mu", "sigma"),
    *("decisions", "time_outs", "crashes", "missed"),
)

ROWS_AT_ONCE = 2_000


@never_cache
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List all ladders, open ones first."""
    context = {"page": "lobby", "ladders": BotLadder.objects.order_by("-is_open", "name")}
    return render(request, "ladders/index.html", context)


@never_cache
@require_GET
def ladder(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the table of a ladder, the strongest bot first; an open one is read again by itself."""
    shown = get_object_or_404(BotLadder, pk=pk)
    pages = Paginator(ranking.ranked_bots(shown), limits.LADDER_ROWS_PER_PAGE)
    found = pages.get_page(request.GET.get("page"))
    context = {
        "page": "lobby",
        "ladder": shown,
        "pages": found,
        "rows": ranking.table_rows(list(found), found.start_index()),
        "templates": shown.templates.order_by("name"),
    }
    return render(request, "ladders/ladder.html", context)


@never_cache
@require_GET
def bot(request: HttpRequest, pk: int, user: int) -> HttpResponse:
    """Show a bot's rating after each of its games, and its last games."""
    found = _rated_bot(pk, user)
    # Of the tournaments their names: whole ones are large, and each result has its own.
    named = Prefetch("game__tournament", Tournament.objects.only("name"))
    results = ranking.rated_results(found).reverse().prefetch_related(named)
    pages = Paginator(results, limits.LADDER_ROWS_PER_PAGE)
    context = {
        "page": "lobby",
        "ladder": found.ladder,
        "row": ranking.table_row(found),
        "graph": ranking.rating_graph(found),
        "pages": pages.get_page(request.GET.get("page")),
    }
    return render(request, "ladders/bot.html", context)


@never_cache
@require_GET
def table_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the whole table of a ladder as a CSV file."""
    shown = get_object_or_404(BotLadder, pk=pk)
    rows = ranking.table_rows(list(ranking.ranked_bots(shown)))
    cells = ([getattr(row, column) for column in TABLE_COLUMNS] for row in rows)
    return _file(f"ladder-{pk}.csv", TABLE_COLUMNS, cells)


@never_cache
@require_GET
def bot_csv(request: HttpRequest, pk: int, user: int) -> HttpResponse:
    """Return all games of a bot in a ladder as a CSV file, oldest first."""
    cells = (
        (
            *(row.game.number, row.game.tournament_id, f"{row.place:.4g}", row.game.players),
            *(row.mu, row.sigma, row.decisions, row.time_outs, row.crashes, row.missed),
        )
        for row in ranking.rated_results(_rated_bot(pk, user)).iterator(ROWS_AT_ONCE)
    )
    return _file(f"ladder-{pk}-bot-{user}.csv", RESULT_HEADINGS, cells)


def _rated_bot(pk: int, user: int) -> RatedBot:
    rows = RatedBot.objects.select_related("ladder", "user")
    return get_object_or_404(rows, ladder=pk, user=user)


def _file(name: str, headings: Iterable[str], rows: Iterable[Iterable[object]]) -> HttpResponse:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(headings)
    for row in rows:
        writer.writerow(plain(cell) for cell in row)
    return HttpResponse(
        text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
