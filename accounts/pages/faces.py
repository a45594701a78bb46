"""Pages of faces: the own picture and flag, any picture by its key, and the faces of a table."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.faces import faces
from accounts.faces.countries import countries
from accounts.models import User
from accounts.pages.pictures import FOREVER_S, PictureForm, shown
from accounts.refusals import words_of
from config.refusals import Refusal

AT_ONCE_MAX = 20
KNOWN_S = 60
"""Browsers ask again for the faces of a table after so long."""

_NUMBERS = re.compile(r"[0-9]{1,18}(?:,[0-9]{1,18})*")
_json = msgspec.json.Encoder().encode


class FlagForm(forms.Form):
    """The country of the flag."""

    country = forms.ChoiceField(label=_("Flag"), required=False)

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        named = countries(get_language() or "en")
        field = self.fields["country"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", gettext("No flag")), *named.items()]


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def own(request: HttpRequest) -> HttpResponse:
    """Show the own picture and flag (GET) and change one of them (POST, by its button)."""
    user = request.user
    assert isinstance(user, User)
    row = faces.face_of(user)
    upload, flag = PictureForm(), FlagForm(initial={"country": row.country})
    if request.method == "POST":
        step = request.POST.get("step")
        if step == "remove":
            faces.remove_picture(user.pk)
            return _done(request, gettext("Your picture is removed."))
        if step == "flag":
            flag = FlagForm(request.POST)
            if flag.is_valid():
                faces.set_country(user, flag.cleaned_data["country"])
                return _done(request, gettext("Your choice is saved."))
        else:
            upload = PictureForm(request.POST, request.FILES)
            if upload.is_valid() and _taken(user, upload):
                return _done(request, gettext("Your picture is saved."))
    context = {"face": row, "upload": upload, "flag": flag}
    status = 400 if upload.errors or flag.errors else 200
    return render(request, "accounts/face.html", context, status=status)


@require_GET
@cache_control(public=True, max_age=FOREVER_S, immutable=True)
def picture(request: HttpRequest, key: str) -> HttpResponse:
    """Return a player's picture as the room encoded it; Http404 for a key without a face."""
    return shown(faces.picture_of(key))


@require_GET
@cache_control(public=True, max_age=KNOWN_S)
def of_players(request: HttpRequest) -> HttpResponse:
    """Return the faces of the players `?of=1,2,3` as JSON, for the seats of a table."""
    asked = request.GET.get("of", "")
    numbers = {int(text) for text in asked.split(",")} if _NUMBERS.fullmatch(asked) else set()
    if not 0 < len(numbers) <= AT_ONCE_MAX:
        raise Http404
    found = _json({"faces": faces.faces_of(numbers)})
    return HttpResponse(found, content_type="application/json")


def _taken(user: User, form: PictureForm) -> bool:
    try:
        faces.set_picture(user, form.cleaned_data["picture"].read())
    except Refusal as refusal:
        form.add_error("picture", words_of(refusal))
        return False
    return True


def _done(request: HttpRequest, words: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("own_face")
