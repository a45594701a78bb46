"""The end screen over a tournament's table, for winners, eliminated players and spectators."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import User
from tournaments.pages.private import seen_tournament
from tournaments.queries.end_screen import end_screen


@never_cache
@require_GET
def panel(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the end screen for this visitor; empty while nothing has ended."""
    tournament = seen_tournament(request, pk)
    user = request.user if isinstance(request.user, User) else None
    context = {"tournament": tournament, "end": end_screen(tournament, user)}
    return render(request, "tournaments/_end.html", context)
