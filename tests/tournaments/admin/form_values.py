"""The form a page shows, and wrong values for each of its fields."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.admin.units import UnitField
from tournaments.admin.offers.units import SharesField

HUGE = "9" * 30


def form_of(answer: Any) -> forms.BaseForm:
    """Form of a page of the admin or of an organiser."""
    context = answer.context
    form = context["adminform"].form if "adminform" in context else context["form"]
    assert isinstance(form, forms.BaseForm)
    return form


def wrong_values(name: str, field: forms.Field) -> list[str]:
    """Wrong values of a field: empty, negative, huge, letters, too precise."""
    if isinstance(field, UnitField):
        wrong = ["-1", "ten", HUGE, "1.23456", "NaN"]
    elif isinstance(field, SharesField):
        wrong = ["two: 100", "2: x", "2: -5", "0,5", "2:", "2: 1e400", "2: 100\n02: 100"]
        wrong += ["1234567890: 100"]
        wrong += [] if field.places else ["2: 99.9"]
    elif isinstance(field, forms.ModelChoiceField):
        wrong = [HUGE, "x"]
    elif isinstance(field, forms.ChoiceField):
        wrong = ["bogus"] + ([""] if field.required else [])
    elif isinstance(field, forms.DateTimeField):
        wrong = ["soon", "2026-13-40T99:99", "1999-01-01T10:00", "9999-12-31T23:59"]
    elif isinstance(field, forms.IntegerField | forms.DecimalField):
        wrong = ["-1", "many", HUGE, "1.234"]
    elif name == "payout_table":
        wrong = ["one: two", "2-9: 70 20", "{", "9-2: 100"]
    elif isinstance(field, forms.BooleanField):
        wrong = []
    else:
        wrong = ["x" * 1_000] + ([""] if field.required else [])
    return wrong
