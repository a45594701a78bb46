"""Account statement of a player: movements of money, newest first, with balances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Paginator

from accounts.ledger import kinds, references
from accounts.ledger.references import Reference
from accounts.ledger.transfers import account
from accounts.models import AccountKind, Posting, User
from config import limits


@dataclass(frozen=True, slots=True)
class StatementRow:
    """Movement of money: amounts in minor units, `ref` the tournament ("tournament:5") or empty.

    `reference` has the name and page of `ref` where the app that booked it registered them.
    """

    when: datetime
    what: str
    memo: str
    amount: int
    balance_after: int
    ref: str
    reference: Reference | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """Page of a statement, counted from 1; `balance` is the current one in minor units."""

    balance: int
    rows: tuple[StatementRow, ...]
    page: int
    pages: int


def statement(user: User, page: int = 1) -> Statement:
    """Return a page of the user's statement; a page out of range becomes the nearest one."""
    wallet = account(AccountKind.PLAYER, user=user)
    postings = Posting.objects.filter(account=wallet).select_related("transfer").order_by("-id")
    chosen = Paginator(postings, limits.STATEMENT_ROWS_PER_PAGE).get_page(page)
    shown = list(chosen.object_list)
    refs = refs_of(posting.transfer_id for posting in shown)
    names = references.named(refs.values())
    return Statement(
        balance=wallet.balance,
        rows=tuple(_row(posting, refs.get(posting.transfer_id, ""), names) for posting in shown),
        page=chosen.number,
        pages=chosen.paginator.num_pages,
    )


def refs_of(transfers: Iterable[int]) -> dict[int, str]:
    """Return the references of the other side of each transfer, such as tournament:5."""
    others = Posting.objects.filter(transfer__in=list(transfers)).exclude(account__ref="")
    return dict(others.order_by("-id").values_list("transfer_id", "account__ref"))


def _row(posting: Posting, ref: str, names: Mapping[str, Reference]) -> StatementRow:
    return StatementRow(
        when=posting.transfer.created,
        what=kinds.words(posting.transfer.kind),
        memo=posting.transfer.memo,
        amount=posting.amount,
        balance_after=posting.balance_after,
        ref=ref,
        reference=names.get(ref),
    )
