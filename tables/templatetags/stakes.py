"""Stakes in templates: blinds and ante, or ante and bring-in in stud."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from accounts.templatetags.amounts import chips
from tables.engine.events import Stakes

register = template.Library()


@register.filter
def stakes(played: Stakes, limit: str = "") -> str:
    """Return the forced bets in one line: "50 / 100 · ante 10", in stud "40 / 80 · ante 5".

    Split and spread limit add their bets: "5 / 10 · bets 10–50" (B-03, B-04).
    """
    sizes = bets(played, limit)
    if played.big_blind:
        line = f"{chips(played.small_blind)} / {chips(played.big_blind)}"
        line += f" · {_('bets')} {sizes}" if sizes else ""
    else:
        line = sizes or f"{chips(played.lower_bet)} / {chips(played.upper_bet)}"
    return f"{line} · {_('ante')} {chips(played.ante)}" if played.ante else line


@register.filter
def bets(played: Stakes, limit: str) -> str:
    """Return the bets of split limit, "10 / 20", or of spread limit, "10–50"; else ""."""
    if limit == "spread_limit":
        return f"{chips(played.lower_bet)}–{chips(played.upper_bet)}"
    if limit == "fixed_limit":
        return f"{chips(played.lower_bet)} / {chips(played.upper_bet)}"
    return ""


@register.filter
def first_bet(played: Stakes) -> int:
    """Return the smaller forced bet: the small blind, in stud the bring-in."""
    return played.small_blind or played.bring_in


@register.filter
def second_bet(played: Stakes) -> int:
    """Return the unit of bets: the big blind, in stud the small bet."""
    return played.unit
