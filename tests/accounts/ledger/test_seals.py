"""Sealed rows cannot be changed, removed or added without notice."""

from __future__ import annotations

import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import override_settings
from redis import Redis

from accounts.ledger import seals
from accounts.models import Posting, Seal, SealProgress, Transfer
from accounts.users import bots
from config.redis import room
from tests.accounts.ledger.sealing import owner, sealed
from tests.tournaments.cast import Arena, started
from tournaments.models import AuditRow

CHAINS = {"transfers", "postings", "admin", "audit", "ring_audit", "club_audit"}


@pytest.fixture
def played(room: Redis, broker: Redis, transactional_db: None) -> None:
    """Finished tournament with sealed rows."""
    Arena(started(3).pk).run()
    sealed()


def test_every_row_is_sealed_and_the_audit_finds_nothing(played: None) -> None:
    newest = {seal.chain: seal.upto for seal in Seal.objects.order_by("number")}
    assert newest["transfers"] == Transfer.objects.latest("id").pk
    assert newest["postings"] == Posting.objects.latest("id").pk
    assert newest["audit"] == AuditRow.objects.latest("id").pk
    assert {one.name for one in seals.registered()} == CHAINS
    assert seals.verify_seals() == []
    assert seals.seal(apart_s=0) == 0, "no new rows, no seal"
    call_command("audit")


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE accounts_transfer SET memo = 'another' WHERE id = %(transfer)s", "transfer"),
        ("UPDATE accounts_transfer SET created = created + interval '1 us'", "transfer"),
        ("DELETE FROM accounts_posting WHERE id = (SELECT max(id) FROM accounts_posting)", "post"),
        ("UPDATE tournaments_auditrow SET reason = 'another'", "auditrow"),
        ("UPDATE tournaments_auditrow SET actor_id = NULL, details = '[1]'", "auditrow"),
        ("DELETE FROM tournaments_auditrow", "auditrow"),
        ("TRUNCATE accounts_posting, accounts_transfer CASCADE", "post"),
        ("INSERT INTO tournaments_auditrow (id, tournament_id, action, reason, details, at)"
         " SELECT 0, tournament_id, action, reason, details, at FROM tournaments_auditrow LIMIT 1",
         "auditrow"),
        ("UPDATE accounts_seal SET digest = repeat('0', 64) WHERE number = 1", "seal 1"),
        ("DELETE FROM accounts_seal WHERE chain = 'audit'", "was removed"),
        ("TRUNCATE accounts_seal, accounts_sealprogress, tournaments_auditrow", "was removed"),
    ],
)  # fmt: skip
def test_changes_by_the_database_owner_are_found(played: None, statement: str, found: str) -> None:
    owner(statement.replace("%(transfer)s", str(Transfer.objects.earliest("id").pk)))
    findings = seals.verify_seals()
    assert any(found in line for line in findings), findings
    with pytest.raises(CommandError):
        call_command("audit")
    rolling: dict[str, int] = {}
    assert any(seals.check_some(rolling, 1) for _ in range(5)), "the auditor reports it too"


def test_a_mark_in_redis_that_is_no_number_is_a_finding(played: None) -> None:
    room().hset(seals.WITNESS, "transfers", "first mark")
    assert any("seal first of transfers" in line for line in seals.verify_seals())


def test_a_chain_made_anew_without_the_key_is_found(played: None) -> None:
    kept = seals.marks()["audit"]
    assert seals.verify_seals(since=kept) == []
    owner("TRUNCATE accounts_seal, accounts_sealprogress", "DELETE FROM tournaments_auditrow")
    room().delete(seals.WITNESS)
    with override_settings(SECRET_KEY="of somebody else"):
        sealed()
    assert any("SECRET_KEY" in line for line in seals.verify_seals())
    owner("TRUNCATE accounts_seal, accounts_sealprogress")
    sealed()
    assert not [line for line in seals.verify_seals() if "audit" in line], (
        "with the key it verifies"
    )
    assert any(kept in line for line in seals.verify_seals(since=kept)), "a kept mark reveals it"


def test_a_seal_of_another_chain_does_not_fit_a_chain_made_anew(
    played: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seals, "ROWS_MAX", 3)
    owner("TRUNCATE accounts_seal, accounts_sealprogress")
    sealed()
    old = Seal.objects.get(chain="transfers", number=2)
    first = Transfer.objects.earliest("id").pk
    owner(
        f"UPDATE accounts_transfer SET memo = 'another' WHERE id = {first}",
        "TRUNCATE accounts_seal, accounts_sealprogress",
    )
    sealed()
    assert seals.verify_seals() == [], "with the key it verifies"
    owner(
        f"UPDATE accounts_seal SET previous = '{old.previous}', mark = '{old.mark}'"
        " WHERE chain = 'transfers' AND number = 2"
    )
    assert "seal 2 of transfers does not follow the one before it" in seals.verify_seals()


def test_a_new_secret_keeps_what_the_old_one_sealed(played: None) -> None:
    from django.conf import settings

    old = settings.SECRET_KEY
    with override_settings(SECRET_KEY="a new one", SECRET_KEY_FALLBACKS=[old]):
        credit_somebody()
        sealed()
        assert seals.verify_seals() == []
    with override_settings(SECRET_KEY="a new one", SECRET_KEY_FALLBACKS=[]):
        assert any("SECRET_KEY" in line for line in seals.verify_seals())


def credit_somebody() -> None:
    made = bots.create(30)
    assert made


def test_a_seal_never_passes_a_transaction_that_is_still_open(
    room: Redis, broker: Redis, transactional_db: None
) -> None:
    Arena(started(2).pk).run()
    tournament = AuditRow.objects.latest("id").tournament
    inserted, go_on = threading.Event(), threading.Event()

    def late() -> None:
        with transaction.atomic():
            AuditRow.objects.create(tournament=tournament, action="late", reason="commits late")
            inserted.set()
            assert go_on.wait(60)
        connection.close()

    thread = threading.Thread(target=late)
    thread.start()
    assert inserted.wait(60)
    after = AuditRow.objects.create(tournament=tournament, action="later", reason="commits first")
    sealed()
    newest = Seal.objects.filter(chain="audit").order_by("-number").first()
    assert newest is None or newest.upto < after.pk - 1, "the seal stops before the open row"
    go_on.set()
    thread.join(60)
    sealed()
    assert Seal.objects.filter(chain="audit").latest("number").upto == after.pk
    assert seals.verify_seals() == []
    assert AuditRow.objects.filter(action="late").exists()


def test_steps_wait_for_the_statements_of_their_time(played: None) -> None:
    before = SealProgress.objects.get(chain="transfers")
    credit_somebody()
    for _ in range(3):
        assert seals.seal(apart_s=3_600) == 0, "the statement timeout has not elapsed"
    after = SealProgress.objects.get(chain="transfers")
    assert (after.seen_upto, after.ready_upto) == (before.seen_upto, before.ready_upto)
    sealed()
    assert Seal.objects.filter(chain="transfers").latest("number").upto > before.seen_upto


def test_a_database_restored_into_a_fresh_server_goes_on(played: None) -> None:
    credit_somebody()
    last = Posting.objects.latest("id").pk
    SealProgress.objects.update(ready_xid=2**60)
    SealProgress.objects.filter(chain="postings").update(seen_upto=last, ready_upto=last)
    sealed()
    assert seals.verify_seals() == []
    assert Seal.objects.filter(chain="postings").latest("number").upto == (
        Posting.objects.latest("id").pk
    )


def test_batches_end_where_they_may(played: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "ROWS_MAX", 7)
    credit_somebody()
    sealed()
    rows = Seal.objects.filter(chain="postings").order_by("number")
    assert max(row.rows for row in rows[1:]) <= 7
    assert sum(row.rows for row in rows) == Posting.objects.count()
    assert seals.verify_seals() == []
