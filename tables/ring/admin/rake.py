"""Admin of rake tables: rows validated together before any is stored (R-02)."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from accounts.admin.logged_values import LoggedValues
from accounts.admin.units import UnitField
from accounts.refusals import words_of
from config.admin_site import DeclaredLookups
from tables.engine.rake_tables import RakeTableRefusal, check_rows
from tables.ring.models import RakeTable, RakeTableRow
from tables.templatetags.games import GAMES, LIMITS

ANY = [("", _("any"))]


class RakeTableRowForm(forms.ModelForm[RakeTableRow]):
    """Conditions and rake of a row: money in units, the share in percent."""

    variant = forms.ChoiceField(label=_("Variant"), choices=[*ANY, *GAMES.items()], required=False)
    limit = forms.ChoiceField(label=_("Limit"), choices=[*ANY, *LIMITS.items()], required=False)
    basis_points = UnitField(
        label=_("Rake"), scale=100, places=2, min_value=0, max_value=100, help_text=_("in percent")
    )
    small_blind_over = UnitField(
        label=_("Small blind above"), scale=100, places=2, empty=-1, min_value=0, required=False
    )
    small_blind_upto = UnitField(
        label=_("Small blind up to"), scale=100, places=2, min_value=0, required=False
    )
    minimum = UnitField(label=_("Minimum"), scale=100, places=2, empty=0, required=False)
    maximum = UnitField(label=_("Maximum"), scale=100, places=2)

    class Meta:
        model = RakeTableRow
        fields = (
            *("variant", "currency", "limit", "players_min", "players_max", "small_blind_over"),
            *("small_blind_upto", "basis_points", "minimum", "maximum"),
        )
        widgets: ClassVar = {
            "players_min": forms.TextInput(attrs={"inputmode": "numeric"}),
            "players_max": forms.TextInput(attrs={"inputmode": "numeric"}),
        }

    class Media:
        css: ClassVar = {"all": ("css/rake_table.css",)}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if (self.initial.get("small_blind_over") or 0) < 0:
            self.initial["small_blind_over"] = None  # stored as -1: from the smallest on


class RakeRowSet(forms.BaseInlineFormSet[RakeTableRow, RakeTable, RakeTableRowForm]):
    """All rows of a table; contradictions are told in words and nothing is stored."""

    def clean(self) -> None:
        """Refuse rows that the rule refuses, beside the rows it names."""
        super().clean()
        if any(self.errors):
            return
        kept = [
            form for form in self.forms if form.cleaned_data and not form.cleaned_data.get("DELETE")
        ]
        try:
            check_rows([form.instance.rake_row() for form in kept])
        except RakeTableRefusal as refusal:
            words = words_of(refusal)
            for number in refusal.rows:
                kept[number].add_error(None, forms.ValidationError(words, refusal.code))
            raise forms.ValidationError(words, code=refusal.code) from refusal


class RakeTableRowInline(admin.TabularInline[RakeTableRow, RakeTable]):
    """Rows of a rake table; the most special that fits a hand counts."""

    model = RakeTableRow
    form = RakeTableRowForm
    formset = RakeRowSet  # type: ignore[assignment]  # its rows have a form of their own
    extra = 1


@admin.register(RakeTable)
class RakeTableAdmin(LoggedValues, DeclaredLookups[RakeTable]):
    """Rake tables with their rows."""

    list_display = ("name",)
    search_fields = ("name",)
    inlines = (RakeTableRowInline,)
