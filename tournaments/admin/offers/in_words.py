"""Options of an offer in words, for staff who look at a template and change nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.template.defaultfilters import linebreaksbr, yesno
from django.utils.html import format_html_join
from django.utils.safestring import SafeString


def in_words(form: forms.Form, names: Iterable[str]) -> SafeString:
    """Return labels and values of some fields of an unbound form, one a line."""
    rows = ((form.fields[name].label, _value(form[name])) for name in names if name in form.fields)
    return format_html_join("", "<div>{}: {}</div>", rows)


def _value(bound: forms.BoundField) -> Any:
    """Return the initial value of a field as its widget would show it."""
    field, value = bound.field, bound.value()
    choices: Any = getattr(field, "choices", ())
    if isinstance(field, forms.ModelChoiceField):
        rows = field.queryset
        row = None if rows is None else rows.filter(pk=value).first()
        return value if row is None else row
    if isinstance(field, forms.MultipleChoiceField):
        return ", ".join(str(words) for key, words in choices if key in (value or ()))
    if isinstance(field, forms.ChoiceField):
        return dict(choices).get(value, value)  # no choices of options are grouped
    if isinstance(field, forms.BooleanField):
        return yesno(bool(value))
    return "–" if value in (None, "") else linebreaksbr(str(value))
