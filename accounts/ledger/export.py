"""Ledger as CSV, one row per posting, amounts in minor units."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet

from accounts.models import Posting

HEADINGS = (
    "posting",
    "transfer",
    "time",
    "kind",
    "key",
    "memo",
    "account",
    "account_kind",
    "user",
    "belongs_to",
    "amount",
    "balance_after",
)
_ROWS_AT_ONCE = 2_000
ROWS_OF_A_PART = 200
"""Postings in memory while a file is made for a reader who takes it."""


class _Echo:
    """File object that returns what is written, so that CSV rows can be streamed."""

    def write(self, line: str) -> str:
        """Return the row."""
        return line


def export_rows(postings: QuerySet[Posting]) -> Iterator[str]:
    """Yield CSV rows, header first, in the order of the postings."""
    yield _line(HEADINGS)
    for posting in _with_names(postings).iterator(chunk_size=_ROWS_AT_ONCE):
        yield _line(_cells(posting))


def chosen(postings: QuerySet[Posting]) -> array[int]:
    """Return the keys of the postings of this moment in order, eight bytes each."""
    return array("q", postings.order_by("id").values_list("pk", flat=True).iterator())


def parts(keys: array[int]) -> Iterator[bytes]:
    """Yield the file of `export_rows` in parts; no cursor is open while its reader takes one."""
    yield _line(HEADINGS).encode()
    for first in range(0, len(keys), ROWS_OF_A_PART):
        some = keys[first : first + ROWS_OF_A_PART].tolist()
        rows = _with_names(Posting.objects.filter(pk__in=some))
        yield "".join(_line(_cells(posting)) for posting in rows).encode()


def _with_names(postings: QuerySet[Posting]) -> QuerySet[Posting]:
    return postings.select_related("transfer", "account__user").order_by("id")


def _line(cells: Iterable[Any]) -> str:
    line: str = csv.writer(_Echo()).writerow([plain(cell) for cell in cells])
    return line


def _cells(posting: Posting) -> tuple[Any, ...]:
    transfer, account = posting.transfer, posting.account
    return (
        posting.pk,
        transfer.pk,
        transfer.created.isoformat(),
        transfer.kind,
        transfer.key,
        transfer.memo,
        account.pk,
        account.kind,
        account.user.name if account.user else "",
        account.ref,
        posting.amount,
        posting.balance_after,
    )


def plain(cell: Any) -> Any:
    """Return text that no spreadsheet runs as a formula."""
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + cell
    return cell
