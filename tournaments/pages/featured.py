"""Page of a tournament's featured table: settled hands with all cards, after the delay."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import User
from tournaments.models.options.cards_up import CardsUp
from tournaments.pages.private import seen_tournament
from tournaments.streams import cards_up


@never_cache
@require_GET
def featured(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the featured table as its stream tells it; missing where no cards are shown."""
    tournament = seen_tournament(request, pk)
    if tournament.cards_up == CardsUp.OFF:
        raise Http404
    user = request.user if isinstance(request.user, User) else None
    if not cards_up.may_follow(user, tournament):
        raise PermissionDenied
    return render(request, "tournaments/featured.html", {"tournament": tournament})
