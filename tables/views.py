"""The page of a table: the same for who plays there and who watches."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.models import Table


@never_cache
@require_GET
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """A table by its key; the socket decides what whoever looks may see."""
    found = get_object_or_404(Table, pk=pk)
    context = {"table": found, "game": found.game, "game_url": _game_url(found)}
    return render(request, "tables/table.html", context)


def _game_url(table: Table) -> str:
    """The page of the game a table belongs to: a director's pages are named after it."""
    try:
        return reverse(table.director, args=[table.game])
    except NoReverseMatch:
        return ""
