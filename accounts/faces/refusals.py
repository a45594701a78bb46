"""Refusals of flags."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class NoSuchCountry(Refusal):
    """Refusal of a code that names no country."""

    code = "no_such_country"
    field = "country"
    sentence = _("Choose a country of the list, or none.")
