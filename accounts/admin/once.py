"""Forms that do their work once, however often they are sent: each has a name of its own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.crypto import get_random_string

_CHARACTERS = 22


class TokenField(forms.RegexField):
    """Hidden: names the form that was shown, for whoever books what it asks for."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            f"^[A-Za-z0-9]{{{_CHARACTERS}}}$", widget=forms.HiddenInput, initial=_fresh, **kwargs
        )


def _fresh() -> str:
    return get_random_string(_CHARACTERS)
