"""Form fields of composite options: bounties on players, kinds of deals."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import money
from tournaments.models import Deal


class BountyPlayersField(forms.CharField):
    """Lines like `Ann: 25.00`; the value is {name: cents}, as a tournament stores it (N-02)."""

    widget = forms.Textarea(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        """Format stored bounties as lines."""
        if isinstance(value, dict):
            return "\n".join(f"{name}: {money.text(amount)}" for name, amount in value.items())
        return value

    def clean(self, value: Any) -> Any:
        """Parse names and cents; refuse an unreadable line."""
        chosen: dict[str, int] = {}
        for line in str(super().clean(value) or "").splitlines():
            name, _colon, typed = line.rpartition(":")
            amount = money.parse(typed.strip())
            if not line.strip():
                continue
            if not name.strip() or amount is None:
                raise forms.ValidationError(_("A line looks like this: Ann: 25.00"), code="line")
            if name.strip() in chosen:
                raise forms.ValidationError(
                    _("%(name)s is named twice."), code="twice", params={"name": name.strip()}
                )
            chosen[name.strip()] = amount
        return chosen


class HouseChoiceField(forms.ChoiceField):
    """A choice that is checked with the whole offer, so that its message is the offer's."""

    def valid_value(self, value: Any) -> bool:
        """Accept any value: the check of the offer knows the valid ones."""
        return True


class DealKinds(forms.CheckboxSelectMultiple):
    """Check boxes; without a tick the stored kinds stay."""

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        """Return whether no kind was ticked."""
        return name not in data


class DealKindsField(forms.MultipleChoiceField):
    """The kinds of deals open to a proposal (Y-02)."""

    widget = DealKinds

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            choices=Deal.Kind.choices,
            required=False,
            label=gettext_lazy("Kinds of deals"),
            help_text=gettext_lazy("What a proposal may choose; none chosen: all (Y-02)."),
            **kwargs,
        )
