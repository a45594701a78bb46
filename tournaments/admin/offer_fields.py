"""The options of an offer as form fields, for tournaments and templates, with their refusals."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config import limits
from tournaments import offers, options, words
from tournaments.admin.payouts import PayoutRowsField
from tournaments.models import Tournament
from tournaments.refusal_words import Refused, field_of, refused

ASKED = tuple(name for _words, names in options.GROUPS.values() for name in names)
"""The fields that are asked for; the levels come with the structure."""


class PrizesPreview(forms.NumberInput):
    """How many are expected; the script of the page shows what they would win."""

    class Media:
        js = (forms.Script("js/offer_preview.js", type="module"),)

    def __init__(self, address: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.address = address

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """The number with all the script needs: where to ask, and the word of its button."""
        said = {"data-prizes": self.address, "data-words": _("Show the prizes")}
        context: dict[str, Any] = super().get_context(name, value, {**(attrs or {}), **said})
        return context


class OfferFields(forms.Form):
    """The fields that need other words or widgets than the row has."""

    variant = forms.ChoiceField(
        label=_("Variant"), choices=list(words.GAMES.items()), initial="holdem"
    )
    limit = forms.ChoiceField(
        label=_("Limit"), choices=list(words.LIMITS.items()), initial="no_limit"
    )
    payout_preset = forms.ChoiceField(
        label=_("Payouts"), choices=[(name, name) for name in offers.PAYOUTS]
    )
    payout_table = PayoutRowsField(
        label=_("Own payout table"),
        required=False,
        help_text=_("Lines like 4-9: 70 30, instead of a preset (Z-02)."),
    )
    planned = forms.IntegerField(
        label=_("Expected entries"),
        required=False,
        min_value=2,
        max_value=limits.ENTRIES_MAX,
        widget=PrizesPreview(),
        help_text=_("Shows the prizes of so many before anything is saved; not kept."),
    )

    def open_options(self) -> None:
        """What may be left out, and where a satellite may lead."""
        self.fields["starting_stack"].required = False
        self.fields["starting_stack"].help_text = _("Empty: as the structure says.")
        self.fields["target"].queryset = Tournament.objects.filter(  # type: ignore[attr-defined]
            state__in=("announced", "registering")
        )
        for name in self.asked():
            if self.is_bound and self.is_unsaid(name):
                self.fields[name].required = False

    def asked(self) -> tuple[str, ...]:
        """The options this form asks for."""
        return tuple(name for name in ASKED if name in self.fields)

    def offer(self) -> dict[str, Any]:
        """The fields of Tournament as they were asked for; what was not said stays as it is."""
        return {
            name: self.cleaned_data[name]
            for name in self.asked()
            if not self.is_unsaid(name) and not self._is_empty(name)
        }

    def refuse(self, refusal: Refused) -> None:
        """Show a refusal beside the field it is about."""
        field = field_of(refusal)
        if field == "structure" and field not in self.fields:
            field = "structure_row"
        wrong = forms.ValidationError(refused(refusal), code=refusal.code)
        self.add_error(field if field in self.fields else None, wrong)

    def is_unsaid(self, name: str) -> bool:
        """Whether a field was not sent at all."""
        widget = self.fields[name].widget
        return widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name))

    def _is_empty(self, name: str) -> bool:
        return self.cleaned_data[name] is None and not Tournament._meta.get_field(name).null
