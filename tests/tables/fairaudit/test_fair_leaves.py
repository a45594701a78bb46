"""Rows and leaves of decks that belong together: what is changed or removed alone is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from redis import Redis

from tables.models import Hand, Table
from tables.workers import recovery
from tests.tables import playing
from tests.tables.fairaudit.audited import Audited
from tests.tables.fairlog.log_scene import keep_all, play

pytestmark = pytest.mark.django_db(transaction=True)

VOID_NUMBER = 3

GUARDED = ("fairlog_logleaf", "tables_sealeddeck", "tables_hand")


@pytest.fixture
def table(room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table with two settled hands, a void one and one more, all logged; the last end is not."""
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    made = play(room, 2)
    playing.run(room, made.pk)
    assert recovery.rebuild(room, made.pk, seen_epoch=1)
    _settle(room, made, 3)
    keep_all()
    _settle(room, made, 4)
    return made


def _settle(room: Redis, table: Table, hands: int) -> None:
    while Hand.objects.filter(table=table).count() < hands:
        playing.step_on(room, table.pk)


def _changed(statements: str) -> None:
    """Run statements as an owner of the database who drops its triggers."""
    with connection.cursor() as cursor:
        for name in GUARDED:
            cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        cursor.execute(statements)
        assert cursor.rowcount > 0
        for name in GUARDED:
            cursor.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER")


@pytest.mark.parametrize(
    ("statements", "kind", "number"),
    [
        ("UPDATE tables_sealeddeck SET reason = 6 WHERE fate = 2", "fate_leaf", VOID_NUMBER),
        ("UPDATE tables_sealeddeck SET reason = 99 WHERE fate = 2", "fate_leaf", VOID_NUMBER),
        ("UPDATE tables_sealeddeck SET ended_ms = 1 WHERE fate = 2", "fate_leaf", VOID_NUMBER),
        ("UPDATE tables_sealeddeck SET sealed_ms = 1 WHERE fate = 2", "seal_leaf", VOID_NUMBER),
        (
            "UPDATE tables_sealeddeck SET seal = sha256('') WHERE fate = 2",
            "seal_leaf",
            VOID_NUMBER,
        ),
        ("DELETE FROM tables_sealeddeck WHERE fate = 2", "fate", VOID_NUMBER),
        (
            "DELETE FROM tables_sealeddeck WHERE fate IS NULL;"
            " UPDATE tables_sealeddeck SET fate = NULL WHERE fate = 2",
            "fate_leaf",
            VOID_NUMBER,
        ),
        (
            "DELETE FROM tables_hand WHERE number = 2;"
            " UPDATE tables_sealeddeck SET fate = 2, reason = 1 WHERE hand = 2",
            "fate_leaf",
            2,
        ),
        (
            "DELETE FROM tables_hand WHERE number = 2;"
            " DELETE FROM tables_sealeddeck WHERE hand = 2",
            "fate",
            2,
        ),
        ("DELETE FROM fairlog_logleaf WHERE index IS NULL AND kind = 1", "seal_leaf", 5),
        ("DELETE FROM fairlog_logleaf WHERE index IS NULL AND kind = 2", "fate_leaf", 4),
    ],
)
def test_a_deck_that_is_not_as_its_leaves_tell_is_found(
    table: Table, tmp_path: Path, statements: str, kind: str, number: int
) -> None:
    honest = Audited(tmp_path / "report.json")
    assert honest.status == 0, honest.told
    _changed(statements)
    found = Audited(tmp_path / "report.json")
    assert found.status == 1
    told = {(one["kind"], one["table"], one["hand"]) for one in found.report["findings"]}
    assert (kind, table.pk, number) in told, found.told
