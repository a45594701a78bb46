"""Access to a private or club tournament for visitors who may not see it yet (T-02)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from tournaments import rows
from tournaments.entries import privacy
from tournaments.models import Tournament
from tournaments.models.tournament import SeenBy
from tournaments.queries import lobby_rows


def seen_tournament(request: HttpRequest, pk: int) -> Tournament:
    """Return a tournament the visitor may see; raise Http404 as for a missing one."""
    tournament = _read(pk)
    user = request.user if isinstance(request.user, User) else None
    if not privacy.may_see(user, tournament):
        raise Http404
    return tournament


def listed_tournament(request: HttpRequest, pk: int) -> Tournament:
    """Return a tournament the visitor may know of; raise Http404 as for a missing one."""
    tournament = _read(pk)
    user = request.user if isinstance(request.user, User) else None
    if not privacy.may_list(user, tournament):
        raise Http404
    return tournament


def closed_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the lobby's values, and the password form where a password admits (403)."""
    user = request.user if isinstance(request.user, User) else None
    context = {
        "tournament": tournament,
        "row": lobby_rows.of_tournament(tournament, user),
        "opens": tournament.seen_by == SeenBy.KNOWN,
    }
    return render(request, "tournaments/closed.html", context, status=403)


def _read(pk: int) -> Tournament:
    found = rows.find_tournament(pk)
    if found is None:
        raise Http404
    return found
