"""Statements list every movement of money, and the export every posting."""

from __future__ import annotations

import csv
import io

import pytest
from django.utils import translation

from accounts.ledger import export, transfers
from accounts.ledger.statements import statement
from accounts.ledger.transfers import PostingRequest
from accounts.models import Posting, User
from accounts.users.signup import sign_up
from config import limits

pytestmark = pytest.mark.django_db


@pytest.mark.rule("A-01")
def test_a_statement_runs_from_the_newest_back_with_the_balance_after_each() -> None:
    user = sign_up("Ada", "three blind mice")
    wallet = transfers.account("player", user=user)
    pool, fee = transfers.account("pool", ref="tournament:5"), transfers.account("fee")
    transfers.transfer(
        key="r",
        kind="registration",
        postings=[
            PostingRequest(wallet, -1_100),
            PostingRequest(pool, 1_000),
            PostingRequest(fee, 100),
        ],
        memo="Sunday Special",
    )
    transfers.move(key="p", kind="prize", source=pool, target=wallet, amount=900)
    with translation.override("en"):
        shown = statement(user)
    assert shown.balance == 999_800
    assert [(row.amount, row.balance_after, row.ref) for row in shown.rows] == [
        (900, 999_800, "tournament:5"),
        (-1_100, 998_900, "tournament:5"),
        (1_000_000, 1_000_000, ""),
    ]
    assert [row.what for row in shown.rows] == [
        "Prize",
        "Buy-in and fee",
        "Play money to start with",
    ]
    assert shown.rows[1].memo == "Sunday Special"
    assert shown.rows[0].when >= shown.rows[2].when


def test_a_long_statement_comes_in_pages() -> None:
    user = sign_up("Ada", "three blind mice")
    wallet, pool = (
        transfers.account("player", user=user),
        transfers.account("pool", ref="tournament:5"),
    )
    count = limits.STATEMENT_ROWS_PER_PAGE + 4
    for number in range(count):
        transfers.move(key=f"k{number}", kind="registration", source=wallet, target=pool, amount=1)
    first, second = statement(user, 1), statement(user, 2)
    assert (first.pages, second.pages) == (2, 2)
    assert len(first.rows) == limits.STATEMENT_ROWS_PER_PAGE
    assert len(second.rows) == 5
    assert first.rows[-1].balance_after + 1 == second.rows[0].balance_after
    assert statement(user, 99).page == 2
    assert statement(user, -1).page in (1, 2)


def test_a_statement_shows_nobody_elses_money() -> None:
    ada, ben = sign_up("Ada", "three blind mice"), sign_up("Ben", "three blind mice")
    transfers.move(
        key="k",
        kind="prize",
        source=transfers.account("bank"),
        target=transfers.account("player", user=ben),
        amount=4_711,
    )
    assert 4_711 in [row.amount for row in statement(ben).rows]
    assert 4_711 not in [row.amount for row in statement(ada).rows]


def test_a_user_without_an_account_has_an_empty_wallet() -> None:
    shown = statement(User.objects.create_user(name="Zoe"))
    assert (shown.balance, shown.rows, shown.pages) == (0, (), 1)


def test_the_export_has_every_posting_and_no_formulas() -> None:
    user = sign_up("Ada", "three blind mice")
    transfers.transfer(
        key="k",
        kind="credit",
        postings=[
            PostingRequest(transfers.account("bank"), -5),
            PostingRequest(transfers.account("player", user=user), 5),
        ],
        memo='=HYPERLINK("x"), "quoted"',
    )
    text = "".join(export.export_rows(Posting.objects.all()))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["amount"]) for row in rows] == [-1_000_000, 1_000_000, -5, 5]
    assert sum(int(row["amount"]) for row in rows) == 0
    assert rows[3]["user"] == "Ada"
    assert rows[3]["balance_after"] == "1000005"
    assert rows[3]["memo"] == '\'=HYPERLINK("x"), "quoted"'


def test_a_streamed_export_is_the_file_of_the_moment_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export, "ROWS_OF_A_PART", 3)
    for name in ("Ada", "Ben"):
        sign_up(name, "three blind mice")
    text = "".join(export.export_rows(Posting.objects.all()))
    keys = export.chosen(Posting.objects.order_by("-id"))
    made = export.parts(keys)
    first = [next(made), next(made)]
    sign_up("Cleo", "three blind mice")
    told = first + list(made)
    assert b"".join(told).decode() == text
    assert [part.count(b"\n") for part in told] == [1, 3, 1]
