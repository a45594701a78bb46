"""A check reads the postings after the checkpoint alone, and finds what a whole proof finds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.db.models import F, Q
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.ledger import checkpoints
from accounts.ledger.checkpoints import SumsAgain, move_checkpoint, recent_violations
from accounts.ledger.proof import balance_proof
from accounts.models import Account, AccountSum, LedgerCheckpoint, Posting, Seal, Transfer
from tests.accounts.ledger.sealing import owner, sealed
from tests.tournaments.cast import Arena, started
from tournaments.monitor import audit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def summed(room: Redis, broker: Redis) -> None:
    """Finished tournament whose postings are sealed and summed up, and one that is not."""
    Arena(started(3).pk).run()
    sealed()
    assert move_checkpoint()
    Arena(started(2).pk).run()


def _again(seals_most: int = 100) -> list[str]:
    return SumsAgain().violations(seals_most)


def test_the_checkpoint_has_the_sums_of_all_sealed_postings(summed: None) -> None:
    reached = LedgerCheckpoint.objects.get()
    assert (reached.postings, reached.transfers) == (1, 1)
    upto = Seal.objects.get(chain="postings", number=1).upto
    first = Posting.objects.filter(pk__lte=upto)
    assert first.count() < Posting.objects.count()
    sums = dict(AccountSum.objects.values_list("account", "amount"))
    assert sum(sums.values()) == 0
    assert sums.keys() == set(first.values_list("account", flat=True))
    moved = AccountSum.objects.exclude(amount=F("account__balance"))
    assert moved.exists(), "postings after the checkpoint count, too"
    assert all(
        amount == sum(first.filter(account=account).values_list("amount", flat=True))
        for account, amount in sums.items()
    )
    assert [*recent_violations()] == [] and balance_proof().holds
    assert _again() == []


def test_the_checkpoint_moves_with_the_seals_and_not_without(summed: None) -> None:
    assert not move_checkpoint(), "no newer seal"
    sealed()
    assert move_checkpoint() and not move_checkpoint()
    assert LedgerCheckpoint.objects.get().postings == 2
    assert [*recent_violations()] == [] and _again() == []


def test_a_long_chain_is_summed_up_in_parts(summed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed()
    monkeypatch.setattr(checkpoints, "SEALS_AT_ONCE", 1)
    LedgerCheckpoint.objects.all().delete()
    AccountSum.objects.all().delete()
    assert [*recent_violations()] == [], "without a checkpoint all postings are read"
    assert [move_checkpoint() for _ in range(3)] == [True, True, False]
    again = SumsAgain()
    AccountSum.objects.filter(amount__gt=0).update(amount=0)
    assert again.violations(1) == [], "not at the checkpoint yet"
    assert again.violations(1), "there it is compared"


def test_settled_money_is_no_work_for_a_check(summed: None) -> None:
    sealed()
    move_checkpoint()
    with CaptureQueriesContext(connection) as asked, connection.cursor() as cursor:
        assert [*recent_violations()] == []
        [balances] = [one["sql"] for one in asked if "recent" in one["sql"]]
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(f"EXPLAIN {balances}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
        cursor.execute("RESET enable_seqscan")
    assert "accounts_posting_pkey" in plan and "Seq Scan on accounts_posting" not in plan, plan


def _wrong_balance() -> None:
    owner("UPDATE accounts_account SET balance = balance + 1 WHERE kind = 'fee'")


def _old_money() -> None:
    owner(
        "UPDATE accounts_account SET balance = balance + 1 WHERE id ="
        " (SELECT account_id FROM accounts_posting ORDER BY id LIMIT 1)"
    )


def _late_posting() -> None:
    """Add a posting to a transfer that was summed up long ago."""
    first = Transfer.objects.earliest("id")
    account = Account.objects.exclude(postings__transfer=first).latest("id")
    owner(
        "INSERT INTO accounts_posting (transfer_id, account_id, amount, balance_after)"
        f" VALUES ({first.pk}, {account.pk}, 7, {account.balance + 7})",
        f"UPDATE accounts_account SET balance = balance + 7 WHERE id = {account.pk}",
    )


def _lone_transfer() -> None:
    owner("INSERT INTO accounts_transfer (key, kind, memo) VALUES ('lone', 'raw', '')")


@pytest.mark.parametrize("harm", [_wrong_balance, _old_money, _late_posting, _lone_transfer])
def test_money_that_does_not_add_up_is_found_by_the_next_check(
    summed: None, harm: Callable[[], None]
) -> None:
    harm()
    found = [*recent_violations()]
    assert found
    proof = balance_proof()
    wrong = {told.partition(" holds ")[0] for told in found}
    assert {told.partition(" holds ")[0] for told in proof.violations} <= wrong
    assert found == [told for _, told in audit.violations(among=Q(pk__in=[])) if told in found]


@pytest.mark.parametrize("harm", [_late_posting, _lone_transfer])
def test_a_wrong_transfer_is_never_left_behind(summed: None, harm: Callable[[], None]) -> None:
    harm()
    sealed()
    assert not move_checkpoint()
    assert [*recent_violations()]


def test_a_sum_and_a_balance_changed_together_are_found(summed: None) -> None:
    account = AccountSum.objects.filter(account__kind="player").earliest("account").account
    change = "UPDATE {} SET {} = {} + 100 WHERE {} = {}"
    owner(
        change.format("accounts_accountsum", "amount", "amount", "account_id", account.pk),
        change.format("accounts_account", "balance", "balance", "id", account.pk),
    )
    [found] = _again()
    assert f"for account {account.pk}, its sealed postings sum to" in found
