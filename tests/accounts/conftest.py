"""Fixtures of the accounts' tests: players with money, and the bank it came from."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from accounts.models import Account
    from tests.accounts.players import NewPlayer

_numbers = itertools.count(1)


@pytest.fixture
def player() -> NewPlayer:
    """Return a function that creates a player with a balance in minor units."""
    from accounts.ledger import transfers
    from accounts.ledger.transfers import PostingRequest
    from accounts.models import User

    def make(money: int = 0) -> Account:
        number = next(_numbers)
        user = User.objects.create_user(name=f"player{number}")
        wallet = transfers.account("player", user=user)
        if money:
            bank = transfers.account("bank")
            postings = [PostingRequest(bank, -money), PostingRequest(wallet, money)]
            transfers.transfer(key=f"test:{number}", kind="credit", postings=postings)
        return wallet

    return make
