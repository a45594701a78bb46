"""Form of a jackpot's terms: shares in percent, tiers and hours one a line (J-01..J-03)."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.units import UnitField, shown
from accounts.refusals import words_of
from config.refusals import Refusal
from tables.ring.engine.jackpots import (
    UNIT,
    JackpotTerms,
    JackpotTier,
    check_feeds,
    check_terms,
)
from tables.ring.models import Jackpot, RingGame

PERCENT = 100
"""Basis points of a percent."""

_HOURS = re.compile(r"(\d{1,2}):(\d\d)\s*[-–]\s*(\d{1,2}):(\d\d)")
_TIER = re.compile(r"([a-z_:A-Z0-9]+)\s+(\d{1,3}(?:[.,]\d{1,2})?)\s*%?")

SHARES = {
    "loser": _("Share of the loser"),
    "winner": _("Share of the winner"),
    "table": _("Share of the others at the table"),
    "next": _("Share of the next pool"),
    "room": _("Share of the room"),
}
CONDITIONS = {
    "both_hole_cards": _("Both hole cards play"),
    "pocket_pair": _("Paired hands hold a pocket pair"),
    "cards_shown": _("The player did not choose to muck"),
    "winner_too": _("The conditions hold for the winning hand, too"),
}
_ONLY_MONTE_CARLO = ("tiers", "back")
_NOT_MONTE_CARLO = (*SHARES, "least_loser", "least_winner", "winner_too")


_ONE_TIER = _("One a line: hand and share of the pool, such as “royal_flush 100”.")
_HANDS = _(
    "Hands: pair, two_pair, three, straight, flush, full_house, four, straight_flush, royal_flush;"
    " also with ranks, such as four:9."
)


def _percent(label: Any) -> UnitField:
    return UnitField(
        label=label, scale=PERCENT, places=2, min_value=0, max_value=100, help_text=_("in percent")
    )


class JackpotForm(forms.ModelForm[Jackpot]):
    """Switch and terms of a jackpot; a refused term changes nothing."""

    feed = _percent(_("Fed from the rake of a hand"))
    tiers = forms.CharField(
        label=_("Tiers"),
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=format_lazy("{} {}", _ONE_TIER, _HANDS),
    )
    back = _percent(_("Paid back by the winner"))
    loser, winner, table = (_percent(SHARES[name]) for name in ("loser", "winner", "table"))
    next, room = (_percent(SHARES[name]) for name in ("next", "room"))
    least_loser = forms.CharField(
        label=_("Weakest hand that loses"), max_length=40, help_text=_HANDS
    )
    least_winner = forms.CharField(label=_("Weakest hand that wins"), max_length=40)
    both_hole_cards, pocket_pair, cards_shown, winner_too = (
        forms.BooleanField(label=words, required=False) for words in CONDITIONS.values()
    )
    hours = forms.CharField(
        label=_("Hours"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One a line, such as “18:00-22:00”; empty: all day."),
    )

    class Meta:
        model = Jackpot
        fields = ("enabled",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        terms = self.instance.terms
        is_monte_carlo = terms.kind == "monte_carlo"
        for name in _NOT_MONTE_CARLO if is_monte_carlo else _ONLY_MONTE_CARLO:
            del self.fields[name]
        for name in self.fields.keys() - {"enabled", "tiers", "hours"}:
            self.initial[name] = getattr(terms, name)
        self.initial["hours"] = "\n".join(f"{_time(a)}-{_time(b)}" for a, b in terms.hours)
        self.initial["tiers"] = "\n".join(
            f"{tier.hand} {shown(tier.share, PERCENT)}" for tier in terms.tiers
        )

    def clean_tiers(self) -> tuple[JackpotTier, ...]:
        """Return the tiers of the lines."""
        tiers = []
        for line in filter(None, map(str.strip, self.cleaned_data["tiers"].splitlines())):
            found = _TIER.fullmatch(line)
            if found is None:
                words = gettext("%(line)s is no hand with a share, such as “royal_flush 100”.")
                raise forms.ValidationError(words % {"line": line}, code="tier")
            share = round(float(found[2].replace(",", ".")) * PERCENT)
            tiers.append(JackpotTier(found[1], share))
        return tuple(tiers)

    def clean_hours(self) -> tuple[tuple[int, int], ...]:
        """Return the hours of the lines in minutes of the day."""
        hours = []
        for line in filter(None, map(str.strip, self.cleaned_data["hours"].splitlines())):
            found = _HOURS.fullmatch(line)
            if found is None or int(found[2]) > 59 or int(found[4]) > 59:
                words = gettext("%(line)s is no span of hours, such as “18:00-22:00”.")
                raise forms.ValidationError(words % {"line": line}, code="hours")
            start, end = (int(found[at]) * 60 + int(found[at + 1]) for at in (1, 3))
            hours.append((start, end))
        return tuple(hours)

    def clean(self) -> dict[str, Any] | None:
        """Refuse terms that the rule refuses, and a feed too large for a game of this jackpot."""
        given = super().clean() or {}
        if self.errors:
            return given
        terms = JackpotTerms(
            kind=self.instance.terms.kind,
            **{name: value for name, value in given.items() if name != "enabled"},
        )
        try:
            check_terms(terms)
            for game in RingGame.objects.filter(jackpots=self.instance):
                others = game.jackpots.exclude(pk=self.instance.pk)
                check_feeds([terms.feed, *(other.terms.feed for other in others)])
        except Refusal as refusal:
            raise forms.ValidationError(words_of(refusal), code=refusal.code) from refusal
        self.instance.terms = terms
        return given


def terms_in_words(terms: JackpotTerms) -> str:
    """Return the terms of a jackpot in one line, shares in percent."""
    fed = gettext("%(percent)s %% of the rake") % {"percent": shown(terms.feed, PERCENT)}
    parts = [fed]
    parts += [f"{tier.hand} {shown(tier.share, PERCENT)} %" for tier in terms.tiers]
    if terms.kind != "monte_carlo":
        parts += [
            f"{words} {shown(getattr(terms, name), PERCENT)} %" for name, words in SHARES.items()
        ]
    parts += [f"{_time(start)}-{_time(end)}" for start, end in terms.hours]
    return ", ".join(parts)


def _time(minute: int) -> str:
    return f"{minute // 60}:{minute % 60:02d}"


assert UNIT == 100 * PERCENT
