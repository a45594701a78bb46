"""The managers' form of a club's new tournament: the organiser's form, with its audiences."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.clubs.bank import held
from accounts.models import Club, User
from accounts.pages.clubs.access import manager
from config.numbers import whole
from tournaments.admin.offers.fields import ASKED
from tournaments.models import Tournament
from tournaments.models.audience import Audience
from tournaments.pages import offering
from tournaments.pages.offering import BASICS, PageForm
from tournaments.running import series
from tournaments.schedule.options import OF_CLUBS


class ClubPageForm(PageForm):
    """All options of a club's tournament."""

    club: Club

    watched_by = forms.ChoiceField(
        label=_("Watched by"), choices=Audience.choices, initial=Audience.MEMBERS
    )
    entered_by = forms.ChoiceField(
        label=_("Entered by"),
        choices=Audience.choices,
        initial=Audience.MEMBERS,
        help_text=_("Invited players are named in the cockpit."),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        target = self.fields["target"]
        assert isinstance(target, forms.ModelChoiceField)
        target.queryset = club.tournaments.filter(state__in=("announced", "registering"))
        for name in ("bounty_players", "pro_bounty"):
            self.fields.pop(name, None)

    @property
    def basics(self) -> list[forms.BoundField]:
        """Return the fields that every tournament of a club needs."""
        return [self[name] for name in (*BASICS, *OF_CLUBS[1:])]

    def offer(self) -> dict[str, Any]:
        """Return the fields of Tournament with the club and its audiences."""
        audiences = {name: self.cleaned_data[name] for name in OF_CLUBS[1:]}
        return super().offer() | {"club": self.club, **audiences}


@manager
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the form (GET), then make the club's tournament and open it on request.

    `?like=` fills the form with the options of an earlier tournament of the club.
    """
    initial = {} if request.method == "POST" else _like(request, club)
    form = ClubPageForm(club, request.POST or None, instance=Tournament(), initial=initial)
    if request.method == "POST" and form.is_valid():
        return offering.make_tournament(request, form, may_open=True)
    context = {
        "form": form,
        "page": "organise",
        "may_open": True,
        "club": club,
        "club_money": held(club),
        "preview_address": reverse("club_offer_preview", args=[club.slug]),
    }
    return render(request, "tournaments/organise/new.html", context)


@manager
@require_POST
def preview(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show levels, expected end and prizes of the unsaved form; nothing is stored."""
    given = request.POST.copy()
    given["name"] = given.get("name") or "–"
    return offering.preview_of(ClubPageForm(club, given, instance=Tournament()))


def _like(request: HttpRequest, club: Club) -> dict[str, Any]:
    """Return the options of the tournament in `?like=`; none for one of another club."""
    number = whole(request.GET.get("like", ""))
    like = club.tournaments.filter(pk=number or 0).first()
    if like is None:
        return {}
    given = {name: getattr(like, name) for name in (*ASKED, *OF_CLUBS[1:])}
    return given | {"structure_row": series.known_structure(like), "starts_at": None}
