"""Options of an offer as form fields, for tournaments and templates, with their refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import BaseValidator
from django.utils.translation import gettext_lazy as _

from accounts.admin.units import shown
from accounts.refusals import words_of
from config import limits
from config.refusals import Refusal
from tables.templatetags.games import GAMES, LIMITS
from tournaments.admin.offers import relevance, units
from tournaments.admin.offers.option_fields import (
    BountyPlayersField,
    DealKindsField,
    HouseChoiceField,
)
from tournaments.admin.offers.payouts import PayoutRowsField
from tournaments.choices import not_among
from tournaments.engine.blind_plan import MINUTE_MS
from tournaments.engine.formats import FORMATS
from tournaments.models import Tournament
from tournaments.models.options.buying import LateEnds
from tournaments.models.tournament import Start
from tournaments.schedule import making, options

ASKED = tuple(name for _words, names in options.GROUPS.values() for name in names)
"""Options in the form; the levels come with the structure."""

_PAYOUTS = {
    "classic": _("classic"),
    "wide": _("wide: more places, smaller prizes"),
    "winner_takes_all": _("the winner takes all"),
}


class PrizesPreview(forms.NumberInput):
    """The expected number of entries; the page's script shows the prizes for it."""

    class Media:
        js = (forms.Script("js/admin/offer_preview.js", type="module"),)

    def __init__(self, address: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.address = address

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """Add the address and the button's text for the script."""
        attributes = {"data-prizes": self.address, "data-words": _("Show the prizes")}
        context: dict[str, Any] = super().get_context(name, value, {**(attrs or {}), **attributes})
        return context


if TYPE_CHECKING:
    _Units = forms.Form
else:
    _Units = type(forms.Form)(
        "_Units",
        (forms.Form,),
        {"__module__": __name__} | units.fields(ASKED, Tournament),
    )
"""Fields of the options with a unit for people other than the stored one."""


class TournamentSpecFields(_Units):
    """Fields with words, units or widgets other than those of the row."""

    variant = HouseChoiceField(label=_("Variant"), choices=list(GAMES.items()), initial="holdem")
    limit = HouseChoiceField(label=_("Limit"), choices=list(LIMITS.items()), initial="no_limit")
    payout_preset = HouseChoiceField(
        label=_("Payouts"), choices=[(name, _PAYOUTS.get(name, name)) for name in making.PAYOUTS]
    )
    payout_table = PayoutRowsField(
        label=_("Own payout table"),
        required=False,
        help_text=_("Lines like 4-9: 70 30, instead of a preset."),
    )
    late_value = forms.DecimalField(
        label=_("Level, minutes or number"),
        required=False,
        min_value=0,
        max_value=10**9,
        decimal_places=2,
        help_text=_("What late registration ends at."),
    )
    deal_kinds = DealKindsField()
    bounty_players = BountyPlayersField(
        label=_("Bounty players"),
        required=False,
        help_text=_("Lines like Ann: 25.00; the room pays it for the knock-out (N-02)."),
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
        """Relax required fields, offer possible satellite targets, and bound the numbers."""
        self.fields["starting_stack"].required = False
        self.fields["starting_stack"].help_text = _("Empty: as the structure says.")
        target = self.fields["target"]
        assert isinstance(target, forms.ModelChoiceField)
        # A club's tournaments lead only to one another: its own form offers them.
        ahead = Tournament.objects.filter(state__in=("announced", "registering"))
        target.queryset = ahead.filter(club__isnull=True)
        for field in self.fields.values():
            field.help_text = units.without_codes(field.help_text)
        for name in self.asked():
            self._bound(name)
            self._say_choices(name)
            relevance.say(self.fields[name].widget, name)
            if self.is_bound and self.is_unsaid(name):
                self.fields[name].required = False

    def _bound(self, name: str) -> None:
        """Refuse a number outside its column's range beside its field."""
        field = self.fields[name]
        if isinstance(field, forms.IntegerField) and not isinstance(field, forms.DecimalField):
            row = Tournament._meta.get_field(name)
            # The column's own limits are the narrower ones: one message each, not two.
            # The name is that of a column, not of a relation from elsewhere.
            bounds = [check for check in row.validators if isinstance(check, BaseValidator)]  # type: ignore[union-attr]
            others = [check for check in field.validators if not isinstance(check, BaseValidator)]
            field.validators = [*others, *bounds]

    def _say_choices(self, name: str) -> None:
        """Refuse an unknown choice in the sentence of `--offer` and of simulations."""
        field, row = self.fields[name], Tournament._meta.get_field(name)
        # The name is that of a column, not of a relation from elsewhere.
        if isinstance(field, forms.ChoiceField) and row.choices:  # type: ignore[union-attr]
            allowed = [str(choice) for choice, _words in row.choices]  # type: ignore[union-attr]
            field.error_messages["invalid_choice"] = words_of(not_among(name, allowed))

    def show_in_units(self) -> None:
        """Show the end of late registration in minutes if it is a time (E-01)."""
        value = self.initial.get("late_value")
        if value and self.initial.get("late_ends") == LateEnds.AT_TIME:
            self.initial["late_value"] = shown(value, MINUTE_MS)

    def clean(self) -> dict[str, Any]:
        """Convert the end of late registration to its stored form: ms, or a whole number (E-01)."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        value = given.get("late_value")
        if value is None:
            return given
        if given.get("late_ends") == LateEnds.AT_TIME:
            value *= MINUTE_MS
        if value != int(value):
            whole = _("Enter a whole number.")
            self.add_error("late_value", forms.ValidationError(whole, code="invalid"))
        given["late_value"] = int(value)
        return given

    def asked(self) -> tuple[str, ...]:
        """Return the options in this form."""
        return tuple(name for name in ASKED if name in self.fields)

    def offer(self) -> dict[str, Any]:
        """Return the fields of Tournament from the form; a missing option keeps its default."""
        given = {
            name: self.cleaned_data[name]
            for name in self.asked()
            if not self.is_unsaid(name) and not self._is_empty(name)
        }
        return given | self._of_format(given)

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal beside the field it is about."""
        field = refusal.field
        if field == "structure" and field not in self.fields:
            field = "structure_row"
        wrong = forms.ValidationError(words_of(refusal), code=refusal.code)
        self.add_error(field if field in self.fields else None, wrong)

    def is_unsaid(self, name: str) -> bool:
        """Return whether the request has no value for a field."""
        widget = self.fields[name].widget
        return bool(widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name)))

    def _of_format(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return start and field of a format with a fixed field, unless sent (F-04)."""
        name = given.get("format", "")
        rules = FORMATS.get(name)
        if rules is None or not rules.fixed_field:
            return {}
        most = given.get("players_max", rules.players or None)
        fitting = {"start": Start.SIT_AND_GO, "players_max": most, "players_min": most}
        return {
            name: value
            for name, value in fitting.items()
            if name not in given and value is not None and name in self.asked()
        }

    def _is_empty(self, name: str) -> bool:
        return self.cleaned_data[name] is None and not Tournament._meta.get_field(name).null
