"""Queries whose statement is built once per process; each run puts its values in.

Django builds the text of a query anew each time, which for a long list of columns takes longer than
the query itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from datetime import UTC, datetime
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from django.db import connection, connections
from django.db.models import QuerySet
from django.db.models.query import ModelIterable

Row = TypeVar("Row")

ANY_KEY = -(2**62) - 19
"""Stands for a key of a row while a statement is built."""
ANY_TIME = datetime.max.replace(tzinfo=UTC)
ANY_TEXT = "\ufffc any text"


def rows_of(statement: str, parameters: object) -> list[Any]:
    """Return all rows of a statement of SQL; see `DatabaseWrapper.rows_of`."""
    here: Any = connection
    found: list[Any] = here.rows_of(statement, parameters)
    return found


class BuiltOnce(Generic[Row]):
    """Query of `build`, whose arguments are stand-ins of `marks` when it is called, once.

    A mark is a value that occurs nowhere else in the query, e.g. ANY_KEY. What the query takes from
    its surroundings, as the time now, is an argument: it would stay as it was. Related rows are
    read as `select_related` says; `prefetch_related` is not for it.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]], *marks: object) -> None:
        self._build = build
        self._marks = marks

    def rows(self, *values: object) -> list[Row]:
        """Return the rows with these values in the places of the marks."""
        query_set, compiler, statement, constants, converters = self._built
        given = list(zip(self._marks, values, strict=True))
        # Each run has a compiler of its own: it belongs to the connection of this thread.
        mine = copy(compiler)
        mine.connection = connections[query_set.db]
        if self._names:
            # Whole rows of one model: Django's iterable would look at each column of the query.
            found = mine.connection.rows_of(statement, _filled(constants, given))
            rows = mine.apply_converters(found, converters) if converters else found
            return [query_set.model.from_db(query_set.db, self._names, row) for row in rows]
        mine.as_sql = lambda *_, **__: (statement, _filled(constants, given))
        mine.get_converters = lambda _: converters
        # What Django's iterables read of a query set and its query; a query set is costly to copy.
        query = query_set.query
        asked = SimpleNamespace(
            db=query_set.db,
            model=query_set.model,
            query=SimpleNamespace(
                get_compiler=lambda *_, **__: mine,
                selected=query.selected,
                extra_select=query.extra_select,
                values_select=query.values_select,
                annotation_select=query.annotation_select,
            ),
            _known_related_objects={},
            _fields=query_set._fields,
        )
        return list(query_set._iterable_class(asked))

    def first(self, *values: object) -> Row | None:
        """Return the first row with these values, or None; rows beyond it are read, too."""
        return next(iter(self.rows(*values)), None)

    @cached_property
    def _names(self) -> list[str]:
        """Return the names of the fields of a query for whole rows of one model, else none."""
        query_set, compiler, *_ = self._built
        if query_set._iterable_class is not ModelIterable or compiler.annotation_col_map:
            return []
        if compiler.klass_info.get("related_klass_infos"):
            return []
        return [column.target.attname for column, *_ in compiler.select]

    @cached_property
    def _built(self) -> tuple[Any, Any, str, Sequence[Any], Any]:
        query_set: Any = self._build(*self._marks)
        assert not query_set._prefetch_related_lookups, "they would not be read"
        compiler = query_set.query.get_compiler(using=query_set.db)
        statement, constants = compiler.as_sql()
        for mark in self._marks:
            assert _has(constants, mark), f"{mark} is not used"
        columns = [column for column, *_ in compiler.select[: compiler.col_count]]
        return query_set, compiler, statement, constants, compiler.get_converters(columns)


def _filled(constants: Sequence[Any], given: Sequence[tuple[object, object]]) -> list[Any]:
    """Return the parameters of a statement with values for marks, also inside of lists."""
    return [_value(constant, given) for constant in constants]


def _value(constant: Any, given: Sequence[tuple[object, object]]) -> Any:
    if isinstance(constant, list):
        return _filled(constant, given)
    for mark, value in given:
        if isinstance(constant, type(mark)) and constant == mark:
            # Elements of arrays are numbers of a type of the driver.
            of_driver: Any = type(constant)
            return value if of_driver is type(mark) else of_driver(value)
    return constant


def _has(constant: Any, mark: object) -> bool:
    if isinstance(constant, (list, tuple)):
        return any(_has(item, mark) for item in constant)
    return isinstance(constant, type(mark)) and bool(constant == mark)
