"""Hands are counted once, in the transaction that settles them, and recounting proves it."""

from __future__ import annotations

import io
import json
import zipfile
from io import StringIO
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis
from structlog.testing import capture_logs

from accounts.users import account_export
from tables.dealer import director, record
from tables.dealer.versions import marked
from tables.models import Hand
from tables.records import stored
from tables.records.archive import VERSION, RecordReference
from tables.statistics import deletion, recount
from tables.statistics.counters import count_hand
from tables.statistics.models import PlayerCounts
from tables.workers import settle
from tests.tournaments.cast import Arena, at_once, started
from tests.tournaments.conftest import house
from tournaments.models import Entry

__all__ = ["house"]


def rows() -> list[Any]:
    return list(PlayerCounts.objects.order_by("pk").values())


def test_a_whole_tournament_is_counted_as_it_was_played(house: Redis) -> None:
    made = started(4, seats_per_table=2)
    arena = Arena(made.pk, seed=4)
    arena.run()
    hands = [stored.decode(bytes(row.record)) for row in Hand.objects.order_by("pk")]
    for entry in Entry.objects.filter(tournament=made):
        row = PlayerCounts.objects.get(user=entry.user_id)
        own = [count_hand(hand)[entry.user_id] for hand in hands if entry.user_id in hand.users()]
        assert (row.director, row.game, row.variant) == ("tournament", made.pk, "holdem")
        assert (row.hands, row.net) == (len(own), sum(one.net for one in own))
        assert row.won == sum(one.won for one in own) > 0 or entry.place != 1
    assert recount.differences() == []
    assert sum(row["net"] for row in rows()) == 0, "chips go from player to player"


def test_a_repeated_settlement_counts_nothing_more(house: Redis) -> None:
    made = started(2)
    arena = Arena(made.pk)
    done = arena.hand(arena.tables()[0])
    before = rows()
    assert [row["hands"] for row in before] == [1, 1]
    assert settle.settle_hand(done) is False
    assert at_once(*[lambda: settle.settle_hand(done)] * 4) == [False] * 4
    assert rows() == before


def test_a_settlement_that_fails_counts_nothing(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = started(2)
    arena = Arena(made.pk)
    table = arena.tables()[0]
    while arena.states[table].phase != "finished":
        arena.step(table)

    def dies(*given: Any) -> None:
        assert rows()[0]["hands"] == 1, "counted within the transaction"
        raise ConnectionError

    monkeypatch.setattr(director.of("tournament"), "settle", dies)
    with pytest.raises(ConnectionError):
        settle.settle_hand(record.of(arena.states[table]))
    assert rows() == [] and not Hand.objects.exists()
    monkeypatch.undo()
    assert settle.settle_hand(record.of(arena.states[table]))
    assert [row["hands"] for row in rows()] == [1, 1]


def test_counting_is_part_of_the_statement_that_writes_the_hand(house: Redis) -> None:
    made = started(4)
    arena = Arena(made.pk)
    with CaptureQueriesContext(connection) as asked:
        arena.hand(arena.tables()[0])
    counting = [one["sql"] for one in asked.captured_queries if "statistics_" in one["sql"]]
    assert len(counting) == 1 and "INSERT INTO tables_hand" in counting[0]


def test_the_command_finds_a_wrong_row_and_writes_it_anew(house: Redis) -> None:
    made = started(3)
    Arena(made.pk, seed=2).run()
    out = StringIO()
    call_command("recount_statistics", "--check", stdout=out)
    assert out.getvalue() == "counted equals recounted\n"
    known = {(row["user_id"], row["game"]): row["hands"] for row in rows()}
    row = PlayerCounts.objects.order_by("pk")[0]
    PlayerCounts.objects.filter(pk=row.pk).update(hands=row.hands + 1)
    PlayerCounts.objects.create(user_id=row.user_id, director="ring", game=5, variant="omaha")
    told = StringIO()
    with pytest.raises(CommandError, match="2 rows differ"):
        call_command("recount_statistics", "--check", stderr=told)
    assert f"user={row.user_id}, director='ring'" in told.getvalue()
    call_command("recount_statistics", stdout=out)
    assert {(row["user_id"], row["game"]): row["hands"] for row in rows()} == known
    assert recount.differences() == []


def test_a_damaged_record_is_told_and_holds_up_no_other_hand(house: Redis) -> None:
    made = started(3)
    Arena(made.pk, seed=2).run()
    bad, *others = Hand.objects.order_by("pk")
    Hand.objects.filter(pk=bad.pk).update(record=b"\x01damaged")
    with capture_logs() as lines, pytest.raises(CommandError, match="rows differ"):
        call_command("recount_statistics", "--check", stderr=StringIO())
    [line] = [line for line in lines if line["log_level"] == "error"]
    assert (line["event"], line["hand"]) == ("damaged record is in no statistics", bad.pk)
    call_command("recount_statistics", stdout=StringIO())
    assert sum(row["hands"] for row in rows()) == sum(hand.players for hand in others)
    assert recount.differences() == []


def test_an_archive_that_is_away_changes_no_counter(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = started(3)
    Arena(made.pk, seed=2).run()
    before = rows()
    reference = RecordReference("202001-missing", 0, 9, bytes(16))
    [hand, *_] = Hand.objects.order_by("pk")
    Hand.objects.filter(pk=hand.pk).update(
        record=marked(VERSION, msgspec.msgpack.encode(reference))
    )
    for arguments in ((), ("--check",)):
        with pytest.raises(CommandError, match="nothing was counted"):
            call_command("recount_statistics", *arguments, stdout=StringIO())
    assert rows() == before


def test_counters_are_exported_and_deleted_with_the_account(house: Redis) -> None:
    made = started(3)
    Arena(made.pk, seed=2).run()
    user = Entry.objects.filter(tournament=made).order_by("pk")[0].user
    with zipfile.ZipFile(io.BytesIO(account_export.zipped(user))) as packed:
        told = json.loads(packed.read("account.json"))["statistics"]
    assert [row["game"] for row in told] == [made.pk] and told[0]["hands"] > 0
    deletion.erase(user)
    assert not PlayerCounts.objects.filter(user=user).exists()
    assert [one.key.user for one in recount.differences()] == [user.pk]
    user.deleted_at = user.date_joined
    user.save(update_fields=["deleted_at"])
    assert recount.differences() == [], "hands of deleted accounts are not counted"
