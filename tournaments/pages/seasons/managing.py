"""Forms of seasons for managers of clubs and organisers of the room."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import Club, User
from accounts.pages.clubs.access import attempt, manager, refuse
from accounts.refusals import words_of
from config.refusals import Refusal
from tournaments.pages.lobby import visitor
from tournaments.pages.seasons import words
from tournaments.pages.seasons.forms import FormulaForm, SeasonForm, beginning
from tournaments.seasons import access, making
from tournaments.seasons.engine import formulas
from tournaments.seasons.models import Season


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show the form of a season of the room (GET), then make it (POST)."""
    user = visitor(request)
    if user is None or not access.may_manage(user, None):
        raise PermissionDenied
    return _edit(request, user, None, None)


@manager
@require_http_methods(["GET", "POST"])
def new_of_club(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the form of a club's season (GET), then make it (POST)."""
    return _edit(request, user, club, None)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form of a season (GET), then change it (POST)."""
    user, season = _managed(request, pk)
    return _edit(request, user, season.club, season)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what deleting a season does (GET), then delete it (POST)."""
    user, season = _managed(request, pk)
    if request.method == "GET":
        return render(request, "seasons/delete.html", {"page": "lobby", "season": season})
    done = _("%(name)s was deleted.") % {"name": season.name}
    attempt(request, lambda: making.delete_season(user, season), done)
    return redirect("seasons") if season.club is None else redirect("club", season.club.slug)


@login_required
@never_cache
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """Return the points of each place by the unsaved formula, or why it is refused.

    Only for those who make seasons: a formula is counted for hundreds of places.
    """
    user = visitor(request)
    if user is None or not access.makes_seasons(user):
        raise PermissionDenied
    form = FormulaForm(request.POST)
    context: dict[str, object] = {}
    if not form.is_valid():
        context["refused"] = [error for errors in form.errors.values() for error in errors]
        return render(request, "seasons/_preview.html", context)
    field, buy_in = form.cleaned_data["preview_field"], form.cleaned_data["preview_buy_in"]
    formula = form.typed_formula()
    try:
        points = formulas.preview(formula, field, int(buy_in * 100))
    except Refusal as refusal:
        context["refused"] = [words_of(refusal)]
    else:
        context |= {
            "formula": formula,
            "points": [words.points_text(value) for value in points],
            "worse": formulas.rewards_worse_places(points),
        }
    return render(request, "seasons/_preview.html", context)


def _edit(
    request: HttpRequest, user: User, club: Club | None, season: Season | None
) -> HttpResponse:
    first = beginning(season, "Europe/Berlin" if get_language() == "de" else "UTC")
    form = SeasonForm(club, request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        try:
            made = (
                making.make_season(user, club, form.terms())
                if season is None
                else making.change_season(user, season, form.terms())
            )
        except Season.DoesNotExist as error:  # deleted since it was read
            raise Http404 from error
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            sentence = _("%(name)s was made.") if season is None else _("%(name)s is changed.")
            messages.success(request, sentence % {"name": made.name})
            return redirect("season", made.pk)
    context = {"page": "lobby", "form": form, "club": club, "season": season}
    return render(request, "seasons/edit.html", context)


def _managed(request: HttpRequest, pk: int) -> tuple[User, Season]:
    """Return the user and a season that the user may change; raise Http404 for any other."""
    user = visitor(request)
    assert user is not None, "the page asks for a log-in first"
    return user, get_object_or_404(access.managed_seasons(user), pk=pk)
