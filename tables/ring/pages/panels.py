"""Panels of the visitor's seat at a ring table, and of the place in a rapid pool."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tables.ring.money import DIRECTOR
from tables.ring.pages.answers import listed_game, visitor
from tables.ring.queries import jackpots, lobby, mine
from tables.ring.rapid import plans


@never_cache
@require_GET
def of_table(request: HttpRequest, table: int) -> HttpResponse:
    """Return the panel of the visitor's seat at a table, or what a spectator may do."""
    return _of_table(request, get_object_or_404(Table, pk=table, director=DIRECTOR))


@never_cache
@require_GET
def of_pool(request: HttpRequest, game: int) -> HttpResponse:
    """Return the panel of the visitor's place in a rapid pool, or the way into it (R-03)."""
    return _of_pool(request, listed_game(request, game, rapid=True))


def of_session(request: HttpRequest, session: RingSession, wrong: str = "") -> HttpResponse:
    """Return the panel of a session with a refusal, if any."""
    if session.table is None:
        return _of_pool(request, session.game, wrong)
    return _of_table(request, session.table, wrong)


def place_in_pool(request: HttpRequest, game: RingGame) -> dict[str, object]:
    """Return the visitor's `own` place in a rapid pool, if any, and how many are `here` to play."""
    user = visitor(request)
    own = next(iter(mine.sessions(user, game=game.pk)), None) if user else None
    return {"own": own, "here": plans.players(game)}


def _of_pool(request: HttpRequest, game: RingGame, wrong: str = "") -> HttpResponse:
    context = {
        "game": game,
        **place_in_pool(request, game),
        "row": lobby.row(game, visitor(request)),
        "pools": jackpots.pools(game),
        "wrong": wrong,
    }
    return render(request, "ring/_pool_panel.html", context)


def _of_table(request: HttpRequest, table: Table, wrong: str = "") -> HttpResponse:
    user, game = visitor(request), listed_game(request, table.game)
    own = mine.sessions(user, table=table.pk) if user else []
    context = {
        "table": table,
        "game": game,
        "own": own[0] if own else None,
        "row": None if own else lobby.row(game, user),
        "has_seat": not own and lobby.has_seat(table, user),
        "pools": jackpots.pools(game),
        "wrong": wrong,
    }
    return render(request, "ring/_panel.html", context)
