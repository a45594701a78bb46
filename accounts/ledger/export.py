"""Ledger as CSV, one row per posting, amounts in minor units."""

from __future__ import annotations

import csv
from collections.abc import Iterator
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


class _Echo:
    """File object that returns what is written, so that CSV rows can be streamed."""

    def write(self, line: str) -> str:
        """Return the row."""
        return line


def export_rows(postings: QuerySet[Posting]) -> Iterator[str]:
    """Yield CSV rows, header first, in the order of the postings."""
    writer = csv.writer(_Echo())
    yield writer.writerow(HEADINGS)
    rows = postings.select_related("transfer", "account__user").order_by("id")
    for posting in rows.iterator(chunk_size=_ROWS_AT_ONCE):
        yield writer.writerow([plain(cell) for cell in _cells(posting)])


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
