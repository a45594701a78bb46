"""Admin pages of money terms whose log names each changed value, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

if TYPE_CHECKING:
    _Page = admin.ModelAdmin[Any]
else:
    _Page = object  # takes no parameter at run time


class LoggedValues(_Page):
    """Mixin that logs values: Django's own log names the fields that were sent, and no value."""

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """Return the changes of a row and of its inline rows in one text."""
        words = [] if add else list(_changes(form))
        for rows in formsets or ():
            for row in rows.forms:
                words += _of_row(row)
        return "; ".join(words) or super().construct_change_message(request, form, formsets, add)


def _of_row(row: forms.ModelForm[Any]) -> Iterator[str]:
    """Yield the change of an inline row: made, deleted, or its values."""
    is_new, is_gone = row.empty_permitted, row.cleaned_data.get("DELETE")
    if is_new and row.has_changed() and not is_gone:
        values = (f"{name} {row[name].value()}" for name in _asked(row) if row[name].value())
        yield f"added: {', '.join(values)}"
    elif is_gone and not is_new:
        values = (f"{name} {_before(row, name)}" for name in _asked(row) if _before(row, name))
        yield f"deleted: {', '.join(values)}"
    elif not is_new:
        for change in _changes(row):
            yield f"row {row.instance.pk}: {change}"


def _changes(form: forms.BaseForm) -> Iterator[str]:
    """Yield each changed value as it was shown and as it was typed."""
    for name in form.changed_data:
        before, typed = _before(form, name), form[name].value()
        # A field of another unit than the stored one is among the changed ones also when it is not.
        same = form.cleaned_data.get(name) == form[name].initial
        if not same and str(before) != str(typed):
            yield f"{name}: {before} -> {typed}"


def _before(form: forms.BaseForm, name: str) -> Any:
    value = form.fields[name].prepare_value(form[name].initial)
    return "" if value is None else value


def _asked(form: forms.ModelForm[Any]) -> list[str]:
    return [name for name in form._meta.fields or () if name in form.fields]
