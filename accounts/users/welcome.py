"""First play money of a new player, credited once from the bank (A-01)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from accounts.ledger.kinds import WELCOME
from accounts.ledger.transfers import Order, PostingRequest, account, transfer_all
from accounts.models import Account, AccountKind, Transfer, User
from config import limits


def welcome(user: User) -> None:
    """Credit the first play money to a new player; a repeated call does nothing."""
    welcome_all([user])


def open_account(user: User) -> None:
    """Open a new player's account without play money."""
    Account.objects.get_or_create(kind=AccountKind.PLAYER, user=user)


def was_welcomed(user: User) -> bool:
    """Return whether a player received the first play money."""
    return Transfer.objects.filter(key=_key(user)).exists()


def welcome_all(users: Sequence[User]) -> None:
    """Credit the first play money to players who never received it, opening their accounts."""
    with transaction.atomic():
        had = set(Transfer.objects.filter(key__in=map(_key, users)).values_list("key", flat=True))
        new = [user for user in users if _key(user) not in had]
        Account.objects.bulk_create(
            [Account(kind=AccountKind.PLAYER, user=user) for user in new], ignore_conflicts=True
        )
        players = Account.objects.filter(kind=AccountKind.PLAYER, user__in=new)
        by_user = {player.user_id: player for player in players}
        bank = account(AccountKind.BANK)
        transfer_all([_gift(user, bank, by_user[user.pk]) for user in new])


def _gift(user: User, bank: Account, player: Account) -> Order:
    amount = limits.PLAY_MONEY_WELCOME_CENTS
    return Order(
        _key(user), WELCOME, [PostingRequest(bank, -amount), PostingRequest(player, amount)]
    )


def _key(user: User) -> str:
    return f"welcome:{user.pk}"
