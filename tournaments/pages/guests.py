"""The page of a club tournament's guests: players invited by name."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.admin.operators import operator
from accounts.refusals import words_of
from config import limits
from config.inputs.numbers import whole
from config.refusals import Refusal
from tournaments.entries import guests
from tournaments.models import Tournament
from tournaments.pages.organisers import RULE, organiser


class GuestForm(forms.Form):
    """Name of a player to invite."""

    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=limits.NAME_MAX_CHARACTERS,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


@organiser(RULE)
@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """List the guests (GET), then invite one, or take an invitation back (POST)."""
    tournament = get_object_or_404(Tournament.objects.select_related("club"), pk=pk)
    if tournament.club is None:
        raise Http404
    gone = whole(request.POST.get("uninvite", ""))
    if request.method == "POST" and gone is not None:
        guests.uninvite(pk, gone, actor=operator(request))
        return redirect("cockpit_guests", pk)
    form = GuestForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        try:
            guest = guests.invite(pk, form.cleaned_data["player"], actor=operator(request))
        except Refusal as refusal:
            form.add_error("player", words_of(refusal))
        else:
            messages.success(request, _("%(name)s is invited.") % {"name": guest.user.name})
            return redirect("cockpit_guests", pk)
    rows = tournament.guests.select_related("user").order_by("user__name_key")
    context = {"page": "organise", "tournament": tournament, "form": form, "guests": rows}
    return render(request, "tournaments/organise/guests.html", context)
