"""PostgreSQL refuses changes that break the ledger, even outside of the code."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.ledger import transfers
from accounts.ledger.proof import balance_proof
from accounts.ledger.transfers import PostingRequest
from accounts.models import Account, Transfer
from tests.accounts.players import NewPlayer

pytestmark = pytest.mark.django_db(transaction=True)


def _raw(*statements: tuple[str, list[int | str]]) -> None:
    """Run statements in one transaction, as in psql."""
    with transaction.atomic(), connection.cursor() as cursor:
        for sql, values in statements:
            cursor.execute(sql, values)


def _booking(wallet: Account, amount: int, after: int) -> tuple[str, list[int | str]]:
    return (
        "INSERT INTO accounts_posting (transfer_id, account_id, amount, balance_after)"
        " SELECT max(id), %s, %s, %s FROM accounts_transfer",
        [wallet.pk, amount, after],
    )


def _new_transfer(key: str) -> tuple[str, list[int | str]]:
    return ("INSERT INTO accounts_transfer (key, kind, memo) VALUES (%s, 'raw', '')", [key])


def _holds(wallet: Account, balance: int) -> tuple[str, list[int | str]]:
    return ("UPDATE accounts_account SET balance = %s WHERE id = %s", [balance, wallet.pk])


def test_a_balanced_transfer_by_hand_is_accepted(player: NewPlayer) -> None:
    one, other = player(100), player(0)
    _raw(
        _new_transfer("raw"),
        _booking(one, -40, 60),
        _booking(other, 40, 40),
        _holds(one, 60),
        _holds(other, 40),
    )
    assert balance_proof().holds
    assert transfers.balance(other) == 40


def test_a_transfer_that_does_not_sum_to_zero_is_refused_at_commit(player: NewPlayer) -> None:
    one, other = player(100), player(0)
    with pytest.raises(IntegrityError, match="sums to 1"):
        _raw(
            _new_transfer("raw"),
            _booking(one, -40, 60),
            _booking(other, 41, 41),
            _holds(one, 60),
            _holds(other, 41),
        )
    assert not Transfer.objects.filter(key="raw").exists()
    assert transfers.balance(one) == 100


def test_a_transfer_without_postings_is_refused() -> None:
    with pytest.raises(IntegrityError, match="over 0 postings"):
        _raw(_new_transfer("raw"))


def test_a_posting_added_later_is_refused(player: NewPlayer) -> None:
    one = player(100)
    with pytest.raises(IntegrityError, match="sums to"):
        _raw(_booking(player(0), 1, 1))
    assert transfers.balance(one) == 100


def test_a_balance_changed_without_a_posting_is_refused(player: NewPlayer) -> None:
    one = player(100)
    with pytest.raises(IntegrityError, match="is booked"):
        _raw(_holds(one, 1_000_000))
    assert transfers.balance(one) == 100


def test_a_posting_without_its_balance_is_refused(player: NewPlayer) -> None:
    one, other = player(100), player(0)
    with pytest.raises(IntegrityError, match="is booked"):
        _raw(_new_transfer("raw"), _booking(one, -40, 60), _booking(other, 40, 40))


def test_a_wrong_balance_after_is_refused(player: NewPlayer) -> None:
    one, other = player(100), player(0)
    with pytest.raises(IntegrityError, match="is not 61"):
        _raw(
            _new_transfer("raw"),
            _booking(one, -40, 61),
            _booking(other, 40, 40),
            _holds(one, 61),
            _holds(other, 40),
        )


def test_a_balance_below_the_floor_is_refused(player: NewPlayer) -> None:
    one, other = player(100), player(0)
    with pytest.raises(IntegrityError, match="account_above_floor"):
        _raw(
            _new_transfer("raw"),
            _booking(one, -101, -1),
            _booking(other, 101, 101),
            _holds(one, -1),
            _holds(other, 101),
        )
    assert transfers.balance(one) == 100


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE accounts_transfer SET memo = 'other'",
        "UPDATE accounts_posting SET amount = amount * 2",
        "DELETE FROM accounts_posting",
        "DELETE FROM accounts_transfer",
        "UPDATE accounts_account SET ref = 'other'",
        "UPDATE accounts_account SET user_id = NULL",
    ],
)
def test_booked_rows_are_immutable(player: NewPlayer, sql: str) -> None:
    player(100)
    with pytest.raises(IntegrityError, match="append-only"):
        _raw((sql, []))
    assert balance_proof().holds


def test_an_account_born_with_money_is_refused() -> None:
    with pytest.raises(IntegrityError, match="is booked"):
        Account.objects.create(kind="pool", ref="tournament:9", balance=5)


def test_a_key_is_used_once_in_the_database_too(player: NewPlayer) -> None:
    wallet, bank = player(100), transfers.account("bank")
    transfers.transfer(
        key="k", kind="credit", postings=[PostingRequest(bank, -1), PostingRequest(wallet, 1)]
    )
    with pytest.raises(IntegrityError, match="key"):
        _raw(_new_transfer("k"))


def test_the_proof_finds_what_was_broken_behind_the_triggers(player: NewPlayer) -> None:
    wallet = player(100)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE accounts_account DISABLE TRIGGER USER")
        cursor.execute("UPDATE accounts_account SET balance = 105 WHERE id = %s", [wallet.pk])
        proof = balance_proof()
        cursor.execute("UPDATE accounts_account SET balance = 100 WHERE id = %s", [wallet.pk])
        cursor.execute("ALTER TABLE accounts_account ENABLE TRIGGER USER")
    assert not proof.holds
    assert proof.total == 5
    assert len(proof.violations) == 1
    assert "holds 105" in proof.violations[0]
    assert balance_proof().holds
