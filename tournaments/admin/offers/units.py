"""Options of an offer in the units of people: money with decimals, times, percent, no codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.db import models
from django.utils.functional import keep_lazy_text
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import money
from accounts.admin.units import UnitField
from config import limits
from tournaments.engine.spin import ODDS_SUM
from tournaments.schedule import contradictions

_CODES = re.compile(r"\s*\(?\b[A-Z]-\d\d\b(?:(?:\.\.|, )[A-Z]-\d\d)*\)?")
_IN_MINUTES = frozenset(
    {"play_time_ms", "bubble_charge_ms", "cards_up_delay_ms", "cards_up_final_ms"}
)
_MINUTES = gettext_lazy("minutes")
_REPEAT_SCALE, _REPEAT_MAX_S = 60, 366 * 24 * 3_600
_CHIPS = frozenset({"starting_stack", "late_value"})
_LABELS: Mapping[str, Any] = {
    "action_ms": gettext_lazy("Action time"),
    "bot_action_ms": gettext_lazy("Action time of bots"),
    "bank_ms": gettext_lazy("Time bank"),
    "hand_pause_ms": gettext_lazy("Pause between hands"),
    "showdown_pause_ms": gettext_lazy("Pause after a showdown"),
    "street_pause_ms": gettext_lazy("Pause between streets of an all-in"),
    "offer_ms": gettext_lazy("Time for an offer"),
    "deal_vote_ms": gettext_lazy("Time to vote on a deal"),
    "play_time_ms": gettext_lazy("Play time"),
    "bubble_charge_ms": gettext_lazy("Time charged per hand-for-hand hand"),
    "cards_up_delay_ms": gettext_lazy("Delay of the cards"),
    "cards_up_final_ms": gettext_lazy("Delay at the final table"),
    "repeat_every_s": gettext_lazy("Repeats after"),
    "progressive_bp": gettext_lazy("Paid at once"),
}
_HELP: Mapping[str, Any] = {
    "repeat_every_s": gettext_lazy("Scheduled tournaments only."),
    "progressive_bp": gettext_lazy("Below 100 the rest goes on the winner's head."),
}


class SharesField(forms.CharField):
    """Lines like `2: 75`: a multiplier of a spin and its percentages; the value is for the row.

    Without `places` there is one percentage a line, the probability of the multiplier, and all
    lines sum to 100 %; with `places` there are several, by place.
    """

    widget = forms.Textarea(attrs={"rows": 3})

    def __init__(self, *, total: int, places: bool, **kwargs: Any) -> None:
        self.total, self.places = total, places
        super().__init__(required=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Format the stored value as lines."""
        if not isinstance(value, dict):
            return value
        return "\n".join(
            f"{multiplier}: {' '.join(map(self._percent, shares))}"
            for multiplier, shares in _listed(value)
        )

    def clean(self, value: Any) -> dict[str, Any]:
        """Return parts by multiplier; refuse an unreadable or repeated line, or a wrong sum."""
        lines = str(super().clean(value) or "").splitlines()
        read = [self._line(line) for line in lines if line.strip()]
        found = dict(read)
        if len(found) < len(read):
            (twice, _times), *_rest = Counter(name for name, _parts in read).most_common()
            raise forms.ValidationError(
                _("%(name)s is named twice."), code="twice", params={"name": twice}
            )
        if not self.places and found and sum(map(sum, found.values())) != self.total:
            raise forms.ValidationError(_("The odds add up to exactly 100 %."), code="odds")
        return found if self.places else {name: shares[0] for name, shares in found.items()}

    def _line(self, line: str) -> tuple[str, list[int]]:
        name, _colon, rest = line.replace(",", ".").partition(":")
        try:
            parts = [Decimal(word) * self.total / 100 for word in rest.split()]
            whole = [int(part) for part in parts if 0 < part <= self.total and part == int(part)]
        except ArithmeticError:
            parts, whole = [], []
        right = 0 < len(parts) == len(whole) <= (self.total if self.places else 1)
        if not right or not re.fullmatch(r"[0-9]{1,9}", name.strip()):
            raise forms.ValidationError(_("A line looks like this: 2: 75"), code="bad_line")
        return str(int(name)), whole

    def _percent(self, part: int) -> str:
        return f"{(Decimal(part) * 100 / self.total).normalize():f}"


def fields(names: tuple[str, ...], row: type[models.Model]) -> dict[str, forms.Field]:
    """Return the form fields of options with a unit other than the stored one."""
    by_name = {name: _field(row._meta.get_field(name)) for name in names}
    return {name: field for name, field in by_name.items() if field is not None}


def without_codes(words: object) -> str:
    """Remove rule numbers, which are for the documentation, from a help text."""
    return _CODES.sub("", str(words)).strip()


def is_money(field: Any) -> bool:
    """Return whether an option is an amount in cents: large, and neither chips nor a time."""
    large = isinstance(field, models.PositiveBigIntegerField)
    return large and field.name not in _CHIPS and not field.name.endswith(("_ms", "_chips"))


def _field(field: Any) -> forms.Field | None:
    name, help_text = field.name, _HELP.get(field.name, field.help_text)
    label = _LABELS.get(name) or capfirst(_bare(field.verbose_name))
    options: dict[str, Any] = {"label": label, "help_text": help_text}
    if name == "spin_odds":
        return SharesField(
            total=ODDS_SUM,
            places=False,
            label=label,
            help_text=gettext_lazy(
                "Lines like 2: 75, the multiplier and how often it is drawn in percent; "
                "empty: the room's own."
            ),
        )
    if name == "spin_splits":
        return SharesField(
            total=10_000,
            places=True,
            label=label,
            help_text=gettext_lazy(
                "Lines like 10: 80 20, the multiplier and the percent of each place; "
                "empty: the winner takes all."
            ),
        )
    if name.endswith("_ms") or name == "repeat_every_s":
        return _time(name, options)
    if name.endswith("_bp"):
        options["label"] = format_lazy("{} (%)", options["label"])
        return UnitField(scale=100, places=2, min_value=0, max_value=100, **options)
    if is_money(field):
        most = limits.TRANSFER_MAX_CENTS // money.MINOR_PER_MAJOR
        return UnitField(
            scale=money.MINOR_PER_MAJOR, places=2, min_value=0, max_value=most, **options
        )
    return None


def _time(name: str, options: dict[str, Any]) -> UnitField:
    """Return a field for a time: in minutes where people count in them, else in seconds."""
    unit, scale = (_MINUTES, 60_000) if name in _IN_MINUTES else (gettext_lazy("seconds"), 1_000)
    least, most = contradictions.SPANS_MS.get(name, (0, limits.PLAY_TIME_MAX_MS))
    if name == "repeat_every_s":
        unit, scale, most = _MINUTES, 60, _REPEAT_MAX_S
    options["label"] = format_lazy("{} ({})", options["label"], unit)
    return UnitField(
        scale=scale,
        places=3 if scale > _REPEAT_SCALE else 0,
        min_value=Decimal(least) / scale,
        max_value=Decimal(most) / scale,
        **options,
    )


@keep_lazy_text
def _bare(label: str) -> str:
    """Return an option's label without its stored unit."""
    return str(label).removesuffix(" (ms)")


def _listed(value: dict[str, Any]) -> list[tuple[str, list[int]]]:
    return [(name, part if isinstance(part, list) else [part]) for name, part in value.items()]
