"""Stakes in templates: blinds and ante, or what stands for them in stud."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from accounts.templatetags.amounts import chips
from tables.engine.events import Stakes

register = template.Library()


@register.filter
def stakes(played: Stakes) -> str:
    """The forced bets in one line: "50 / 100 · ante 10", in stud "40 / 80 · ante 5"."""
    if played.big_blind:
        line = f"{chips(played.small_blind)} / {chips(played.big_blind)}"
    else:
        line = f"{chips(played.small_bet)} / {chips(played.big_bet or 2 * played.small_bet)}"
    return f"{line} · {_('ante')} {chips(played.ante)}" if played.ante else line


@register.filter
def first_bet(played: Stakes) -> int:
    """The smaller forced bet: the small blind, in stud the bring-in."""
    return played.small_blind or played.bring_in


@register.filter
def second_bet(played: Stakes) -> int:
    """What bets are counted in: the big blind, in stud the small bet."""
    return played.unit
