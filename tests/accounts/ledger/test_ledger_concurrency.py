"""Concurrent transfers on one account: every cent is spent once, without deadlock."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import Error, connection

from accounts.ledger import transfers
from accounts.ledger.proof import balance_proof
from accounts.ledger.transfers import PostingRequest
from accounts.models import Transfer
from accounts.refusals import InsufficientFunds
from tests.accounts.players import NewPlayer

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 8


def _at_once(jobs: list[Callable[[], object]]) -> list[object]:
    """Start the jobs together; return their results, with a refusal as a result."""
    gun = threading.Barrier(min(THREADS, len(jobs)))

    def run(job: Callable[[], object], first: bool) -> object:
        try:
            if first:
                gun.wait(timeout=60)
            return job()
        except InsufficientFunds as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        futures = [pool.submit(run, job, number < THREADS) for number, job in enumerate(jobs)]
        return [future.result(timeout=120) for future in futures]


@pytest.mark.rule("A-01")
def test_money_for_one_is_spent_by_exactly_one_of_many(player: NewPlayer) -> None:
    wallet, pool = player(1_000), transfers.account("pool", ref="tournament:1")

    def spend(number: int) -> object:
        return transfers.transfer(
            key=f"spend:{number}",
            kind="buy_in",
            postings=[PostingRequest(wallet, -1_000), PostingRequest(pool, 1_000)],
        )

    results = _at_once([partial(spend, number) for number in range(THREADS)])
    assert sum(isinstance(result, Transfer) for result in results) == 1
    assert sum(isinstance(result, InsufficientFunds) for result in results) == THREADS - 1
    assert (transfers.balance(wallet), transfers.balance(pool)) == (0, 1_000)
    assert balance_proof().holds


@pytest.mark.rule("Z-04")
def test_the_same_prize_paid_by_many_workers_arrives_once(player: NewPlayer) -> None:
    wallet, pool = player(), transfers.account("pool", ref="tournament:1")
    bank = transfers.account("bank")
    transfers.move(key="fill", kind="overlay", source=bank, target=pool, amount=5_000)

    def pay() -> Transfer:
        return transfers.move(key="prize:1", kind="prize", source=pool, target=wallet, amount=900)

    results = _at_once([pay] * THREADS)
    assert {result.pk for result in results if isinstance(result, Transfer)} == {
        Transfer.objects.get(key="prize:1").pk
    }
    assert len(results) == THREADS
    assert (transfers.balance(wallet), transfers.balance(pool)) == (900, 4_100)


def test_a_burst_into_one_pool_loses_nothing_and_does_not_deadlock(player: NewPlayer) -> None:
    wallets = [player(100) for _ in range(60)]
    pool, fees = transfers.account("pool", ref="tournament:1"), transfers.account("fee")

    def register(number: int) -> object:
        sides = [
            PostingRequest(fees, 10),
            PostingRequest(wallets[number], -100),
            PostingRequest(pool, 90),
        ]
        # Every second order names its accounts in reverse, which must not matter.
        sides = sides if number % 2 else sides[::-1]
        return transfers.transfer(key=f"register:{number}", kind="buy_in", postings=sides)

    results = _at_once([partial(register, number) for number in range(60)])
    assert all(isinstance(result, Transfer) for result in results)
    assert (transfers.balance(pool), transfers.balance(fees)) == (5_400, 600)
    assert balance_proof().holds


def test_money_sent_in_circles_by_many_does_not_deadlock(player: NewPlayer) -> None:
    wallets = [player(1_000) for _ in range(4)]

    def send(number: int) -> object:
        source, target = wallets[number % 4], wallets[(number + 1 + number // 4 % 3) % 4]
        return transfers.move(
            key=f"send:{number}", kind="test", source=source, target=target, amount=7
        )

    results = _at_once([partial(send, number) for number in range(80)])
    assert all(isinstance(result, Transfer) for result in results)
    assert sum(transfers.balance(wallet) for wallet in wallets) == 4_000
    assert balance_proof().holds


def test_an_account_asked_for_by_many_at_once_is_opened_once() -> None:
    failed: list[str] = []

    def note(execute: Callable[..., object], sql: str, *given: object) -> object:
        try:
            return execute(sql, *given)
        except Error as error:
            failed.append(str(error))
            raise

    def ask(number: int) -> int:
        with connection.execute_wrapper(note):
            return transfers.account("pool", ref=f"tournament:{number}").pk

    for number in range(10):
        assert len(set(_at_once([partial(ask, number)] * THREADS))) == 1
    assert failed == [], "the log of PostgreSQL has no error for what everybody does"
