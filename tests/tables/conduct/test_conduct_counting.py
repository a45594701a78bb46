"""Hands are counted once, after their release, and recounting proves it."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from random import Random
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis
from structlog.testing import capture_logs

from accounts.deletion.parts import registered
from config import limits
from tables.conduct import counting, recount
from tables.conduct.counting import count_waiting
from tables.conduct.following import TURN_S, ConductThread
from tables.conduct.models import PairConduct, PlayerConduct, PlayerDay, UncountedHand
from tables.conduct.pruning import HOURLY, prune_conduct
from tables.conduct.rules.figures import HandFigures, hand_figures
from tables.dealer.record import HandRecord
from tables.dealer.versions import marked, unmarked
from tables.dealt.models import DealtDay
from tables.models import Hand
from tables.records import stored
from tables.records.archive import VERSION, RecordReference
from tables.workers import settle
from tests.tables.conduct.whole_game import count_all, played
from tests.tournaments.cast import Arena, at_once, started
from tests.tournaments.conftest import house
from tournaments.models import Entry

__all__ = ["house"]


def rows() -> list[list[Any]]:
    models = (PlayerConduct, PairConduct, PlayerDay)
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_every_hand_is_counted_once_whoever_counts(house: Redis) -> None:
    hands = played()
    assert UncountedHand.objects.count() == hands and rows() == [[], [], []]
    counts: list[Any] = at_once(*[count_all] * 4)
    assert sum(counts) == hands
    assert count_waiting() == 0 and not UncountedHand.objects.exists()
    assert recount.differences() == []
    stored = PlayerConduct.objects.all()
    assert sum(row.hands for row in stored) == sum(hand.players for hand in Hand.objects.all())
    assert sum(row.flow for row in stored) == 0, "what one gives another gets"
    assert set(PlayerDay.objects.values_list("user", flat=True)) == set(
        Entry.objects.values_list("user", flat=True)
    )


def test_a_count_that_dies_counts_nothing_and_is_done_again(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = played()
    monkeypatch.setattr(counting, "_COUNTED", "SELECT 1 / 0 FROM unnest(%s)")
    turn = ConductThread().turn()
    assert turn > TURN_S and rows() == [[], [], []]
    assert UncountedHand.objects.count() == hands
    monkeypatch.undo()
    assert count_all() == hands and recount.differences() == []


def test_a_hand_that_is_counted_twice_is_found(house: Redis) -> None:
    played()
    first = Hand.objects.order_by("pk")[0]
    count_all()
    UncountedHand.objects.create(hand=first.pk)
    assert count_waiting() == 1
    with pytest.raises(CommandError, match="rows differ"):
        call_command("recount_conduct", "--check", stderr=StringIO())
    found = recount.differences()
    users = set(first.users or ())
    assert {key.user for key, _, _ in found if hasattr(key, "user")} == users
    call_command("recount_conduct", stdout=StringIO())
    out = StringIO()
    call_command("recount_conduct", "--check", stdout=out)
    assert out.getvalue() == "counted equals recounted\n"


def test_a_damaged_record_holds_up_no_other_hand(house: Redis) -> None:
    hands = played()
    bad = Hand.objects.order_by("pk")[0]
    Hand.objects.filter(pk=bad.pk).update(record=bytes(bad.record)[:-9] + bytes(9))
    with capture_logs() as lines:
        assert count_all() == hands
    [line] = [line for line in lines if line["log_level"] == "error"]
    assert line["event"] == "damaged record is not counted" and line["hand"] == bad.pk
    assert not UncountedHand.objects.exists()
    rest = sum(hand.players for hand in Hand.objects.exclude(pk=bad.pk))
    assert sum(row.hands for row in PlayerConduct.objects.all()) == rest
    assert recount.differences() == []


def test_a_hand_without_figures_holds_up_no_other_hand(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = played()
    bad = Hand.objects.order_by("pk")[0]

    def fail_at_one(hand: HandRecord, chance: Random) -> HandFigures:
        if (hand.table, hand.hand) == (bad.table_id, bad.number):
            raise ValueError("a game that nobody thought of")
        return hand_figures(hand, chance)

    monkeypatch.setattr(counting, "hand_figures", fail_at_one)
    with capture_logs() as lines:
        assert count_all() == hands
    [line] = [line for line in lines if line["log_level"] == "error"]
    assert (line["event"], line["hand"]) == ("figures of a hand failed", bad.number)
    assert not UncountedHand.objects.exists()
    rest = sum(hand.players for hand in Hand.objects.exclude(pk=bad.pk))
    assert sum(row.hands for row in PlayerConduct.objects.all()) == rest
    assert recount.differences() == []
    monkeypatch.undo()
    call_command("recount_conduct", stdout=StringIO())
    assert sum(row.hands for row in PlayerConduct.objects.all()) == rest + bad.players


@pytest.mark.parametrize("place", ["names", "name of the key"])
def test_an_oldest_record_with_damaged_names_of_keys_is_passed_over(
    house: Redis, place: str
) -> None:
    hands = played()
    bad = Hand.objects.order_by("pk")[0]
    parts = msgspec.msgpack.decode(unmarked(bytes(bad.record), stored.VERSION))
    parts[1] = 7 if place == "names" else bytes(len(parts[1]))
    damaged = marked(stored.VERSION, msgspec.msgpack.encode(parts))
    Hand.objects.filter(pk=bad.pk).update(record=damaged)
    with capture_logs() as lines:
        assert count_all() == hands
    assert [line["hand"] for line in lines if line["log_level"] == "error"] == [bad.pk]
    figures, out = rows(), StringIO()
    call_command("recount_conduct", stdout=out)
    assert out.getvalue() == (
        f"{hands - 1} hands counted anew\n1 passed over: damaged, or their keys are deleted\n"
    )
    call_command("recount_conduct", "--check", stdout=StringIO())
    assert [len(kept) for kept in rows()] == [len(kept) for kept in figures]


@pytest.mark.parametrize("place", [0, -1])
def test_an_archive_that_is_away_changes_no_figure_of_conduct(house: Redis, place: int) -> None:
    played()
    count_all()
    before = rows()
    away = list(Hand.objects.order_by("pk"))[place]
    reference = RecordReference("202001-missing", 0, 9, bytes(16))
    record = marked(VERSION, msgspec.msgpack.encode(reference))
    Hand.objects.filter(pk=away.pk).update(record=record)
    for arguments in ((), ("--check",)):
        with pytest.raises(CommandError, match="nothing was counted"):
            call_command("recount_conduct", *arguments, stdout=StringIO(), stderr=StringIO())
    assert rows() == before


def test_a_hand_in_an_archive_that_is_away_waits_for_it_and_then_counts(house: Redis) -> None:
    hands = played()
    away = Hand.objects.order_by("pk")[0]
    reference = RecordReference("202001-missing", 0, 9, bytes(16))
    missing = marked(VERSION, msgspec.msgpack.encode(reference))
    Hand.objects.filter(pk=away.pk).update(record=missing)
    assert count_all() == hands - 1
    assert list(UncountedHand.objects.values_list("hand", flat=True)) == [away.pk]
    Hand.objects.filter(pk=away.pk).update(record=away.record)
    assert count_all() == 1 and recount.differences() == []


def test_a_hand_counts_only_after_its_release(house: Redis) -> None:
    hands = played()
    late = Hand.objects.order_by("-pk")[0]
    told = late.released_at
    Hand.objects.filter(pk=late.pk).update(released_at=timezone.now() + timedelta(minutes=1))
    assert count_all() == hands - 1
    assert list(UncountedHand.objects.values_list("hand", flat=True)) == [late.pk]
    Hand.objects.filter(pk=late.pk).update(released_at=told)
    assert count_all() == 1 and recount.differences() == []


def test_a_repeated_settlement_lets_nothing_wait_again(house: Redis) -> None:
    made = started(2)
    arena = Arena(made.pk)
    done = arena.hand(arena.tables()[0])
    assert count_all() == 1
    assert settle.settle_hand(done) is False
    assert not UncountedHand.objects.exists()


def test_a_settlement_has_no_statement_more(house: Redis) -> None:
    made = started(4)
    arena = Arena(made.pk)
    with CaptureQueriesContext(connection) as asked:
        arena.hand(arena.tables()[0])
    ours = [one["sql"] for one in asked.captured_queries if "conduct_" in one["sql"]]
    assert len(ours) == 1 and "INSERT INTO tables_hand" in ours[0]


def test_a_hand_of_n_players_has_at_most_n_rows_of_pairs_for_each(house: Redis) -> None:
    made = started(6, seats_per_table=6)
    arena = Arena(made.pk)
    arena.hand(arena.tables()[0])
    count_all()
    assert 0 < PairConduct.objects.count() <= 6 * 5 / 2
    assert PlayerConduct.objects.count() == 6


def test_old_figures_and_those_of_deleted_accounts_go(house: Redis) -> None:
    played()
    count_all()
    user = Entry.objects.order_by("pk")[0].user
    for part in registered():
        part.erase(user)
    assert not PlayerConduct.objects.filter(user=user).exists()
    assert {row.first_id for row in PairConduct.objects.all()}.isdisjoint({user.pk})
    user.deleted_at = user.date_joined
    user.save(update_fields=["deleted_at"])
    assert recount.differences() == [], "hands of deleted accounts are not counted"
    UncountedHand.objects.bulk_create(UncountedHand(hand=hand.pk) for hand in Hand.objects.all())
    count_all()
    owned = (PlayerConduct, PlayerDay, DealtDay)
    assert not any(model.objects.filter(user=user).exists() for model in owned), "nor later"
    assert not PairConduct.objects.filter(Q(first=user) | Q(second=user)).exists()
    now = timezone.now()
    month = now.year * 100 + now.month
    PairConduct.objects.update(month=month)
    PlayerConduct.objects.update(month=month)
    PlayerDay.objects.update(day=now.date())
    kept = rows()
    assert prune_conduct() == 0 and rows() == kept
    PairConduct.objects.update(month=202001)
    PlayerConduct.objects.update(month=202001)
    PlayerDay.objects.update(day="2020-01-31")
    assert prune_conduct() > 0 and rows() == [[], [], []]


def test_as_many_pairs_go_as_a_large_room_makes() -> None:
    players = 3_000
    in_four_weeks = HOURLY.per_minute * 60 * 24 * 28
    assert in_four_weeks * limits.PRUNED_AT_ONCE_MAX > players * (players - 1) / 2
