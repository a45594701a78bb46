"""Template filters for money and chips, and the balance of the logged-in player."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

from accounts import money as amounts
from accounts.ledger.transfers import held_by
from accounts.models import User

register = template.Library()


@register.filter
def money(cents: int | None) -> str:
    """Return minor units as text in the reader's language: 1050 is 10.50."""
    return "" if cents is None else amounts.text(cents)


@register.filter
def chips(number: int | None) -> str:
    """Return a whole number with thousands separators: 12500 is 12,500."""
    return "" if number is None else number_format(number, use_l10n=True, force_grouping=True)


@register.simple_tag
def wallet(user: User) -> int:
    """Return the balance of a player's account in minor units."""
    return held_by(user)
