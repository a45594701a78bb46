"""Movements of a club's money are those of its account, read by the account's index."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.clubs import bank
from tests.accounts.clubs.cast import club_of, person

pytestmark = pytest.mark.django_db


def test_the_newest_movements_of_a_club_are_read_by_its_account() -> None:
    owner = person("anna")
    club, other, poor = club_of(owner), club_of(owner, "Turn Toads"), club_of(owner, "Flop Frogs")
    for token, amount in enumerate((500, 300, -100)):
        bank.fund(club, owner, amount, reason="test", token=str(token))
        bank.fund(other, owner, 10_000, reason="test", token=str(token))
    with CaptureQueriesContext(connection) as queries:
        found = bank.movements(club, 2)
    assert [row.amount for row in found] == [-100, 300]
    assert {row.transfer.kind for row in found} == {"club_fund"}
    asked = next(query["sql"] for query in queries if 'FROM "accounts_posting"' in query["sql"])
    number = bank.account(club).pk
    # A join with accounts lets PostgreSQL read the whole ledger from its end.
    assert f'"accounts_posting"."account_id" = {number}' in asked
    assert '"accounts_account"' not in asked
    assert bank.movements(poor, 2) == []
