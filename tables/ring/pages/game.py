"""Page of one ring game: terms, tables with their seats, rake and jackpots (R-01)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.dealer import director
from tables.ring.models import RingGame
from tables.ring.money import DIRECTOR
from tables.ring.pages.answers import visitor
from tables.ring.queries import jackpots, terms
from tables.ring.queries import lobby as queries


@never_cache
@require_GET
def game(request: HttpRequest, game: int) -> HttpResponse:
    """Show a ring game; players and seats of a private one only to those who sit there."""
    found = get_object_or_404(RingGame, pk=game)
    user = visitor(request)
    may_see = director.may_see(DIRECTOR, found.pk, user.pk if user else None)
    context = {
        "page": "lobby",
        "game": found,
        "row": queries.row(found, user),
        "tables": queries.tables(found, user) if may_see else [],
        "may_see": may_see,
        "terms": terms.terms(found),
        "rake": terms.rake(found),
        "pools": jackpots.pools(found),
    }
    return render(request, "ring/game.html", context)
