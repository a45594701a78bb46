"""User of a request, and the tournaments and tables that the user may see or know of."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from accounts.models import User
from tables.dealer import director
from tables.models import Table
from tournaments.entries import privacy
from tournaments.models import Tournament


def caller(request: HttpRequest) -> User:
    """Return the user of the request's token."""
    user = getattr(request, "auth", None)
    assert isinstance(user, User), "a route without authentication"
    return user


def listed(request: HttpRequest, pk: int) -> Tournament:
    """Return a tournament; raise Http404 as for a missing one where the user may not know it."""
    tournament = get_object_or_404(Tournament.objects.select_related("club"), pk=pk)
    if not privacy.may_list(caller(request), tournament):
        raise Http404
    return tournament


def seen(request: HttpRequest, pk: int) -> Tournament:
    """Return a tournament; raise Http404 as for a missing one where the user may not see it."""
    tournament = get_object_or_404(Tournament, pk=pk)
    if not privacy.may_see(caller(request), tournament):
        raise Http404
    return tournament


def seen_table(request: HttpRequest, pk: int) -> Table:
    """Return a table; raise Http404 as for a missing one where the user may not see its game."""
    table = get_object_or_404(Table, pk=pk)
    if not director.may_see(table.director, table.game, caller(request).pk):
        raise Http404
    return table
