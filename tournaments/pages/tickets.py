"""Pages of a player's tickets: the list, and the exchange of one for money."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.refusals import words_of
from config.refusals import Refusal
from tournaments.pages import confirmations
from tournaments.prizes import tickets


@login_required
@never_cache
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List all tickets of a player."""
    assert isinstance(request.user, User)
    rows = tickets.owned(request.user)
    # Django-htmx adds `htmx` to each request.
    part = bool(request.htmx)  # type: ignore[attr-defined]
    name = "tournaments/_tickets.html" if part else "tournaments/tickets.html"
    return render(request, name, {"tickets": rows, "now": timezone.now()})


@login_required
@never_cache
@require_POST
def exchange(request: HttpRequest, pk: int) -> HttpResponse:
    """Exchange a ticket for its worth in money, or show the refusal (K-06)."""
    assert isinstance(request.user, User)
    try:
        messages.success(request, confirmations.exchanged(tickets.exchange(request.user, pk)))
    except Refusal as refusal:
        messages.error(request, words_of(refusal))
    return redirect("tickets")
