"""Managers' page of a club's templates: kept, used, deleted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import Club, User
from accounts.pages.clubs.access import attempt, club_page, manager, refuse
from config.inputs.numbers import whole
from config.refusals import Refusal
from tournaments.models import Tournament
from tournaments.models.club_template import NAME_MAX_CHARACTERS
from tournaments.queries import templates as queries
from tournaments.running import club_templates


class KeepForm(forms.Form):
    """The name under which a tournament of the club is kept as a template."""

    name = forms.CharField(
        label=gettext_lazy("Name of the template"),
        max_length=NAME_MAX_CHARACTERS,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    tournament = forms.ModelChoiceField(Tournament.objects.none(), widget=forms.HiddenInput)

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **(kwargs | {"label_suffix": ""}))
        tournament = self.fields["tournament"]
        assert isinstance(tournament, forms.ModelChoiceField)
        tournament.queryset = club.tournaments.all()


@manager
@require_http_methods(["GET", "POST"])
def templates(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """List the templates (GET; `?keep=` asks for the name of a new one), or keep one (POST)."""
    if request.method == "POST":
        form = KeepForm(club, request.POST)
        if form.is_valid():
            given = form.cleaned_data
            try:
                made = club_templates.keep(club, user, given["tournament"].pk, given["name"])
            except Refusal as refusal:
                refuse(form, refusal)
            else:
                messages.success(request, _("Template %(name)s was made.") % {"name": made.name})
                return redirect("club_templates", club.slug)
        return _page(request, club, form)
    source = club.tournaments.filter(pk=whole(request.GET.get("keep", "")) or 0).first()
    initial = {"name": source.name, "tournament": source.pk} if source else {}
    return _page(request, club, KeepForm(club, initial=initial) if source else None)


@manager
@require_POST
def delete(request: HttpRequest, club: Club, user: User, pk: int) -> HttpResponse:
    """Delete a template; tournaments made from it stay."""
    attempt(request, lambda: club_templates.delete(club, user, pk), _("The template is deleted."))
    return redirect("club_templates", club.slug)


def _page(request: HttpRequest, club: Club, form: KeepForm | None) -> HttpResponse:
    rows = queries.rows_of(club)
    return club_page(request, "clubs/templates.html", club, templates=rows, form=form)
