"""The organiser's form of a new tournament: basics first, live preview, open at once."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.refusals import words_of
from config.refusals import Refusal
from tournaments.admin import structures
from tournaments.admin.offers import passwords
from tournaments.admin.offers import prizes as offer_prizes
from tournaments.admin.offers.form import PLAN_PLAYERS, TournamentSpecForm
from tournaments.engine import blind_plan
from tournaments.models import Structure
from tournaments.models.options.formats import Format
from tournaments.models.tournament import Start, Tournament
from tournaments.pages.organisers import MAKE, RUN, organiser
from tournaments.running import operations
from tournaments.schedule import contradictions, options

BASICS = (
    *("name", "variant", "limit", "format", "start", "starts_at"),
    *("buy_in", "fee", "structure_row", "hours", "starting_stack"),
    *("seats_per_table", "players_min", "players_max", "planned"),
)
FIRST_STRUCTURE = "regular"


class PageForm(TournamentSpecForm):
    """The form of all options, with the initial values of an organiser's page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = beginning() | (kwargs.get("initial") or {})
        super().__init__(*args, label_suffix="", **kwargs)
        self.fields["planned"].widget = forms.NumberInput(attrs={"min": 2})

    @property
    def basics(self) -> list[BoundField]:
        """Return the fields that every tournament needs."""
        return [self[name] for name in BASICS]

    @property
    def groups(self) -> list[tuple[object, list[BoundField], bool]]:
        """Return all other options by topic; a topic with an error is unfolded."""
        named = [
            (words, [self[name] for name in names if name not in BASICS and name in self.fields])
            for words, names in options.GROUPS.values()
        ]
        last = (*passwords.asked(self.kept_hash), "reason")
        named.append((gettext_lazy("Password and reason"), [self[name] for name in last]))
        return [
            (words, fields, any(field.errors for field in fields))
            for words, fields in named
            if fields
        ]


def beginning() -> dict[str, Any]:
    """Return the initial values of a new tournament."""
    return {
        "start": Start.SCHEDULED,
        "format": Format.FREEZEOUT,
        "planned": PLAN_PLAYERS,
        "structure_row": Structure.objects.filter(name=FIRST_STRUCTURE).first(),
        "hours": 3,
        "starting_stack": "",
    }


@organiser(MAKE)
@never_cache
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show the form (GET), then make the tournament and open its registration on request."""
    form = PageForm(request.POST or None, instance=Tournament())
    if request.method == "POST" and form.is_valid():
        return make_tournament(request, form, may_open=request.user.has_perm(RUN))
    context = {
        "form": form,
        "page": "organise",
        "may_open": request.user.has_perm(RUN),
        "preview_address": reverse("organise_preview"),
    }
    return render(request, "tournaments/organise/new.html", context)


@organiser(MAKE)
@never_cache
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """Show levels, expected end and prizes of the unsaved form; nothing is stored."""
    given = request.POST.copy()
    given["name"] = given.get("name") or "–"
    return preview_of(PageForm(given, instance=Tournament()))


def preview_of(form: PageForm) -> HttpResponse:
    """Return levels, expected end and prizes of a bound form, or what is wrong with it."""
    if not form.is_valid():
        lead = _("Levels, prizes and the end are shown as soon as this is right:")
        return HttpResponse(format_html("<p>{}</p>{}", lead, offer_prizes.problems(form)))
    tournament = form.draft()
    players = form.cleaned_data["planned"] or PLAN_PLAYERS
    players = max(tournament.players_min, min(players, tournament.players_max))
    ends_ms = blind_plan.forecast_ms(
        tournament.levels(),
        terms=contradictions.terms(tournament),
        players=players,
        stack=tournament.starting_stack,
        play_time_ms=tournament.play_time_ms,
    )
    ends = structures.forecast(ends_ms, players)
    free = not tournament.price and not tournament.added and not tournament.guarantee
    prizes = "" if free else offer_prizes.table(tournament, players)
    levels = structures.preview(tournament.structure, tournament.starting_stack)
    return HttpResponse(format_html("{}{}{}", ends, prizes, levels))


def make_tournament(request: HttpRequest, form: PageForm, *, may_open: bool) -> HttpResponse:
    """Make the tournament of a valid form, open it on request, and show its cockpit."""
    assert isinstance(request.user, User)
    tournament = form.create(request.user)
    sentence = _("%(name)s was made.")
    if "open" in request.POST and may_open:
        try:
            operations.open(tournament.pk, actor=request.user, reason=form.cleaned_data["reason"])
        except Refusal as refusal:
            messages.error(request, words_of(refusal))
        else:
            sentence = _("%(name)s was made, and registration is open.")
    messages.success(request, sentence % {"name": tournament.name})
    return redirect("cockpit", tournament.pk)
