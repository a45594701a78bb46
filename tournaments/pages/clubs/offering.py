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
from config.inputs.numbers import whole
from tournaments.admin.offers.fields import ASKED
from tournaments.models import Tournament
from tournaments.models.audience import Audience
from tournaments.pages import offering
from tournaments.pages.offering import BASICS, PageForm
from tournaments.running import series
from tournaments.schedule import making
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

    def __init__(
        self, club: Club, *args: Any, source: Tournament | None = None, **kwargs: Any
    ) -> None:
        self.club, self.source = club, source
        self.kept_hash = "" if source is None else source.password
        super().__init__(*args, **kwargs)
        target = self.fields["target"]
        assert isinstance(target, forms.ModelChoiceField)
        target.queryset = club.tournaments.filter(state__in=("announced", "registering"))
        for name in ("bounty_players", "pro_bounty"):
            self.fields.pop(name, None)
        self.fields["added"].label = _("Added by the club")
        structure = self.fields["structure_row"]
        if source is not None and isinstance(structure, forms.ModelChoiceField):
            structure.empty_label = _("as before, or made for the hours below")

    @property
    def basics(self) -> list[forms.BoundField]:
        """Return the fields that every tournament of a club needs."""
        return [self[name] for name in (*BASICS, *OF_CLUBS[1:])]

    def offer(self) -> dict[str, Any]:
        """Return the fields of Tournament with the club and its audiences."""
        audiences = {name: self.cleaned_data[name] for name in OF_CLUBS[1:]}
        return super().offer() | {"club": self.club, **audiences}

    def _choose_structure(self, given: dict[str, Any]) -> None:
        """Take the levels of the source when neither a structure nor hours are chosen."""
        chosen = given.get("structure_row"), given.get("hours")
        if self.source is not None and chosen == (None, None):
            given["structure_row"] = making.structure_of(self.source)
            return
        super()._choose_structure(given)


@manager
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the form (GET), then make the club's tournament and open it on request.

    `?like=` fills the form with the options of an earlier tournament of the club, `?template=`
    with those of a template.
    """
    name, source = _source(request, club)
    initial = {} if request.method == "POST" else _options(name, source)
    form = ClubPageForm(
        club, request.POST or None, instance=Tournament(), initial=initial, source=source
    )
    if request.method == "POST" and form.is_valid():
        return offering.make_tournament(request, form, may_open=True)
    preview_address = reverse("club_offer_preview", args=[club.slug])
    context = {
        "form": form,
        "page": "organise",
        "may_open": True,
        "club": club,
        "club_money": held(club),
        "preview_address": f"{preview_address}?like={source.pk}" if source else preview_address,
    }
    return render(request, "tournaments/organise/new.html", context)


@manager
@require_POST
def preview(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show levels, expected end and prizes of the unsaved form; nothing is stored."""
    given = request.POST.copy()
    given["name"] = given.get("name") or "–"
    _name, source = _source(request, club)
    return offering.preview_of(ClubPageForm(club, given, instance=Tournament(), source=source))


def _source(request: HttpRequest, club: Club) -> tuple[str, Tournament | None]:
    """Return the tournament that fills the form, with its name or the template's.

    A number of another club fills nothing.
    """
    if number := whole(request.GET.get("template", "")):
        template = club.templates.select_related("tournament").filter(pk=number).first()
        return ("", None) if template is None else (template.name, template.tournament)
    number = whole(request.GET.get("like", ""))
    like = club.tournaments.filter(pk=number or 0).first()
    return ("", None) if like is None else (like.name, like)


def _options(name: str, source: Tournament | None) -> dict[str, Any]:
    """Return the options of a source; its start time is not among them."""
    if source is None:
        return {}
    given = {option: getattr(source, option) for option in (*ASKED, *OF_CLUBS[1:])}
    known = series.known_structure(source)
    return given | {"name": name, "structure_row": known, "hours": None, "starts_at": None}
