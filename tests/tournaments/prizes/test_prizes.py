"""Custom payout tables in tournaments and in the admin (Z-02, Z-03)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as some
from redis import Redis

from accounts.ledger import promotions
from accounts.models import User
from config.refusals import Refusal
from tests.tournaments.cast import BUY_IN, Arena, started
from tournaments.engine import payout_tables, payouts
from tournaments.monitor import audit

ROWS = [{"fewest": 1, "most": 9, "shares": [5_000, 3_000, 2_000]}]


@pytest.mark.rule("Z-01")
@pytest.mark.rule("Z-02")
def test_a_custom_table_pays_its_shares(house: Redis) -> None:
    free = promotions.free()
    tournament = started(
        5,
        payout_table=ROWS,
        guarantee=10_001,
    )
    Arena(tournament.pk, 1).run()
    tournament.refresh_from_db()
    assert tournament.prizes == [5_001, 3_000, 2_000]
    assert promotions.free() == free - (10_001 - 5 * BUY_IN)
    assert audit.audit_tournaments(tournament.pk) == []


@pytest.mark.rule("Z-02")
@given(pool=some.integers(0, 10**9), entrants=some.integers(1, 40))
def test_lines_of_a_payout_table_are_read_back_unchanged(pool: int, entrants: int) -> None:
    table = payout_tables.parse("1-3: 100\n4-9: 70 30\n10-20: 40 3x20")
    assert table.rows[2].shares == (4_000, 2_000, 2_000, 2_000)
    assert payout_tables.parse(payout_tables.written(table)) == table
    assert sum(payouts.prizes(table, entrants, pool)) == pool


@pytest.mark.rule("Z-02")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no_rows"),
        ("1-9: 70 20", "not_100_percent"),
        ("1-9: 30 70", "rising_shares"),
        ("1-3: 100\n5-9: 100", "rows_with_gaps"),
        ("1-9 100", "bad_row"),
        ("1-9: -5 105", "bad_row"),
        ("1-9: 9999x1", "more_prizes_than_players"),
    ],
)
def test_a_table_that_cannot_pay_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        payout_tables.parse(text)
    assert refused.value.code == code


@pytest.mark.rule("Z-02")
def test_operators_preview_a_table(house: Redis, client: Client) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    address = reverse("admin:tournaments_payouts")
    asked = {"rows": "1-9: 70 30", "entrants": "5", "pool": "100.01"}
    page = client.get(address, asked).content.decode()
    assert "70.01" in page and "30.00" in page
    wrong = client.get(address, asked | {"rows": "1-9: 70 20"}).content.decode()
    assert "<td>1</td>" not in wrong and "100 %" in wrong
    assert client.get(address).status_code == 200
