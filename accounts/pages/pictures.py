"""Parts that all pages of uploaded pictures share: the form, and the answer with a picture."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config import limits
from config.files.pictures import CONTENT_TYPE, FORMATS

FOREVER_S = 365 * 24 * 3_600
"""Browsers keep a picture: another one has another key."""


class PictureForm(forms.Form):
    """Form of a new picture; `config.files.pictures` checks it."""

    picture = forms.FileField(
        label=_("Picture"),
        widget=forms.ClearableFileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
    )

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.fields["picture"].help_text = gettext(
            "%(formats)s, at most %(most_kb)s kB. It is cut to a square; place and camera are"
            " taken out."
        ) % {"formats": ", ".join(FORMATS), "most_kb": limits.PICTURE_MAX_BYTES // 1_000}


def shown(picture: bytes | None) -> HttpResponse:
    """Return a picture as the room encoded it; raises Http404 for None."""
    if picture is None:
        raise Http404
    return HttpResponse(picture, content_type=CONTENT_TYPE)
