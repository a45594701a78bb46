"""Form of a season: a formula of a known league or one's own, days, best results, and ties."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from config import limits
from config.time_zones import zone_names
from tournaments.models import Template, Tournament
from tournaments.pages.seasons.words import PRESET_WORDS
from tournaments.seasons.engine.formulas import PRESETS, preset_of
from tournaments.seasons.making import SeasonTerms
from tournaments.seasons.models import Season

OWN = "own"
_SERIES_SHOWN = 200


def _day(**kwargs: Any) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(widget=widget, input_formats=["%Y-%m-%d"], **kwargs)


class FormulaForm(forms.Form):
    """The formula of a season, with the field and buy-in of its preview."""

    preset = forms.ChoiceField(
        label=_("Points"),
        choices=[*PRESET_WORDS.items(), (OWN, _("a formula of your own"))],
        initial="square_root",
    )
    formula = forms.CharField(
        label=_("Formula of your own"),
        required=False,
        # The rules refuse a longer one in words.
        max_length=limits.FORMULA_MAX_CHARACTERS * 10,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "With place, field and buy_in, + - * / ^, comparisons, and sqrt, log10, floor, ceil, "
            "round, min, max, if(a, b, c), table(25, 18, 15)."
        ),
    )
    preview_field = forms.IntegerField(
        label=_("Preview for entries"),
        initial=12,
        min_value=1,
        max_value=limits.SEASON_PREVIEW_FIELD_MAX,
    )
    preview_buy_in = forms.DecimalField(
        label=_("Preview for a buy-in of"), initial=10, min_value=0, max_value=1_000_000
    )

    def typed_formula(self) -> str:
        """Return the formula that a valid form means."""
        preset = str(self.cleaned_data["preset"])
        return PRESETS.get(preset) or str(self.cleaned_data["formula"])


class SeasonForm(FormulaForm):
    """All terms of a season; the rules are in `tournaments.seasons.making`."""

    name = forms.CharField(
        label=_("Name"),
        max_length=limits.SEASON_NAME_MAX_CHARACTERS,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    first_day = _day(label=_("First day"))
    last_day = _day(label=_("Last day"))
    zone = forms.ChoiceField(
        label=_("Time zone"), choices=lambda: [(name, name) for name in zone_names()]
    )
    series = forms.CharField(
        label=_("Only tournaments of this name"),
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"list": "series-names", "autocomplete": "off"}),
        help_text=_("Empty: all of them count."),
    )
    best_of = forms.IntegerField(
        label=_("Best results that count"),
        initial=0,
        min_value=0,
        max_value=limits.SEASON_BEST_OF_MAX,
        help_text=_("Of each player; 0: all results."),
    )
    first_tie = forms.ChoiceField(
        label=_("Equal points: first"), choices=[("", _("shared rank")), *Season.Tie.choices],
        required=False, initial="wins",
    )  # fmt: skip
    second_tie = forms.ChoiceField(
        label=_("Equal points: then"), choices=[("", _("shared rank")), *Season.Tie.choices],
        required=False, initial="countback",
    )  # fmt: skip
    audience = forms.ChoiceField(
        label=_("Seen by"),
        choices=Season.SeasonAudience.choices,
        initial=Season.SeasonAudience.MEMBERS,
        help_text=_("Tournaments count that all of these may watch."),
    )

    field_order = (
        *("name", "first_day", "last_day", "zone", "series", "audience"),
        *("best_of", "first_tie", "second_tie"),
        *("preset", "formula", "preview_field", "preview_buy_in"),
    )

    def __init__(self, club: Club | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"label_suffix": ""})
        self.series_names = _series_of(club)
        if club is None:
            del self.fields["audience"]

    @property
    def terms_fields(self) -> list[forms.BoundField]:
        """Return the fields above the formula."""
        return [field for field in self if field.name not in FormulaForm.base_fields]

    @property
    def formula_fields(self) -> list[forms.BoundField]:
        """Return the fields of the formula and its preview."""
        return [self[name] for name in FormulaForm.base_fields]

    def terms(self) -> SeasonTerms:
        """Return the typed terms of a valid form."""
        typed = self.cleaned_data
        ties = dict.fromkeys(typed[name] for name in ("first_tie", "second_tie") if typed[name])
        same = ("name", "first_day", "last_day", "zone", "series", "best_of")
        return SeasonTerms(
            **{name: typed[name] for name in same},
            formula=self.typed_formula(),
            ties=tuple(ties),
            audience=typed.get("audience", Season.SeasonAudience.EVERYBODY),
        )


def beginning(season: Season | None, zone: str) -> dict[str, Any]:
    """Return the first values of the form: the season's, or three months from today on."""
    if season is None:
        today = timezone.localdate()
        return {"first_day": today, "last_day": today + timedelta(days=90), "zone": zone}
    ties = [*season.ties, "", ""]
    preset = preset_of(season.formula) or OWN
    same = ("name", "first_day", "last_day", "zone", "series", "best_of", "audience")
    return {name: getattr(season, name) for name in same} | {
        "preset": preset,
        "formula": season.formula if preset == OWN else "",
        "first_tie": ties[0],
        "second_tie": ties[1],
    }


def _series_of(club: Club | None) -> list[str]:
    """Return the names of tournaments of a club or the room, the newest first."""
    names = Tournament.objects.filter(club=club).order_by("-pk").values_list("name", flat=True)
    found = dict.fromkeys(names[:_SERIES_SHOWN])
    if club is None:
        found |= dict.fromkeys(Template.objects.values_list("name", flat=True))
    return list(found)
