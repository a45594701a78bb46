"""Audit of a room that was played: clean as it is, and each changed value found by its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from msgspec.structs import replace
from redis import Redis

from tables.dealer.record import HandRecord
from tables.fairaudit import running
from tables.fairaudit.findings import FairDifference
from tables.fairaudit.hands import RoomNames
from tables.models import Hand, SealedDeck, Table
from tables.records import stored
from tests.tables import playing
from tests.tables.fairaudit.audited import Audited
from tests.tables.fairlog.log_scene import keep_all, play

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 4


@pytest.fixture
def table(room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table with four settled hands, all logged, in its fifth."""
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    made = play(room, HANDS)
    playing.run(room, made.pk)
    keep_all()
    return made


def _change(change: Callable[[HandRecord], HandRecord], *, number: int = 2) -> Hand:
    """Change a record and its fingerprint, as a database owner could; return the row before."""
    row = Hand.objects.get(number=number)
    kept = change(stored.decode(bytes(row.record)))
    Hand.objects.filter(pk=row.pk).update(record=stored.encode(kept), digest=kept.digest())
    return row


def _called(kept: HandRecord, **changed: Any) -> HandRecord:
    assert kept.called is not None
    return replace(kept, called=replace(kept.called, **changed))


def _sealed(kept: HandRecord, **changed: Any) -> HandRecord:
    assert kept.called is not None
    return _called(kept, sealed=replace(kept.called.sealed, **changed))


def test_a_played_room_holds_from_the_secrets_to_the_second_engine(
    table: Table, tmp_path: Path
) -> None:
    found = Audited(tmp_path / "report.json")
    assert found.status == 0 and found.report["findings"] == [], found.told
    counts = found.report["counts"]
    assert (counts["hands"], counts["sealed"], counts["logged"]) == (HANDS,) * 3
    named = sum(found.report["second_engine"].values())
    assert counts["equal_in_second_engine"] + named == HANDS
    assert counts["decks_of_fate_1"] == HANDS and counts["decks_open"] == 1
    assert "no differences" in found.told


CHANGES: dict[str, tuple[Callable[[HandRecord], HandRecord], set[str]]] = {
    "another secret": (lambda kept: _sealed(kept, secret=b"x" * 32), {"secret", "call", "deck"}),
    "another seal": (lambda kept: _sealed(kept, seal=b"x" * 32), {"secret", "seal_leaf"}),
    "another time": (lambda kept: _sealed(kept, sealed_ms=1), {"times", "seal_leaf"}),
    "another call": (lambda kept: _called(kept, call=b"x" * 32), {"call"}),
    "another signature": (lambda kept: _called(kept, signature=b"x" * 64), {"call"}),
    "a seat that was not called": (
        lambda kept: _called(kept, seats=kept.called.seats[1:] if kept.called else ()),
        {"call"},
    ),
    "another first action": (
        lambda kept: replace(kept, actions=kept.actions[1:]),
        {"result", "fate_leaf"},
    ),
    "another end": (lambda kept: replace(kept, ended_ms=kept.ended_ms + 1), {"times", "fate_leaf"}),
    "another board": (
        lambda kept: replace(kept, result=replace(kept.result, board=("2c",))),
        {"result"},
    ),
    "a shown card": (
        lambda kept: replace(kept, result=replace(kept.result, shown=((1, ("2c", "2c")),))),
        {"card"},
    ),
    "a stack after the hand": (
        lambda kept: replace(
            kept, seats=(replace(kept.seats[0], chips=kept.seats[0].chips + 1), *kept.seats[1:])
        ),
        {"stack"},
    ),
}


def test_a_changed_value_of_a_record_is_found(table: Table, tmp_path: Path) -> None:
    for name, (change, kinds) in CHANGES.items():
        before = _change(change)
        found = Audited(tmp_path / "report.json")
        assert found.status == 1 and kinds <= found.kinds, (name, found.told)
        assert {one["hand"] for one in found.report["findings"]} == {2}, name
        assert f"table {table.pk} hand 2" in found.told
        before.save(update_fields=["record", "digest"])
    assert Audited(tmp_path / "report.json").status == 0


def test_a_changed_card_and_deck_and_starting_stack_are_found(table: Table, tmp_path: Path) -> None:
    def swapped(kept: HandRecord) -> HandRecord:
        deck = kept.setup.deck
        other = replace(kept.setup, deck=(*deck[:-2], deck[-1], deck[-2]))
        return replace(kept, setup=other)

    def richer(kept: HandRecord) -> HandRecord:
        first, *others = kept.setup.players
        more = replace(first, stack=first.stack + 500)
        return replace(kept, setup=replace(kept.setup, players=(more, *others)))

    _change(swapped, number=1)
    _change(richer, number=3)
    found = Audited(tmp_path / "report.json")
    by_hand = {
        number: {one["kind"] for one in found.report["findings"] if one["hand"] == number}
        for number in range(1, HANDS + 1)
    }
    assert by_hand[1] == {"deck"}, "two cards that nobody saw are exchanged"
    assert {"result", "stack", "fate_leaf"} <= by_hand[3]
    assert by_hand[2] == by_hand[4] == set()


def test_changed_rows_and_a_changed_log_are_found(table: Table, tmp_path: Path) -> None:
    SealedDeck.objects.filter(hand=1).update(seal=b"y" * 32)
    Hand.objects.filter(number=2).update(digest="0" * 64)
    Hand.objects.filter(number=3).update(record=b"\x00")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE fairlog_logleaf DISABLE TRIGGER leaf_placed_once")
        cursor.execute("UPDATE fairlog_logleaf SET leaf = leaf || '\\x00' WHERE index = 3")
        cursor.execute("ALTER TABLE fairlog_logleaf ENABLE TRIGGER leaf_placed_once")
    found = Audited(tmp_path / "report.json")
    by_hand = {(one["hand"], one["kind"]) for one in found.report["findings"]}
    assert {(1, "secret"), (2, "record"), (3, "unreadable"), (0, "head")} <= by_hand
    assert found.status == 1


def test_keys_from_outside_are_believed_and_those_of_the_database_are_not(
    table: Table, tmp_path: Path
) -> None:
    found = Audited(tmp_path / "report.json", call_key=[b"z" * 32], log_key=[b"z" * 32])
    assert found.kinds == {"call", "head"}
    assert found.report["differences"]["call"] == HANDS


def test_a_hand_that_the_second_engine_plays_otherwise_is_found(table: Table) -> None:
    def refuse(kept: HandRecord) -> str | None:
        raise AssertionError(f"stacks of hand {kept.hand} differ\nand a long story")

    found = running.run(_names(), [], play_again=refuse)
    told = [one for one in found.findings if one.kind is FairDifference.ENGINES]
    assert [one.hand for one in told] == [1, 2, 3, 4]
    assert told[0].detail == "stacks of hand 1 differ"


def test_a_day_without_hands_has_nothing_to_audit(table: Table, tmp_path: Path) -> None:
    found = Audited(tmp_path / "report.json", day="2001-01-01")
    assert found.status == 2 and found.report["counts"].get("hands", 0) == 0


def test_an_audit_writes_nothing(table: Table, tmp_path: Path) -> None:
    before = {table: _rows(table) for table in ("tables_hand", "tables_sealeddeck")}
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    try:
        assert Audited(tmp_path / "report.json").status == 0
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = off")
    assert before == {table: _rows(table) for table in before}


def _rows(table: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY id")
        return [tuple(map(str, row)) for row in cursor.fetchall()]


def _names() -> RoomNames:
    from django.conf import settings

    return RoomNames(settings.FAIR_ORIGIN, [])
