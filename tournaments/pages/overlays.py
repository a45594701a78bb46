"""Pages of overlays: links and sponsor for organisers, and the overlay of a link."""

from __future__ import annotations

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.admin.operators import operator
from accounts.pages.onward import posted_from
from accounts.refusals import words_of
from config import limits
from config.files import pictures
from config.inputs.numbers import whole
from config.refusals import Refusal
from tournaments.models import Tournament
from tournaments.overlays import linking, sponsoring
from tournaments.overlays.models import Theme
from tournaments.pages.organisers import RUN, organiser

PANELS = ("players", "board", "clock", "counts", "chips", "payouts", "ticker", "sponsor")
"""Parts of an overlay; `?panels=board,clock` shows these alone."""


class OverlayForm(forms.Form):
    """Name and colours of a new link."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=40)
    theme = forms.ChoiceField(label=gettext_lazy("Colours"), choices=Theme.choices)


@organiser(RUN)
@never_cache
@require_http_methods(["GET", "POST"])
def overlay_links(request: HttpRequest, pk: int) -> HttpResponse:
    """List the links and the sponsor; make a link, which is shown once, or revoke one (POST)."""
    revoked = whole(request.POST.get("revoke", ""))
    if request.method == "POST" and revoked is not None:
        linking.revoke_link(pk, operator(request), revoked)
        return redirect("cockpit_overlays", pk)
    form = OverlayForm(request.POST if request.method == "POST" else None, label_suffix="")
    address = ""
    if form.is_valid():
        wish = form.cleaned_data
        try:
            _, token = linking.make_link(
                pk, operator(request), name=wish["name"], theme=wish["theme"]
            )
        except Refusal as refusal:
            form.add_error(None, words_of(refusal))
        else:
            address = request.build_absolute_uri(reverse("overlay", args=[token]))
            form = OverlayForm(label_suffix="")
    return _page(request, pk, form, address=address)


@organiser(RUN)
@never_cache
@posted_from("cockpit_overlays")
def sponsor(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the uploaded picture of the sponsor in overlays, or remove the present one."""
    upload = request.FILES.get("picture")
    try:
        if upload is not None:
            sponsoring.show_sponsor(pk, operator(request), upload.read())
        elif "remove" in request.POST:
            sponsoring.remove_sponsor(pk, operator(request))
        else:
            raise sponsoring.NoPicture
    except Refusal as refusal:
        return _page(request, pk, OverlayForm(label_suffix=""), refused=words_of(refusal))
    return redirect("cockpit_overlays", pk)


def _page(
    request: HttpRequest, pk: int, form: OverlayForm, *, address: str = "", refused: str = ""
) -> HttpResponse:
    context = {
        "page": "organise",
        "tournament": get_object_or_404(Tournament, pk=pk),
        "form": form,
        "address": address,
        "links": linking.open_links(pk),
        "sponsor": sponsoring.sponsor_address(pk),
        "refused": refused,
        "formats": ", ".join(pictures.FORMATS),
        "most_kb": limits.PICTURE_MAX_BYTES // 1_000,
    }
    return render(request, "tournaments/organise/overlays.html", context)


@never_cache
@require_GET
def overlay(request: HttpRequest, token: str) -> HttpResponse:
    """Show the transparent overlay of a link; missing for an invented or revoked one."""
    link = linking.find_link(token)
    if link is None:
        raise Http404
    asked = [name for name in request.GET.get("panels", "").split(",") if name in PANELS]
    theme = request.GET.get("theme", link.theme)
    context = {
        "tournament": link.tournament,
        "token": token,
        "sponsor": sponsoring.sponsor_address(link.tournament_id),
        "theme": theme if theme in Theme.values else link.theme,
        "hidden": [name for name in PANELS if asked and name not in asked],
    }
    return render(request, "tournaments/overlay.html", context)
