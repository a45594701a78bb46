"""The editor of a structure: rows for levels and breaks instead of JSON, with a live preview."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.structure_plans import ANTES
from tournaments.engine import blind_plan
from tournaments.models import Structure
from tournaments.models.structure import encoded

NEW_PLAYERS, NEW_STACK, NEW_MINUTES = 27, 3_000, 180


class LevelsDecoder(json.JSONDecoder):
    """JSON of levels; a text nested too deeply to be read is no JSON."""

    def decode(self, text: str) -> Any:  # type: ignore[override]  # the second argument is private
        """Return the value of a text; raises JSONDecodeError."""
        try:
            return super().decode(text)
        except RecursionError as deep:
            raise json.JSONDecodeError("nested too deeply", text[:1], 0) from deep


class LevelsEditor(forms.Textarea):
    """The JSON of the levels; the page's script shows rows in its place."""

    class Media:
        js = (forms.Script("js/admin/structure_editor.js", type="module"),)
        css = {"all": ("css/structure_editor.css",)}

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """Add the address and the words for the script."""
        attributes = {
            "data-structure-editor": True,
            "data-preview": reverse("admin:tournaments_structure_preview"),
            "data-plan": reverse("admin:tournaments_structure_plan"),
            "data-words": json.dumps(words(), default=str),
            "data-ladder": json.dumps(blind_plan.SMALL_BLINDS),
        }
        context: dict[str, Any] = super().get_context(name, value, {**(attrs or {}), **attributes})
        return context


def words() -> dict[str, object]:
    """Return the words of the editor in the operator's language."""
    return {
        "level": _("Level"),
        "break": _("Break"),
        "small_blind": _("Small blind"),
        "big_blind": _("Big blind"),
        "ante": _("Ante"),
        "ante_kind": _("Ante is paid"),
        "bring_in": _("Bring-in"),
        "small_bet": _("Small bet"),
        "big_bet": _("Big bet"),
        "spread_max": _("Most of a spread"),
        "own_bets": _("Bets of split or spread limit"),
        "lasts": _("Lasts"),
        "lasts_all": _("All levels last"),
        "set": _("Set"),
        "up": _("Earlier"),
        "down": _("Later"),
        "remove": _("Remove"),
        "add_level": _("Add a level"),
        "add_break": _("Add a break"),
        "units": {"minutes": _("minutes"), "hands": _("hands")},
        "ante_kinds": ANTES,
        "players": _("Players"),
        "hours": _("Hours"),
        "antes": _("Antes"),
        "stud": _("Stud"),
        "plan": _("Suggest levels"),
        "plan_lead": _("Levels that end in time:"),
        "signs": {
            "up": "↑",
            "down": "↓",
            "remove": "✕",
            "level": f"+ {_('Level')}",
            "break": f"+ {_('Break')}",
        },
    }


def new_structure() -> dict[str, object]:
    """Return initial levels and stack: an evening of three hours for three tables."""
    levels = blind_plan.plan(NEW_PLAYERS, NEW_STACK, NEW_MINUTES)
    return {"starting_stack": NEW_STACK, "items": encoded(levels)}


class StructureForm(forms.ModelForm[Structure]):
    """A structure: a name, a stack, and the rows of the editor."""

    class Meta:
        model = Structure
        fields = ("name", "starting_stack", "items")
        widgets = {"items": LevelsEditor}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        items = self.fields.get("items")  # none for staff who only look at structures
        if isinstance(items, forms.JSONField):
            items.decoder = LevelsDecoder
