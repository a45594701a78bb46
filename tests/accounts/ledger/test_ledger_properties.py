"""Ledger under any sequence of transfers: it sums to zero and keeps every floor."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.ledger import transfers
from accounts.ledger.proof import balance_proof
from accounts.ledger.transfers import Order, PostingRequest
from accounts.models import Account, Transfer
from accounts.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db

ACCOUNTS = 5
PLAYERS = 4

amounts = st.lists(st.integers(-300, 300), min_size=1, max_size=3)
orders = st.tuples(st.integers(0, 11), amounts, st.permutations(range(ACCOUNTS)))
batches = st.lists(st.lists(orders, min_size=1, max_size=3), min_size=1, max_size=12)


def _accounts() -> list[Account]:
    """Return four accounts with floor zero and the bank."""
    pools = [transfers.account("pool", ref=f"tournament:{number}") for number in range(PLAYERS)]
    return [*pools, transfers.account("bank")]


def _postings(wanted: list[int], order: list[int]) -> list[tuple[int, int]]:
    """Draw account numbers and amounts that sum to zero; empty when no money would move."""
    moves = [amount for amount in wanted if amount]
    if not moves or sum(moves) == 0:
        return []
    return list(zip(order, [*moves, -sum(moves)], strict=False))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(batches=batches)
def test_any_sequence_of_transfers_keeps_the_laws(
    batches: list[list[tuple[int, list[int], list[int]]]], db: None
) -> None:
    with transaction.atomic():
        _play(batches)
        transaction.set_rollback(True)


def _play(batches: list[list[tuple[int, list[int], list[int]]]]) -> None:
    """Book against the ledger and against a dictionary, and compare after every batch."""
    accounts = _accounts()
    balances = dict.fromkeys(range(ACCOUNTS), 0)
    done: dict[str, list[tuple[int, int]]] = {}
    for batch in batches:
        fresh: dict[str, list[tuple[int, int]]] = {}
        for number, wanted, order in batch:
            key = f"key:{number}"
            postings = done.get(key) or fresh.get(key) or _postings(wanted, order)
            if postings:
                fresh[key] = postings
        expected = _expected(balances, {k: v for k, v in fresh.items() if k not in done})
        asked = [
            Order(key, "test", [PostingRequest(accounts[at], amount) for at, amount in postings])
            for key, postings in fresh.items()
        ]
        if expected is None:
            with pytest.raises(InsufficientFunds):
                transfers.transfer_all(asked)
        else:
            transfers.transfer_all(asked)
            balances, done = expected, done | fresh
        assert {at: transfers.balance(row) for at, row in enumerate(accounts)} == balances
        assert Transfer.objects.count() == len(done)
    connection.check_constraints()  # the checks of PostgreSQL at commit
    proof = balance_proof()
    assert proof.holds
    assert transfers.total() == proof.total == 0


def _expected(
    balances: dict[int, int], fresh: dict[str, list[tuple[int, int]]]
) -> dict[int, int] | None:
    """Return the balances after the batch, None when an account could not pay."""
    after = dict(balances)
    for postings in fresh.values():
        for at, amount in postings:
            after[at] += amount
            if amount < 0 and at < PLAYERS and after[at] < 0:
                return None
    return after
