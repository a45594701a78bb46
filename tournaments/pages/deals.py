"""Pages of the deal panel: worth of a deal, proposal, and vote (Y-01..Y-03)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.refusals import words_of
from config.refusals import Refusal
from tournaments.models import Tournament
from tournaments.pages import deal_panel
from tournaments.pages.private import seen_tournament
from tournaments.running import deals


@never_cache
@require_GET
def panel(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the panel for this visitor; empty while no deal is possible."""
    return _panel(request, seen_tournament(request, pk), "")


@never_cache
@require_POST
def propose(request: HttpRequest, pk: int) -> HttpResponse:
    """Propose a deal of one kind."""
    kind = request.POST.get("kind", "")
    done = _("Everybody is asked about your deal after this hand.")
    return _do(request, pk, lambda user: deals.propose(user, pk, kind), done)


@never_cache
@require_POST
def vote(request: HttpRequest, pk: int, deal: int) -> HttpResponse:
    """Vote yes or no on a deal."""
    yes = request.POST.get("yes") == "1"
    done = _("Your vote counts.")
    return _do(request, pk, lambda user: deals.vote(user, pk, deal, yes=yes), done)


def _do(request: HttpRequest, pk: int, act: Callable[[User], Any], done: str) -> HttpResponse:
    """Carry out a player's request, and show the panel with the refusal, if any.

    A form that the browser sent by itself, without htmx, leads to the tournament's page.
    """
    tournament = seen_tournament(request, pk)
    message = ""
    if not isinstance(request.user, User):
        message = _("Please log in first.")
    else:
        try:
            act(request.user)
        except Refusal as refusal:
            message = words_of(refusal)
    if not request.htmx:  # type: ignore[attr-defined]  # django-htmx adds it to each request
        if message:
            messages.error(request, message)
        else:
            messages.success(request, done)
        return redirect("tournament", pk)
    tournament.refresh_from_db()
    return _panel(request, tournament, message)


def _panel(request: HttpRequest, tournament: Tournament, message: str) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    shown = deal_panel.of(tournament, user)
    context = {"tournament": tournament, "panel": shown, "message": message}
    return render(request, "tournaments/_deal.html", context)
