"""Names of games and limits in templates."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()

GAMES = {
    "holdem": _("Hold'em"),
    "omaha": _("Omaha"),
    "omaha5": _("5-Card Omaha (2+3)"),
    "omaha5_house": _("5-Card Omaha (3+2)"),
    "omaha_hilo": _("Omaha Hi-Lo"),
    "omaha5_hilo": _("5-Card Omaha Hi-Lo (2+3)"),
    "stud": _("Seven Card Stud"),
    "stud_hilo": _("Seven Card Stud Hi-Lo"),
}
"""Games by variant; five-card Omaha names the cards used from hand and board (O-02)."""

LIMITS = {
    "no_limit": _("No-Limit"),
    "pot_limit": _("Pot-Limit"),
    "fixed_limit": _("Limit"),
    "spread_limit": _("Spread-Limit"),
}


@register.filter
def game_words(variant: str, limit: str) -> str:
    """Return the name of a game with its limit, e.g. No-Limit Hold'em."""
    return f"{LIMITS.get(limit, limit)} {GAMES.get(variant, variant)}"
