"""Form fields in the units of people: money in major units, times in seconds, shares in percent."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.formats import get_format
from django.utils.translation import gettext_lazy as _

from accounts import money
from config.numbers import whole

SECOND_MS = 1_000
PERCENT = 100


class MoneyField(forms.CharField):
    """Money in major units, 25 or 25.00; its value is in minor units."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Return minor units as they are typed."""
        if not isinstance(value, int):
            return value
        return f"{value // 100}{get_format('DECIMAL_SEPARATOR')}{value % 100:02d}"

    def to_python(self, value: Any) -> Any:
        """Return minor units; 0 for an empty field that is not required."""
        if isinstance(value, int) or (value in ("", None) and not self.required):
            return value or 0
        amount = money.parse(str(value or ""))
        if amount is None:
            raise forms.ValidationError(_("Enter an amount like 25 or 25.00."), code="amount")
        return amount

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare what was shown with what was typed."""
        return bool(super().has_changed(str(self.prepare_value(initial)), data))


class SecondsField(forms.CharField):
    """A time in whole seconds; its value is in ms."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=9, help_text=_("in seconds"), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Return ms in seconds."""
        return f"{value / SECOND_MS:g}" if isinstance(value, int) else value

    def to_python(self, value: Any) -> Any:
        """Return ms."""
        if isinstance(value, int):
            return value
        seconds = whole(str(value or "").strip())
        if seconds is None:
            raise forms.ValidationError(_("Enter a whole number of seconds."), code="seconds")
        return seconds * SECOND_MS


class PercentField(forms.DecimalField):
    """A share in percent; its value is in basis points."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            min_value=0, max_value=100, decimal_places=2, help_text=_("in percent"), **kwargs
        )

    def prepare_value(self, value: Any) -> Any:
        """Return basis points in percent."""
        return f"{value / PERCENT:g}" if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        """Return basis points."""
        percent = super().clean(value)
        return None if percent is None else int(percent * PERCENT)
