"""The form of a new tournament: a structure, and every option the structure does not say."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import offers, options, words
from tournaments.admin.payouts import PayoutRowsField
from tournaments.models import Structure, Tournament
from tournaments.refusals import REFUSALS

ASKED = tuple(name for _words, names in options.GROUPS.values() for name in names)
"""The fields that are asked for; the levels come with the structure."""


class OfferForm(forms.ModelForm):
    """Everything an operator may offer; what cannot be played is refused in the house's words."""

    structure_row = forms.ModelChoiceField(
        Structure.objects.all(), label=gettext_lazy("Structure"), required=True
    )
    secret = forms.CharField(
        label=gettext_lazy("Password"),
        required=False,
        widget=forms.PasswordInput(render_value=True),
        help_text=gettext_lazy("Only who knows it may register (T-02). Empty: open to all."),
    )
    variant = forms.ChoiceField(label=gettext_lazy("Variant"), choices=list(words.GAMES.items()))
    limit = forms.ChoiceField(label=gettext_lazy("Limit"), choices=list(words.LIMITS.items()))
    payout_preset = forms.ChoiceField(
        label=gettext_lazy("Payouts"), choices=[(name, name) for name in offers.PAYOUTS]
    )
    payout_table = PayoutRowsField(
        label=gettext_lazy("Own payout table"),
        required=False,
        help_text=gettext_lazy("Lines like 4-9: 70 30, instead of a preset (Z-02)."),
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=300)

    class Meta:
        model = Tournament
        fields = ASKED

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["starting_stack"].required = False
        self.fields["starting_stack"].help_text = _("Empty: as the structure says.")
        self.fields["target"].queryset = Tournament.objects.filter(
            state__in=("announced", "registering")
        )
        for name in ASKED:
            if self.is_bound and self._is_unsaid(name):
                self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        """Let the house's own check say what cannot be played."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        structure = given["structure_row"]
        given["starting_stack"] = given.get("starting_stack") or structure.starting_stack
        try:
            offers.check(offers.from_structure(structure, **self.offer()))
        except REFUSALS as refusal:
            raise forms.ValidationError(words.refused(refusal), code=refusal.code) from refusal
        return given

    def _post_clean(self) -> None:
        """The row is made by the offer, not by the form."""

    def offer(self) -> dict[str, Any]:
        """The fields of Tournament as they were asked for; what was not said stays as it is."""
        return {
            name: self.cleaned_data[name]
            for name in ASKED
            if not self._is_unsaid(name) and not self._is_empty(name)
        }

    def _is_unsaid(self, name: str) -> bool:
        widget = self.fields[name].widget
        return widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name))

    def _is_empty(self, name: str) -> bool:
        return self.cleaned_data[name] is None and not Tournament._meta.get_field(name).null
