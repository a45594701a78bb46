"""Transfers are atomic and idempotent, and never break a floor."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.ledger import promotions, transfers
from accounts.ledger.proof import balance_proof
from accounts.ledger.transfers import Order, PostingRequest
from accounts.models import Account, Posting, Transfer
from accounts.models.ledger import BALANCE_MAX
from accounts.refusals import (
    AmountRefused,
    BalanceFull,
    InsufficientFunds,
    SentBefore,
    words_of,
)
from config import limits
from tests.accounts.players import NewPlayer

pytestmark = pytest.mark.django_db


def _buy_in(wallet: Account, key: str = "entry:1", price: int = 1_000, fee: int = 100) -> Transfer:
    pool, fees = transfers.account("pool", ref="tournament:5"), transfers.account("fee")
    return transfers.transfer(
        key=key,
        kind="buy_in",
        postings=[
            PostingRequest(wallet, -price - fee),
            PostingRequest(pool, price),
            PostingRequest(fees, fee),
        ],
    )


@pytest.mark.rule("T-03")
def test_buy_in_goes_to_the_pool_and_the_fee_to_the_room(player: NewPlayer) -> None:
    wallet = player(5_000)
    _buy_in(wallet)
    assert transfers.balance(wallet) == 3_900
    assert transfers.balance(transfers.account("pool", ref="tournament:5")) == 1_000
    assert transfers.balance(transfers.account("fee")) == 100
    assert transfers.total() == 0
    assert balance_proof().holds


@pytest.mark.rule("A-01")
def test_price_above_the_balance_is_refused_and_nothing_changes(player: NewPlayer) -> None:
    wallet = player(1_099)
    before = balance_proof()
    with pytest.raises(InsufficientFunds) as refused:
        _buy_in(wallet)
    assert refused.value.code == "insufficient_funds"
    assert "11.00" in words_of(refused.value)
    assert "10.99" in words_of(refused.value)
    assert transfers.balance(wallet) == 1_099
    after = balance_proof()
    assert (after.transfers, after.postings) == (before.transfers, before.postings)


def test_the_last_cent_can_be_spent(player: NewPlayer) -> None:
    wallet = player(1_100)
    _buy_in(wallet)
    assert transfers.balance(wallet) == 0


@pytest.mark.rule("Z-04")
def test_the_same_key_again_changes_nothing_even_when_the_money_is_gone(player: NewPlayer) -> None:
    wallet = player(1_100)
    first = _buy_in(wallet)
    again = _buy_in(wallet)
    assert again.pk == first.pk
    assert transfers.balance(wallet) == 0
    assert Transfer.objects.filter(kind="buy_in").count() == 1


def test_reused_key_is_an_assertion(player: NewPlayer) -> None:
    wallet = player(5_000)
    _buy_in(wallet)
    with pytest.raises(AssertionError, match="another transfer"):
        _buy_in(wallet, price=999)
    assert transfers.balance(wallet) == 3_900


def test_a_refused_order_takes_the_others_of_its_batch_with_it(player: NewPlayer) -> None:
    rich, poor, pool = player(500), player(10), transfers.account("pool", ref="tournament:6")
    orders = [
        Order("a", "buy_in", [PostingRequest(rich, -100), PostingRequest(pool, 100)]),
        Order("b", "buy_in", [PostingRequest(poor, -100), PostingRequest(pool, 100)]),
    ]
    with pytest.raises(InsufficientFunds):
        transfers.transfer_all(orders)
    assert (transfers.balance(rich), transfers.balance(poor), transfers.balance(pool)) == (
        500,
        10,
        0,
    )
    assert not Transfer.objects.filter(key__in=["a", "b"]).exists()


def test_a_batch_may_spend_what_its_earlier_transfer_brought(player: NewPlayer) -> None:
    wallet, pool = player(), transfers.account("pool", ref="tournament:7")
    bank = transfers.account("bank")
    booked = transfers.transfer_all(
        [
            Order("in", "credit", [PostingRequest(bank, -70), PostingRequest(wallet, 70)]),
            Order("out", "buy_in", [PostingRequest(wallet, -70), PostingRequest(pool, 70)]),
        ]
    )
    assert [row.key for row in booked] == ["in", "out"]
    story = Posting.objects.filter(account=wallet).order_by("id")
    assert [(row.amount, row.balance_after) for row in story] == [(70, 70), (-70, 0)]


def test_a_batch_that_half_happened_before_books_the_rest(player: NewPlayer) -> None:
    wallet, bank = player(), transfers.account("bank")
    orders = [
        Order(f"gift:{n}", "credit", [PostingRequest(bank, -n), PostingRequest(wallet, n)])
        for n in (1, 2, 3)
    ]
    second = transfers.transfer_all(orders[1:2])[0]
    booked = transfers.transfer_all(orders)
    assert booked[1].pk == second.pk
    assert transfers.balance(wallet) == 6


@pytest.mark.parametrize("amount", [0, limits.TRANSFER_MAX_CENTS + 1, 2**63, -(2**70)])
def test_amounts_out_of_range_are_refused(player: NewPlayer, amount: int) -> None:
    wallet, bank = player(5), transfers.account("bank")
    with pytest.raises(AmountRefused) as refused:
        transfers.transfer(
            key="k",
            kind="credit",
            postings=[PostingRequest(bank, -amount), PostingRequest(wallet, amount)],
        )
    assert refused.value.code == "amount_refused"
    assert transfers.balance(wallet) == 5


@pytest.mark.parametrize("amount", [-1, 0, -(2**63)])
def test_a_move_of_nothing_or_backwards_is_refused(player: NewPlayer, amount: int) -> None:
    wallet, bank = player(5), transfers.account("bank")
    with pytest.raises(AmountRefused):
        transfers.move(key="k", kind="prize", source=wallet, target=bank, amount=amount)
    assert transfers.balance(wallet) == 5


@pytest.mark.parametrize("amount", [1.0, True, "1", None])
def test_fractional_money_is_an_assertion(player: NewPlayer, amount: Any) -> None:
    wallet, bank = player(5), transfers.account("bank")
    with pytest.raises(AssertionError, match="whole"):
        transfers.transfer(
            key="k",
            kind="credit",
            postings=[PostingRequest(bank, -1), PostingRequest(wallet, amount)],
        )


def test_unbalanced_postings_are_an_assertion(player: NewPlayer) -> None:
    wallet, bank = player(5), transfers.account("bank")
    with pytest.raises(AssertionError, match="zero"):
        transfers.transfer(
            key="k", kind="credit", postings=[PostingRequest(bank, -1), PostingRequest(wallet, 2)]
        )
    assert transfers.balance(wallet) == 5


def test_an_account_that_would_overflow_refuses_the_credit() -> None:
    bank, full, rich = (transfers.account("room", ref=ref) for ref in ("bank", "full", "rich"))
    _set_balance_by_hand(full, BALANCE_MAX - 5, against=bank)
    with pytest.raises(BalanceFull) as refused:
        transfers.move(key="k", kind="credit", source=rich, target=full, amount=6)
    assert refused.value.code == "balance_full"
    assert transfers.balance(full) == BALANCE_MAX - 5
    assert transfers.balance(rich) == 0
    transfers.move(key="k", kind="credit", source=rich, target=full, amount=5)


def _set_balance_by_hand(account: Account, amount: int, *, against: Account) -> None:
    """Book a balanced transfer far above the limit of one, as many small ones would add up to."""
    row = Transfer.objects.create(key="by hand", kind="test")
    for side, moved in ((account, amount), (against, -amount)):
        Posting.objects.create(transfer=row, account=side, amount=moved, balance_after=moved)
        Account.objects.filter(pk=side.pk).update(balance=moved)


def test_accounts_are_opened_once() -> None:
    assert transfers.account("pool", ref="tournament:5") == transfers.account(
        "pool", ref="tournament:5"
    )
    assert transfers.account("pool", ref="tournament:5") != transfers.account(
        "pool", ref="tournament:6"
    )
    assert transfers.account("bounty", ref="tournament:5").kind == "bounty"


def test_the_bank_may_owe_and_a_pool_may_not() -> None:
    bank, pool = transfers.account("bank"), transfers.account("pool", ref="tournament:5")
    transfers.move(key="a", kind="overlay", source=bank, target=pool, amount=500)
    assert transfers.balance(bank) == -500
    with pytest.raises(InsufficientFunds):
        transfers.move(key="b", kind="prize", source=pool, target=bank, amount=501)


@pytest.mark.rule("A-02")
def test_an_order_may_overdraw_a_player_down_to_its_limit_and_no_further(player: NewPlayer) -> None:
    wallet = player(100)
    pool = transfers.account("pool", ref="tournament:8")
    overdraw("a", wallet, pool, 300, 200)
    assert transfers.balance(wallet) == -200
    with pytest.raises(InsufficientFunds) as refused:
        overdraw("b", wallet, pool, 1, 200)
    assert "holds -2.00 and may be overdrawn down to -2.00" in words_of(refused.value)
    assert (transfers.balance(wallet), transfers.balance(pool)) == (-200, 300)


@pytest.mark.rule("A-02")
def test_a_debtor_pays_no_other_order_before_the_debt_is_covered(player: NewPlayer) -> None:
    wallet = player(100)
    pool = transfers.account("pool", ref="tournament:8")
    overdraw("a", wallet, pool, 300, 200)
    transfers.move(key="b", kind="prize", source=pool, target=wallet, amount=150)
    with pytest.raises(InsufficientFunds):
        transfers.move(key="c", kind="buy_in", source=wallet, target=pool, amount=1)
    transfers.move(key="d", kind="prize", source=pool, target=wallet, amount=100)
    transfers.move(key="e", kind="buy_in", source=wallet, target=pool, amount=50)
    assert transfers.balance(wallet) == 0


@pytest.mark.rule("A-02")
def test_only_accounts_of_players_are_overdrawn(player: NewPlayer) -> None:
    pool, wallet = transfers.account("pool", ref="tournament:9"), player(100)
    with pytest.raises(InsufficientFunds):
        overdraw("a", pool, wallet, 1, 200)


def overdraw(key: str, source: Account, target: Account, amount: int, debt: int) -> None:
    """Book a transfer that may take a player's account down to a debt."""
    postings = [PostingRequest(source, -amount), PostingRequest(target, amount)]
    transfers.transfer_all([Order(key, "buy_in", postings, overdraft=debt)])


def test_a_form_that_is_sent_again_with_another_amount_is_refused() -> None:
    promotions.fund(100, reason="start", token="once")
    held, booked = promotions.free(), Transfer.objects.count()
    for other in (101, -100):
        with pytest.raises(SentBefore):
            promotions.fund(other, reason="more", token="once")
    promotions.fund(100, reason="start", token="once")
    assert (promotions.free(), Transfer.objects.count()) == (held, booked)
