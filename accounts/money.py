"""Amounts of minor units as text, and back."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.formats import get_format, number_format
from django.utils.translation import gettext_lazy as _

MINOR_PER_MAJOR = 100
_TYPED = re.compile(r"(\d{1,13})(?:[.,](\d{1,2}))?")


def text(amount: int) -> str:
    """Return the amount in major units with two decimals, in the reader's format: 1050 -> 10.50."""
    sign, (major, minor) = "-" * (amount < 0), divmod(abs(amount), MINOR_PER_MAJOR)
    whole = number_format(major, use_l10n=True, force_grouping=True)
    return f"{sign}{whole}{get_format('DECIMAL_SEPARATOR')}{minor:02d}"


def typed_text(amount: int) -> str:
    """Return an amount as its owner types it: without signs between thousands, 105000 -> 1050.00.

    In the reader's format.
    """
    major, minor = divmod(amount, MINOR_PER_MAJOR)
    return f"{major}{get_format('DECIMAL_SEPARATOR')}{minor:02d}"


def percent(part: int, whole: int) -> str:
    """Return a share in percent in the reader's format, without zeros at its end: 1/40 -> 2.5."""
    share = (Decimal(part * 100) / whole).normalize()
    return str(number_format(share, use_l10n=True))


def parse(typed: str) -> int | None:
    """Return typed text (10, 10.5 or 10,50) in minor units, None when it is no amount."""
    match = _TYPED.fullmatch(typed.strip())
    if match is None or not typed.isascii():
        return None
    return int(match[1]) * MINOR_PER_MAJOR + int((match[2] or "0").ljust(2, "0"))


class AmountField(forms.CharField):
    """Field of a form for an amount, whose value is in minor units; None for an empty one."""

    def __init__(self, *, most: int | None = None, **options: Any) -> None:
        self.most = most
        super().__init__(max_length=20, **options)

    def clean(self, value: Any) -> int | None:
        """Return the typed amount; refuse other texts, and more than `most`."""
        typed = super().clean(value)
        if not typed:
            return None
        amount = parse(typed)
        if amount is None or (self.most is not None and amount > self.most):
            raise forms.ValidationError(_("Enter an amount like 25 or 25.00."), code="amount")
        return amount
