"""Cache of what Django finds out about the columns of each model anew for every query."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from django.db.models.expressions import BaseExpression
from django.db.models.sql.compiler import SQLCompiler

_EVERY = (frozenset[str](), True)
_known: dict[Any, tuple[Any, Any, Any]] = {}
_converters: dict[Any, dict[int, Any]] = {}


@contextmanager
def written_once() -> Iterator[None]:
    """Cache columns and converters of rows that are read whole, which take a tenth of a seed's
    time; order such rows, and copy expressions, by the shortest way.
    """
    get_select, get_converters = SQLCompiler.get_select, SQLCompiler.get_converters
    order_by_pairs: Any = SQLCompiler._order_by_pairs

    def select(self: SQLCompiler, with_col_aliases: bool = False) -> tuple[Any, Any, Any]:
        if not _is_whole(self.query) or with_col_aliases:
            return get_select(self, with_col_aliases)
        model = self.query.model
        if model not in _known:
            _known[model] = get_select(self)
        columns, kinds, annotations = _known[model]
        return list(columns), dict(kinds), dict(annotations)

    def converters(self: SQLCompiler, expressions: list[Any]) -> dict[int, Any]:
        model = self.query.model
        columns: Any = _known[model][0] if model in _known and _is_whole(self.query) else ()
        # The columns of the cache live as long as it, so those are the very same objects.
        if len(columns) != len(expressions) or columns[0][0] is not expressions[0]:
            return get_converters(self, expressions)
        if model not in _converters:
            _converters[model] = get_converters(self, expressions)
        return dict(_converters[model])

    def order(self: SQLCompiler) -> Iterator[Any]:
        """Order by fields without looking for them among the columns, which have no other name."""
        query, columns = self.query, self.select
        if _is_whole(query) and all(isinstance(field, str) for field in query.order_by):
            self.select = ()
        try:
            yield from list(order_by_pairs(self))
        finally:
            self.select = columns

    with ExitStack() as stack:
        stack.enter_context(patch.object(SQLCompiler, "get_select", select))
        stack.enter_context(patch.object(SQLCompiler, "get_converters", converters))
        stack.enter_context(patch.object(SQLCompiler, "_order_by_pairs", order))
        stack.enter_context(patch.object(BaseExpression, "copy", _copy))
        yield


def _is_whole(query: Any) -> bool:
    """Return whether a query reads whole rows of one model and nothing beside them."""
    return (
        query.default_cols
        and query.deferred_loading == _EVERY
        and not (query.select or query.select_related or query.combinator)
        and not (query.annotation_select or query.extra_select)
        and query.model is not None
        and query.get_initial_alias() == query.model._meta.db_table
    )


def _copy(expression: Any) -> Any:
    """Copy as `copy.copy` does, which asks the expression how it is to be made first."""
    made = object.__new__(type(expression))
    made.__dict__.update(expression.__getstate__())
    return made
