"""What the room may promise: the account of its promotions, given money by operators (Z-01)."""

from __future__ import annotations

from accounts.ledger import transfers
from accounts.ledger.kinds import PROMOTIONS
from accounts.ledger.transfers import Posting
from accounts.models import Account, AccountKind, Transfer
from accounts.refusals import AmountRefused
from config import limits

_START = "promotions:start"


def account() -> Account:
    """The account guarantees and added money are set aside from; it never owes anything.

    Like a player it has play money to start with, once, from the bank.
    """
    found = transfers.account(AccountKind.PROMOTION)
    if not Transfer.objects.filter(key=_START).exists():
        _move(_START, limits.PROMOTIONS_START_CENTS, "")
    return found


def free() -> int:
    """What can still be promised, in cents."""
    return transfers.balance(account())


def set_aside() -> int:
    """What is promised and not paid yet, in cents, for all tournaments together."""
    held = Account.objects.filter(kind=AccountKind.RESERVE, balance__gt=0)
    return sum(held.values_list("balance", flat=True))


def fund(amount: int, *, reason: str, token: str) -> Transfer:
    """Give the promotions `amount` cents from the bank; below zero the bank takes money back.

    `token` names it: the same token again moves nothing. Raises InsufficientFunds when more is
    taken than is free, and AmountRefused for an amount out of range; then nothing changed.
    """
    if not 0 < abs(amount) <= limits.TRANSFER_MAX_CENTS:
        raise AmountRefused(largest=limits.TRANSFER_MAX_CENTS)
    account()
    return _move(f"promotions:{token}", amount, reason)


def _move(key: str, amount: int, memo: str) -> Transfer:
    bank = transfers.account(AccountKind.BANK)
    promotions = transfers.account(AccountKind.PROMOTION)
    postings = [Posting(bank, -amount), Posting(promotions, amount)]
    return transfers.transfer(key=key, kind=PROMOTIONS, postings=postings, memo=memo)
