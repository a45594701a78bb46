"""Numbers typed in the units of people: money with decimals, times, percent."""

from __future__ import annotations

from decimal import Decimal, Overflow
from typing import Any

from django import forms
from django.utils.formats import get_format

from accounts import money


class UnitField(forms.DecimalField):
    """A number typed in a unit; the stored value is whole and `scale` times as large.

    Both comma and point separate decimals, in every language. `empty` is the value of an empty
    field.
    """

    def __init__(self, *, scale: int, places: int, empty: int | None = None, **kwargs: Any) -> None:
        self.scale = scale
        self.empty = empty
        super().__init__(
            decimal_places=places,
            widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
            **kwargs,
        )

    def prepare_value(self, value: Any) -> Any:
        """Convert a stored number to the unit; a typed value stays as it was."""
        if not isinstance(value, int) or isinstance(value, bool):
            return value
        return shown(value, self.scale)

    def to_python(self, value: Any) -> Any:
        """Parse a typed number of the unit."""
        return super().to_python(
            value.strip().replace(",", ".") if isinstance(value, str) else value
        )

    def clean(self, value: Any) -> Any:
        """Return the whole number to store, `empty` for an empty field."""
        found = super().clean(value)
        if found is None:
            return self.empty
        try:
            return int(found * self.scale)
        except Overflow as beyond:  # such as 1e999999 where the field has no maximum
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from beyond


def shown(value: int, scale: int) -> str:
    """Convert a stored number to the unit of a field, with two decimals where divided by 100."""
    number = Decimal(value) / scale
    exponent = number.normalize().as_tuple().exponent
    places = 2 if scale == money.MINOR_PER_MAJOR else max(0, -int(exponent))
    return f"{number:.{places}f}".replace(".", get_format("DECIMAL_SEPARATOR"))
