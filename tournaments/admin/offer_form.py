"""The form of a new tournament: a structure, and every option the structure does not say."""

from __future__ import annotations

from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin.once import TokenField
from tournaments import offers
from tournaments.admin.offer_fields import ASKED, OfferFields
from tournaments.admin.passwords import PasswordFields
from tournaments.models import Structure, Tournament
from tournaments.refusals import REFUSALS


class OfferForm(OfferFields, PasswordFields, forms.ModelForm):
    """Everything an operator may offer; what cannot be played is refused in the house's words."""

    structure_row = forms.ModelChoiceField(
        Structure.objects.all(), label=gettext_lazy("Structure"), required=True
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=300)
    token = TokenField()

    class Meta:
        model = Tournament
        fields = ASKED

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.open_options()
        self.say_what_is_kept()
        self.fields["planned"].widget.address = reverse("admin:tournaments_offer_prizes")

    def clean(self) -> dict[str, Any]:
        """Let the house's own check say what cannot be played."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        if made := Tournament.objects.filter(occasion=self.occasion).first():
            said = _("This form was sent already: it made tournament %(number)s.")
            raise forms.ValidationError(said % {"number": made.pk}, code="sent_already")
        structure = given["structure_row"]
        given["starting_stack"] = given.get("starting_stack") or structure.starting_stack
        try:
            offers.check(self.draft())
        except REFUSALS as refusal:
            self.refuse(refusal)
        return given

    @property
    def occasion(self) -> str:
        """What names the tournament that this form makes, so that it makes one."""
        return f"form:{self.cleaned_data['token']}"

    def draft(self) -> Tournament:
        """The tournament that would be made, unsaved."""
        return offers.from_structure(self.cleaned_data["structure_row"], **self.offer())

    def _post_clean(self) -> None:
        """The row is made by the offer, not by the form."""
