"""Cursors of lists: signed keys of the last row, valid for one list of one user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from django.core import signing
from django.db.models import Model, QuerySet

from config import limits
from config.postgres.statements import BuiltOnce
from tournaments.api.problems import InvalidCursor

Row = TypeVar("Row", bound=Model)

ROWS_READ = limits.API_ROWS_PER_PAGE + 1
"""Rows that are read for a page: one more tells of a page after it."""


def page_of(
    rows: QuerySet[Row], cursor: str, listing: str, key: str = "pk"
) -> tuple[list[Row], str]:
    """Return the rows after a cursor, newest first, and the next cursor, "" at the end.

    `key` is the column that counts up in the list. One that an index has behind the columns that
    choose the rows lets PostgreSQL find the page; by the key of the table it reads all later rows
    of other lists. Raises InvalidCursor for a changed cursor, or one of another `listing`.
    """
    if cursor:
        rows = rows.filter(**{f"{key}__lt": last_key(cursor, listing)})
    return cut(list(_first(rows, key)), listing, key)


def last_key(cursor: str, listing: str) -> int:
    """Return the key of the last row before a cursor; raises InvalidCursor as `page_of` does."""
    try:
        return int(_signer(listing).unsign(cursor))
    except signing.BadSignature as bad:
        raise InvalidCursor from bad


class PagedList(Generic[Row]):
    """List of `rows`, whose first pages come from a statement that is built once."""

    def __init__(self, rows: Callable[..., QuerySet[Row]], *marks: object) -> None:
        self._rows = rows
        self._statement = BuiltOnce(lambda *values: _first(rows(*values)), *marks)

    def page_of(self, cursor: str, listing: str, *values: object) -> tuple[list[Row], str]:
        """Return a page as `page_of` does, of the rows with these values for the marks."""
        if cursor:
            return page_of(self._rows(*values), cursor, listing)
        return cut(self._statement.rows(*values), listing)


def _first(rows: QuerySet[Row], key: str = "pk") -> QuerySet[Row]:
    return rows.order_by(f"-{key}")[:ROWS_READ]


def cut(found: list[Row], listing: str, key: str = "pk") -> tuple[list[Row], str]:
    """Return the rows of a page, and the next cursor where there is one more row than these."""
    size = limits.API_ROWS_PER_PAGE
    if len(found) <= size:
        return found, ""
    return found[:size], _signer(listing).sign(str(getattr(found[size - 1], key)))


def _signer(listing: str) -> signing.Signer:
    return signing.Signer(salt=f"api:{listing}")
