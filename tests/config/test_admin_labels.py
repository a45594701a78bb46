"""Labels of the admin: no value is named by its column, in whichever language the room is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, Model

ADMINS = sorted(admin.site._registry.items(), key=lambda pair: pair[0]._meta.label)


@pytest.mark.parametrize(("model", "editor"), ADMINS, ids=[one._meta.label for one, _ in ADMINS])
def test_each_value_has_a_label(model: type[Model], editor: ModelAdmin[Model]) -> None:
    columns = [_column(model, one) for one in _shown(model, editor) if isinstance(one, str)]
    named = [one for one in columns if one is not None and not one.primary_key]
    assert [one.name for one in named if one.deconstruct()[3].get("verbose_name") is None] == []


def _shown(model: type[Model], editor: ModelAdmin[Model]) -> Iterator[object]:
    """Yield the names in the lists and on the pages of an editor."""
    yield from (*editor.list_display, *editor.readonly_fields)
    if editor.fieldsets or editor.fields:
        yield from flatten_fieldsets(editor.fieldsets or [(None, {"fields": editor.fields or ()})])
    else:
        left_out = editor.exclude or ()
        yield from (
            one.name for one in model._meta.fields if one.editable and one.name not in left_out
        )


def _column(model: type[Model], name: str) -> Field[object, object] | None:
    """Return the field of this name; None for what a method of the editor shows."""
    try:
        found = model._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    return cast("Field[object, object]", found) if isinstance(found, Field) else None
