"""Grants of hands compared with a PostgreSQL that comes back: lost, taken back, or withdrawn."""

from __future__ import annotations

import msgspec
import pytest
from django.db import connection, transaction
from redis import Redis

from config.postgres import database_run
from tables.fairness.leaves import Fate
from tables.models import SealedDeck, Table
from tables.store import deck_keys, fenced, keys, wakes
from tables.workers import database_losses, recovery, sealing, settle, withdrawing
from tests.redis_answers import events_of
from tests.tables import playing
from tests.tables.called_hand import grant, own_key, state_of

__all__ = ["own_key"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(room: Redis) -> Table:
    """A table of three whose first hand is granted and called, and not dealt yet."""
    sealing.publish_call_key()
    made = playing.sit_down([900] * 3)
    assert recovery.adopt(room, 0)
    return grant(room, made)


def _signs(room: Redis) -> list[str]:
    """Return what a restarted server lacks, as a settle worker sees it."""
    with connection.cursor() as cursor:
        run = database_run.read(cursor)
        witness = database_run.witness_of(run, 1)
        return [*database_losses.signs(cursor, room, run, witness)]


def _voided(room: Redis, table: Table) -> list[int]:
    lines = events_of(room, keys.events(keys.table(table.pk), 1))
    return [msgspec.json.decode(line)["hand"] for line in lines if b"hand_voided" in line]


@pytest.mark.parametrize("phase", ["granted", "hand"])
def test_a_lost_grant_is_noticed_before_its_hand_is_settled(
    room: Redis, table: Table, phase: str
) -> None:
    """PostgreSQL kept the epoch and refused the end of such a hand for ever (seed 40498)."""
    if phase == "hand":
        playing.run(room, table.pk)
    called = state_of(room, table).called
    assert called is not None and state_of(room, table).phase == phase
    assert _signs(room) == []
    Table.objects.filter(pk=table.pk).update(granted_hand=0, grant=None)
    assert _signs(room) == [f"1 tables are further in Redis, table {table.pk} among them"]
    with connection.cursor() as cursor:
        database_losses.go_on_above(cursor, room)
    assert _signs(room) == [], "another restart before the adoption of Redis asks nobody again"
    assert recovery.adopt(room, 0)
    assert _voided(room, table) == [1]
    deck = SealedDeck.objects.get(seal=called.sealed.seal)
    assert deck.fate == Fate.VOID_IN_PLAY, "its cards may have been seen"
    assert playing.run(room, table.pk).phase == "hand"


def _close(table: Table) -> None:
    """Close the table as a director does, within a transaction."""
    row = Table.objects.select_for_update().get(pk=table.pk)
    withdrawing.end_closing([row])
    row.status, row.epoch = Table.Status.CLOSED, row.epoch + 1
    row.save(update_fields=["status", "epoch"])


def test_a_hand_taken_back_for_nothing_is_no_hand_that_postgresql_lost(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL died before the closing of the table was committed."""
    monkeypatch.setattr(withdrawing, "HELD_MS", 0)
    with transaction.atomic():
        _close(table)
        transaction.set_rollback(True)
    state = state_of(room, table)
    assert (state.phase, state.hand_number, state.settled_hand) == ("boundary", 1, 0)
    assert _signs(room) == []
    settle.settle(room, table.pk)
    assert playing.run(room, table.pk).epoch == state.epoch + 1


def test_a_withdrawn_hand_of_a_closed_table_is_no_hand_that_postgresql_lost(
    room: Redis, table: Table
) -> None:
    """The table is due once more, for a settle worker that opens its deck."""
    deck_keys.held.drop()
    with transaction.atomic():
        _close(table)
    recovery.close_tables(room, [table.pk])
    deck_keys.held.load_files()
    assert (state_of(room, table).phase, state_of(room, table).hand_number) == ("closed", 1)
    assert wakes.due(room, keys.table(table.pk)) is not None
    assert _signs(room) == []


def test_a_settled_hand_is_one_that_postgresql_may_lack(room: Redis, table: Table) -> None:
    assert playing.run(room, table.pk).phase == "hand"
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    settled = msgspec.structs.replace(loaded.state, phase="boundary", turn=None, hand=None)
    assert fenced.commit(room, loaded, settled, (), drained=0) is not None
    assert state_of(room, table).settled_hand == 1
    assert _signs(room) == [f"1 tables are further in Redis, table {table.pk} among them"]
