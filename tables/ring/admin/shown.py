"""Stored numbers of ring games on pages of the admin: amounts in major units, times in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model

from accounts.money import text
from tables.ring.queries.terms import SECOND_MS, span

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ReadOnlyField = str | Callable[[Any], str]
"""Field of a page: a name, or a function of the row."""


def in_words(
    names: Iterable[str], amounts: Mapping[str, StrOrPromise], times: Mapping[str, StrOrPromise]
) -> list[ReadOnlyField]:
    """Return the fields of a page, with amounts in major units and times with their unit.

    `amounts` and `times` are labels by the names of fields.
    """
    labels = {**amounts, **times}
    return [
        _field(name, labels[name], text if name in amounts else _time) if name in labels else name
        for name in names
    ]


def labels_of(model: type[Model], names: Iterable[str]) -> dict[str, StrOrPromise]:
    """Return the labels of fields of a model by their names."""
    return {name: getattr(model._meta.get_field(name), "verbose_name", name) for name in names}


def _field(name: str, label: StrOrPromise, words: Callable[[int], str]) -> ReadOnlyField:
    @admin.display(description=label)
    def shown(row: Any) -> str:
        value = getattr(row, name)
        return "–" if value is None else words(value)

    return shown


def _time(ms: int) -> str:
    """Return a time in whole minutes or seconds, else in seconds with their fraction."""
    return f"{ms / SECOND_MS:g} s" if ms % SECOND_MS else span(ms)
