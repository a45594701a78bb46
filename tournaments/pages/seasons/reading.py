"""Seasons for readers: the list, the table as page, panel and CSV file."""

from __future__ import annotations

import csv
import io
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.ledger.export import plain
from accounts.refusals import words_of
from config import limits
from config.inputs.numbers import whole
from tournaments.overlays.models import Theme
from tournaments.pages.lobby import visitor
from tournaments.pages.seasons import words
from tournaments.seasons import access, achievements
from tournaments.seasons.models import Season
from tournaments.seasons.refusals import SeasonTooLarge
from tournaments.seasons.tables import SeasonTable, table_of

OVERLAY_ROWS_MAX = 20
"""Most rows of an overlay: more are no longer read on a screen."""

HEADINGS = ("rank", "player", "points", "tournaments", "wins", "results")


@never_cache
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List the seasons that the visitor may see, and the visitor's achievements."""
    user = visitor(request)
    pages = Paginator(access.visible_seasons(user), limits.SEASON_ROWS_PER_PAGE)
    context = {
        "page": "lobby",
        "seasons": pages.get_page(request.GET.get("page")),
        "today": timezone.now().date(),
        "may_make": access.may_manage(user, None),
        "achievements": achievements.earned(user) if user else [],
    }
    return render(request, "seasons/index.html", context)


@never_cache
@require_GET
def season(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a season with its table; the page reads it again while a tournament is played."""
    shown, user = seen_season(request, pk), visitor(request)
    context = _context(shown)
    table = context.pop("table")
    if table is not None:
        size = limits.SEASON_ROWS_PER_PAGE
        pages = Paginator(range(len(table.rows)), size).get_page(request.GET.get("page"))
        first = (pages.number - 1) * size
        context |= {"pages": pages, "rows": words.player_rows(table, user, first, size)}
    context |= {
        "page": "lobby",
        "ties": words.tie_words(shown),
        "formula_words": words.formula_words(shown),
        "may_manage": access.may_manage(user, shown.club),
    }
    return render(request, "seasons/season.html", context)


@never_cache
@require_GET
def panel(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the first rows of a table, `?rows=` of them, as a fragment for panels and overlays."""
    shown = seen_season(request, pk)
    most = whole(request.GET.get("rows", "")) or limits.SEASON_PANEL_ROWS
    context = _context(shown)
    table = context.pop("table")
    if table is not None:
        most = min(most, limits.SEASON_ROWS_PER_PAGE)
        context["rows"] = words.player_rows(table, visitor(request), 0, most)
    return render(request, "seasons/_panel.html", context)


@never_cache
@require_GET
def overlay(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the first rows over a transparent page for a stream or a screen, renewed by itself.

    `?rows=` players, `?theme=` one of the colours of overlays.
    """
    shown = seen_season(request, pk)
    theme = request.GET.get("theme", "")
    rows = min(whole(request.GET.get("rows", "")) or limits.SEASON_PANEL_ROWS, OVERLAY_ROWS_MAX)
    context = {
        "season": shown,
        "theme": theme if theme in Theme.values else Theme.DARK,
        "rows": rows,
    }
    return render(request, "seasons/overlay.html", context)


@never_cache
@require_GET
def as_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the whole table as a CSV file; results are points, best first."""
    shown = seen_season(request, pk)
    try:
        text = csv_text(table_of(shown))
    except SeasonTooLarge as refusal:
        return HttpResponse(words_of(refusal), status=409, content_type="text/plain; charset=utf-8")
    return HttpResponse(
        text,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="season-{shown.pk}.csv"'},
    )


def csv_text(table: SeasonTable) -> str:
    """Return a table as CSV: one row per player, dropped results in brackets."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADINGS)
    for row in table.rows:
        results = " ".join(
            str(score.points) if score.counted else f"({score.points})" for score in row.scores
        )
        name = table.names.get(row.user, "")
        cells = (row.rank, name, row.points, row.played, row.wins, results)
        writer.writerow(plain(cell) for cell in cells)
    return text.getvalue()


def seen_season(request: HttpRequest, pk: int) -> Season:
    """Return a season that the visitor may see; raise Http404 as for a missing one."""
    return get_object_or_404(access.visible_seasons(visitor(request)), pk=pk)


def _context(shown: Season) -> dict[str, Any]:
    """Return the season with its table, or the refusal of one that is too large."""
    try:
        table = table_of(shown)
    except SeasonTooLarge as refusal:
        return {"season": shown, "club": shown.club, "table": None, "refused": words_of(refusal)}
    return {
        "season": shown,
        "club": shown.club,
        "table": table,
        "count": len(table.tournaments),
        "live": len(table.live),
    }
