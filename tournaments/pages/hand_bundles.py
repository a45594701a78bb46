"""Download of all finished hands of a tournament, as its reader was shown them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.history.released import hands_of_game
from tables.pages.bundles import bundle
from tournaments.pages.private import seen_tournament


@never_cache
@require_GET
def hands(request: HttpRequest, pk: str, ending: str) -> HttpResponseBase:
    """Stream the released hands of a tournament; Http404 where the visitor may not see it."""
    tournament = seen_tournament(request, int(pk))
    rows = hands_of_game("tournament", tournament.pk)
    back = reverse("tournament", args=[tournament.pk])
    return bundle(request, rows, ending, name=f"tournament-{tournament.pk}-hands", back=back)
