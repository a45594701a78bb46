"""Levels planned from players, stack and length, for the editor of structures."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.refusals import words_of
from config import limits
from config.refusals import Refusal
from tournaments.engine import blind_plan
from tournaments.engine.structure import BlindStructure, for_stud

ANTES = {
    "none": _("by nobody"),
    "per_seat": _("by every seat"),
    "big_blind": _("by the big blind"),
}


class PlanForm(forms.Form):
    """Players, stack in chips, length in hours, and the antes of the levels to plan."""

    players = forms.IntegerField(label=_("Players"), min_value=2, max_value=limits.ENTRIES_MAX)
    starting_stack = forms.IntegerField(
        label=_("Starting stack"),
        min_value=blind_plan.PLAN_STACK_MIN,
        max_value=limits.STACK_MAX_CHIPS,
    )
    hours = forms.DecimalField(
        label=_("Hours"),
        min_value=0.25,
        max_value=blind_plan.PLAN_MINUTES_MAX // 60,
        max_digits=4,
        decimal_places=2,
    )
    ante_kind = forms.ChoiceField(label=_("Ante is paid"), choices=list(ANTES.items()))
    stud = forms.BooleanField(label=_("Stud"), required=False)

    def clean(self) -> dict[str, Any]:
        """Plan the levels; a refusal is shown beside the field it is about."""
        given = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                given["levels"] = self._planned(given)
            except Refusal as refusal:
                field = "hours" if refusal.code == "plan_length" else "starting_stack"
                self.add_error(field, forms.ValidationError(words_of(refusal), code=refusal.code))
        return given

    def _planned(self, given: dict[str, Any]) -> BlindStructure:
        planned = blind_plan.plan(
            given["players"],
            given["starting_stack"],
            int(given["hours"] * 60),
            ante_kind=given["ante_kind"],
        )
        return for_stud(planned) if given["stud"] else planned
