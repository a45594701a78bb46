"""Page of the own words for the cut: they stay in the browser, so none are read or taken here."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET


@never_cache
@login_required
@require_GET
def own_words(request: HttpRequest) -> HttpResponse:
    """Show the box for the own words, which a script of the page fills and keeps."""
    return render(request, "tables/own_words.html")
