"""Statistics of the logged-in player, and the profile of another with the common meetings."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from accounts.names import fold
from config import limits
from tables.statistics import drawing, sharing
from tournaments.entries.visible import open_to, visible
from tournaments.models import Tournament
from tournaments.pages.figures import words
from tournaments.pages.lobby import visitor
from tournaments.queries.figures import counts, meetings, results
from tournaments.seasons import achievements

ROWS_SHOWN = 100
"""Newest results in the table behind a graph."""


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def own(request: HttpRequest) -> HttpResponse:
    """Show the own statistics (GET), or show them to everybody or nobody else (POST).

    `?player=` leads to the page of the player of that name, if there is one for the viewer.
    """
    user = visitor(request)
    assert user is not None, "the page asks for a log-in first"
    if request.method == "POST":
        return _share(request, user)
    if name := request.GET.get("player", "").strip()[: limits.NAME_MAX_CHARACTERS]:
        key = fold(name) if name.isprintable() else ""
        other = User.objects.filter(name_key=key, is_active=True).first()
        if other is not None and (other == user or _page_of(other, user) is not None):
            return redirect("player", other.pk)
        messages.error(request, _("Nobody of this name has met you or shows statistics."))
    context = _figures(user, Tournament.objects.all(), private_too=True)
    context["public"] = sharing.is_public(user)
    return render(request, "figures/own.html", context)


@never_cache
@require_GET
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's public statistics, and the viewer's meetings with that player.

    Without either the page is missing, so that it tells nobody which numbers are players.
    """
    viewer = visitor(request)
    if viewer is not None and viewer.pk == pk:
        return redirect("statistics")
    other = get_object_or_404(User, pk=pk, is_active=True)
    context = _page_of(other, viewer)
    if context is None:
        raise Http404
    return render(request, "figures/player.html", context)


def _share(request: HttpRequest, user: User) -> HttpResponse:
    public = request.POST.get("public") == "1"
    sharing.set_public(user, public=public)
    shown, hidden = _("Everybody sees your statistics."), _("Only you see your statistics.")
    messages.success(request, shown if public else hidden)
    return redirect("statistics")


def _page_of(other: User, viewer: User | None) -> dict[str, Any] | None:
    """Return what a viewer may read of a player; None where there is nothing."""
    seen = open_to(members=False) if viewer is None else visible(viewer)
    is_public = sharing.is_public(other)
    met = None if viewer is None else meetings.meetings_of(viewer, other, seen)
    if not is_public and (met is None or met.is_empty):
        return None
    shown = _figures(other, seen, private_too=False) if is_public else {}
    return shown | {"met": met, "is_public": is_public, "player": other}


def _figures(user: User, seen: QuerySet[Tournament], *, private_too: bool) -> dict[str, Any]:
    """Return the figures of a player from the tournaments that the viewer may see."""
    games = counts.counts_by_game(user, seen, private_too=private_too)
    played = results.tournament_results(user, seen)
    sums = results.result_sums(user, seen)
    older = sums.profit - sum(one.profit for one in played)
    stays = results.ring_results(user, private_too=private_too)
    ring_profit = results.ring_profit(user, private_too=private_too)
    older_stays = ring_profit - sum(one.profit for one in stays)
    earned = achievements.earned(user)
    known = set(
        seen.filter(pk__in=[one.tournament_id for one in earned]).values_list("pk", flat=True)
    )
    return {
        "player": user,
        "hand_figures": words.hand_figures(counts.all_counts(games)),
        "tournament_figures": words.tournament_figures(sums),
        "games": words.game_rows(games),
        "tournament_graph": drawing.sum_graph([one.profit for one in played], older),
        "ring_graph": drawing.sum_graph([one.profit for one in stays], older_stays),
        "results": played[::-1][:ROWS_SHOWN],
        "stays": stays[::-1][:ROWS_SHOWN],
        "achievements": [one for one in earned if one.tournament_id in known],
    }
