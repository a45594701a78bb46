"""What an account shows its owner: every movement of money, newest first, with its balance."""

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
class Row:
    """One movement: amounts in minor units, `ref` the tournament ("tournament:5") or empty.

    `reference` names it and leads to its page, where the app that booked it knows how.
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
    """One page of a statement; pages count from 1, balance in minor units is as of now."""

    balance: int
    rows: tuple[Row, ...]
    page: int
    pages: int


def statement(user: User, page: int = 1) -> Statement:
    """The user's wallet; a page out of range is the nearest one there is."""
    wallet = account(AccountKind.PLAYER, user=user)
    postings = Posting.objects.filter(account=wallet).select_related("transfer").order_by("-id")
    chosen = Paginator(postings, limits.STATEMENT_ROWS_PER_PAGE).get_page(page)
    shown = list(chosen.object_list)
    refs = _refs(posting.transfer_id for posting in shown)
    names = references.named(refs.values())
    return Statement(
        balance=wallet.balance,
        rows=tuple(_row(posting, refs.get(posting.transfer_id, ""), names) for posting in shown),
        page=chosen.number,
        pages=chosen.paginator.num_pages,
    )


def _refs(transfers: Iterable[int]) -> dict[int, str]:
    """What the other side of each transfer belongs to."""
    others = Posting.objects.filter(transfer__in=list(transfers)).exclude(account__ref="")
    return dict(others.order_by("-id").values_list("transfer_id", "account__ref"))


def _row(posting: Posting, ref: str, names: Mapping[str, Reference]) -> Row:
    return Row(
        when=posting.transfer.created,
        what=kinds.words(posting.transfer.kind),
        memo=posting.transfer.memo,
        amount=posting.amount,
        balance_after=posting.balance_after,
        ref=ref,
        reference=names.get(ref),
    )
