"""Updates of many rows at once, by one short statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import Model


def update_rows(rows: Iterable[Model], fields: Sequence[str]) -> None:
    """Write some fields of rows of one model, as `bulk_update` does.

    Django writes a CASE over all rows for each field, which takes it and PostgreSQL several times
    as long as a join with the values.
    """
    written = list(rows)
    if not written:
        return
    columns = _columns(type(written[0]), tuple(fields))
    values = [
        field.get_db_prep_save(getattr(row, field.attname), connection)
        for row in written
        for field in columns
    ]
    with connection.cursor() as cursor:
        cursor.execute(_statement(type(written[0]), tuple(fields), len(written)), values)


@lru_cache(maxsize=1_000)
def _statement(model: type[Model], fields: tuple[str, ...], rows: int) -> str:
    quote = connection.ops.quote_name
    key, *others = [quote(str(field.column)) for field in _columns(model, fields)]
    table = quote(model._meta.db_table)
    # The first row tells the types of all; a text that is too long must fail, not be cut.
    kinds = [_kind(field) for field in _columns(model, fields)]
    first = ", ".join(f"%s::{kind}" for kind in kinds)
    row = ", ".join("%s" for _ in kinds)
    values = ", ".join([f"({first})", *(f"({row})" for _ in range(rows - 1))])
    changes = ", ".join(f"{column} = v.{column}" for column in others)
    names = ", ".join([key, *others])
    joined = f"(VALUES {values}) v({names}) WHERE {table}.{key} = v.{key}"
    # Names come from the models alone; values are parameters.
    return f"UPDATE {table} SET {changes} FROM {joined}"  # nosec B608


@lru_cache(maxsize=100)
def _columns(model: type[Model], fields: tuple[str, ...]) -> list[Any]:
    return [model._meta.pk, *(model._meta.get_field(name) for name in fields)]


def _kind(field: Any) -> str:
    return str(field.rel_db_type(connection)).partition("(")[0]
