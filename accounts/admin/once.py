"""Form tokens that make a repeated submit of one form book only once."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.crypto import get_random_string

_CHARACTERS = 22


class TokenField(forms.RegexField):
    """Hidden token of one shown form, used as the idempotency key of the booking."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            f"^[A-Za-z0-9]{{{_CHARACTERS}}}$", widget=forms.HiddenInput, initial=_fresh, **kwargs
        )


def _fresh() -> str:
    return get_random_string(_CHARACTERS)
