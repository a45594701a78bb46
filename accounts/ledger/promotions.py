"""Promotions account: funded by operators, limits what the room may promise (Z-01)."""

from __future__ import annotations

from accounts.ledger import transfers
from accounts.ledger.kinds import PROMOTIONS
from accounts.ledger.transfers import PostingRequest
from accounts.models import Account, AccountKind, Transfer
from accounts.refusals import AmountRefused
from config import limits

_START = "promotions:start"


def account(club: str = "") -> Account:
    """Return the account that pays guarantees and added money; its balance is never negative.

    The room's new promotions account gets its starting play money once, from the bank. A `club`
    (`club:<number>`) has an account of its own, which begins with nothing.
    """
    if club:
        return transfers.account(AccountKind.PROMOTION, ref=club)
    found = transfers.account(AccountKind.PROMOTION)
    if not Transfer.objects.filter(key=_START).exists():
        _move(_START, limits.PROMOTIONS_START_CENTS, "")
    return found


def free() -> int:
    """Return what can still be promised, in cents."""
    return transfers.balance(account())


def set_aside() -> int:
    """Return what is promised and not paid yet, in cents, over all tournaments."""
    held = Account.objects.filter(kind=AccountKind.RESERVE, balance__gt=0)
    return sum(held.values_list("balance", flat=True))


def fund(amount: int, *, reason: str, token: str) -> Transfer:
    """Move `amount` cents from the bank to the promotions, or back when negative.

    `token` is the idempotency key: a repeated token moves nothing.

    Raises InsufficientFunds when more is taken than is free, AmountRefused for an amount out of
    range, and SentBefore for a token with another amount; then nothing changes.
    """
    if not 0 < abs(amount) <= limits.TRANSFER_MAX_CENTS:
        raise AmountRefused(largest=limits.TRANSFER_MAX_CENTS)
    key, funded = _key(token), account()
    transfers.refuse_other_amount(key, funded, amount)
    return _move(key, amount, reason)


def is_funded(token: str) -> bool:
    """Return whether money was moved with this token."""
    return Transfer.objects.filter(key=_key(token)).exists()


def _key(token: str) -> str:
    return f"promotions:{token}"


def _move(key: str, amount: int, memo: str) -> Transfer:
    bank = transfers.account(AccountKind.BANK)
    promotions = transfers.account(AccountKind.PROMOTION)
    postings = [PostingRequest(bank, -amount), PostingRequest(promotions, amount)]
    return transfers.transfer(key=key, kind=PROMOTIONS, postings=postings, memo=memo)
