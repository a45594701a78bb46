"""Credits of play money by an operator, with the reason on the player's statement."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from accounts.ledger.kinds import CREDIT
from accounts.ledger.transfers import Order, PostingRequest, account, transfer_all
from accounts.models import Account, AccountKind, Transfer, User
from accounts.refusals import AccountDeleted, AmountRefused
from config import limits

USERS_MAX = 500


def credit(users: Iterable[User], *, amount: int, reason: str, token: str) -> list[User]:
    """Credit `amount` minor units from the bank to each user; return the users credited now.

    `token` is the idempotency key: a user who has a credit with the token gets no second one.
    Raises AmountRefused or AccountDeleted; then nothing has changed.
    """
    if not 0 < amount <= limits.TRANSFER_MAX_CENTS:
        raise AmountRefused(largest=limits.TRANSFER_MAX_CENTS)
    keys = {f"credit:{token}:{user.pk}": user for user in users}
    with transaction.atomic():
        bank = account(AccountKind.BANK)
        had = set(Transfer.objects.filter(key__in=keys).values_list("key", flat=True))
        new = {key: user for key, user in keys.items() if key not in had}
        _refuse_deleted(new.values())
        orders = [
            Order(key, CREDIT, _postings(bank, user, amount), memo=reason)
            for key, user in new.items()
        ]
        transfer_all(orders)
    return list(new.values())


def _refuse_deleted(users: Iterable[User]) -> None:
    """Lock these users, so that none is deleted before the money is booked."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk for user in users])
    if any(user.deleted_at for user in rows.order_by("pk")):
        raise AccountDeleted


def _postings(bank: Account, user: User, amount: int) -> list[PostingRequest]:
    return [
        PostingRequest(bank, -amount),
        PostingRequest(account(AccountKind.PLAYER, user=user), amount),
    ]
