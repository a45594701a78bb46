"""The page for finding a player."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from config import limits
from tournaments.pages.lobby import visitor
from tournaments.queries import where as queries_where


@never_cache
@require_GET
def where(request: HttpRequest) -> HttpResponse:
    """List tables and tournaments of players with names beginning with `?name=`."""
    name = request.GET.get("name", "").strip()[: limits.NAME_MAX_CHARACTERS]
    found = queries_where.where(name, visitor(request))
    context = {
        "name": name,
        "found": found,
        "first": len(found) if len(found) == queries_where.FOUND_MAX else 0,
        "too_short": 0 < len(name) < queries_where.LETTERS_MIN,
    }
    return render(request, "tournaments/where.html", context)
