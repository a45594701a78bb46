"""Pages of one ring game and of one rapid pool: terms, tables, rake, jackpots (R-01, R-03)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.dealer import director
from tables.ring.models import RingGame
from tables.ring.pages import panels
from tables.ring.pages.answers import listed_game, visitor
from tables.ring.queries import jackpots, terms
from tables.ring.queries import lobby as queries


@never_cache
@require_GET
def game(request: HttpRequest, game: int) -> HttpResponse:
    """Show a ring game; players and seats of a private one only to those who sit there."""
    found = listed_game(request, game)
    if found.rapid:
        return redirect("rapid", game)
    return render(request, "ring/game.html", _context(request, found))


@never_cache
@require_GET
def pool(request: HttpRequest, game: int) -> HttpResponse:
    """Show a rapid pool with the visitor's place in it; hands of a private one to its players."""
    found = listed_game(request, game, rapid=True)
    context = {**_context(request, found), **panels.place_in_pool(request, found)}
    return render(request, "ring/pool.html", context)


def _context(request: HttpRequest, found: RingGame) -> dict[str, object]:
    user = visitor(request)
    may_see = director.may_see(found.director, found.pk, user.pk if user else None)
    return {
        "page": "lobby",
        "game": found,
        "row": queries.row(found, user),
        "tables": queries.tables(found, user) if may_see else [],
        "may_see": may_see,
        "terms": terms.terms(found),
        "rake": terms.rake(found),
        "pools": jackpots.pools(found),
    }
