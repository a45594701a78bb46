"""Cursors of lists: signed keys of the last row, valid for one list of one user."""

from __future__ import annotations

from typing import TypeVar

from django.core import signing
from django.db.models import Model, QuerySet

from config import limits
from tournaments.api.problems import InvalidCursor

Row = TypeVar("Row", bound=Model)


def page_of(rows: QuerySet[Row], cursor: str, listing: str) -> tuple[list[Row], str]:
    """Return the rows after a cursor, newest first, and the next cursor, "" at the end.

    Raises InvalidCursor for a changed cursor, or one of another `listing`.
    """
    signer = signing.Signer(salt=f"api:{listing}")
    if cursor:
        try:
            rows = rows.filter(pk__lt=int(signer.unsign(cursor)))
        except signing.BadSignature as bad:
            raise InvalidCursor from bad
    size = limits.API_ROWS_PER_PAGE
    found = list(rows.order_by("-pk")[: size + 1])
    return found[:size], signer.sign(str(found[size - 1].pk)) if len(found) > size else ""
