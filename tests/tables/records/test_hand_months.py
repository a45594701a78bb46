"""Monthly partitions of hands: keys, missing months, and how few partitions a query reads."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from redis import Redis

from config.door.rates import Rate
from tables.history import own
from tables.history.released import hands_of_game, hands_of_table
from tables.models import Hand, Table
from tables.records import hand_months
from tests.tables.fairlog.log_scene import play
from tests.tables.records.months_away import take_away

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 3


@pytest.fixture
def table(room: Redis) -> Table:
    """A table with settled hands."""
    return play(room, HANDS)


@pytest.fixture
def restored_months() -> Iterator[None]:
    """Partitions that a test took away are there again after it."""
    yield
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM tables_hand_other")
    hand_months.make()


def place(hand: Hand) -> str:
    """Return the partition of a hand."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tableoid::regclass::text FROM tables_hand WHERE id = %s", [hand.pk])
        return str(cursor.fetchone()[0])


def partitions(rows: QuerySet[Hand]) -> set[str]:
    """Return the partitions that PostgreSQL reads for a query."""
    found: set[str] = set()

    def walk(node: dict[str, object]) -> None:
        name = str(node.get("Relation Name", ""))
        if name.startswith("tables_hand_") and node.get("Actual Loops"):
            found.add(name)
        for child in node.get("Plans", ()):  # type: ignore[attr-defined]
            walk(child)

    walk(json.loads(rows.explain(format="json", analyze=True))[0]["Plan"])
    return found


@pytest.mark.parametrize(
    ("moment", "key"),
    [
        (datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), 2612 * 10**10),
        (datetime(2027, 1, 1, tzinfo=UTC), 2701 * 10**10),
        (datetime.fromisoformat("2027-01-01T00:30:00+01:00"), 2612 * 10**10),
    ],
)
def test_database_and_room_agree_on_the_keys_of_a_month(moment: datetime, key: int) -> None:
    assert hand_months.first_key(moment) == key
    with connection.cursor() as cursor:
        cursor.execute("SELECT hand_month_key(%s)", [moment])
        assert cursor.fetchone()[0] == key


def test_a_settled_hand_lies_in_the_partition_of_its_month(table: Table) -> None:
    hands = list(Hand.objects.order_by("pk"))
    assert [hand.number for hand in hands] == list(range(1, HANDS + 1))
    for hand in hands:
        assert place(hand) == f"tables_hand_{hand.finished_at.astimezone(UTC):%Y%m}"
        assert hand.pk // hand_months.KEYS_OF_MONTH == (
            hand_months.first_key(hand.finished_at) // hand_months.KEYS_OF_MONTH
        )


def test_months_are_made_ahead_and_once() -> None:
    assert hand_months.make() == 0
    assert hand_months.months_ahead(timezone.now()) == hand_months.AHEAD
    with transaction.atomic():
        assert hand_months.make(5) == 2
        assert hand_months.months_ahead(timezone.now()) == 5
        transaction.set_rollback(True)
    assert hand_months.months_ahead(timezone.now()) == hand_months.AHEAD


def test_hands_are_played_without_their_month_and_move_into_it(
    room: Redis, restored_months: None
) -> None:
    take_away(hand_months.months()[0])
    assert hand_months.months_ahead(timezone.now()) == -1
    table = play(room, HANDS)
    before = list(Hand.objects.order_by("pk").values())
    assert {place(hand) for hand in Hand.objects.all()} == {"tables_hand_other"}
    assert len(before) == HANDS
    assert hands_of_table(table).count() == HANDS
    assert hand_months.make() == 1
    assert list(Hand.objects.order_by("pk").values()) == before
    assert {place(hand) for hand in Hand.objects.all()} == {f"tables_hand_{datetime.now(UTC):%Y%m}"}
    assert hand_months.months_ahead(timezone.now()) == hand_months.AHEAD


def test_a_busy_room_holds_off_a_new_month_and_loses_nothing(
    table: Table, restored_months: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hand_months, "HOURLY", Rate("hand-months-busy", 5, 1.0))
    other = connection.copy()
    Hand.objects.all().delete()
    take_away(hand_months.months()[0])
    try:
        with transaction.atomic(using=None), other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("UPDATE tables_table SET round = round WHERE id = %s", [table.pk])
            began = timezone.now()
            assert hand_months.make_hourly() == 0
            assert timezone.now() - began < timedelta(seconds=5)
            cursor.execute("ROLLBACK")
    finally:
        other.close()
    assert hand_months.make_hourly() == 1


def test_pages_read_a_bounded_number_of_partitions(table: Table) -> None:
    user = Hand.objects.earliest("pk").users
    assert user
    with transaction.atomic():
        assert hand_months.make(24) > 20
        assert len(partitions(Hand.objects.filter(table=table))) > 24, "the whole is read"
        for rows in (
            hands_of_table(table).order_by("-number"),
            hands_of_table(table).filter(number=2),
            hands_of_game(table.director, table.game).order_by("-pk"),
            own.own_hands(user[0]).filter(hand_months.of_table(table)),
            Hand.objects.filter(hand_months.of_tables([table.pk]), number=1),
        ):
            assert rows.exists()
            assert len(partitions(rows)) <= 4
        transaction.set_rollback(True)


def _newest(user: int, end: int, most: int) -> list[int]:
    rows = own.own_hands(user)

    def look(first: int, below: int) -> list[Hand]:
        return list(own.within(rows, first, below)[:most])

    return [hand.pk for hand in own.newest(look, end, most)]


def test_a_history_of_years_is_found_newest_first(table: Table) -> None:
    chance = random.Random(5)
    like = Hand.objects.earliest("pk")
    [user, *_] = like.users or []
    months = [chance.choice((0, 1, 2, 7, 8, 9, 31, 32, 33, 90)) for _ in range(60)]
    old = [
        hand_months.key_before(like.pk, 1 + month) + 100 + number
        for number, month in enumerate(months)
    ]
    old += [7 + number for number in range(5)]  # from before partitions
    kept = {
        field.attname: getattr(like, field.attname)
        for field in Hand._meta.concrete_fields
        if field.attname not in ("id", "number")
    }
    Hand.objects.bulk_create(
        Hand(**kept, id=key, number=number) for number, key in enumerate(old, start=HANDS + 1)
    )
    keys = sorted(own.own_hands(user).values_list("pk", flat=True), reverse=True)
    assert len(keys) == HANDS + len(old)
    for end in (hand_months.end_key(timezone.now()), *chance.sample(keys, 8), *keys[-3:], 1):
        for most in (1, 5, 1_000):
            assert _newest(user, end, most) == [key for key in keys if key < end][:most]


def test_a_history_is_not_looked_for_in_the_order_of_keys(table: Table) -> None:
    user, end = (Hand.objects.earliest("pk").users or [0])[0], hand_months.end_key(timezone.now())
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        plan = own.within(own.own_hands(user), hand_months.key_before(end, 2), end)[:4].explain()
    assert "Sort Key: ((tables_hand.id + 0)) DESC" in plan
    assert "Backward" not in plan


def test_a_history_reads_no_month_to_come(table: Table) -> None:
    rows = own.own_hands((Hand.objects.earliest("pk").users or [0])[0]).order_by("-pk")
    with transaction.atomic():
        hand_months.make(12)
        found = rows.filter(pk__lt=hand_months.end_key(timezone.now()))
        assert found.count() == rows.count() > 0
        assert len(partitions(found[:4])) <= 3
        assert len(partitions(rows[:4])) > 12, "who names no end reads all"
        transaction.set_rollback(True)


def test_months_that_nobody_made_are_made_up_for() -> None:
    with transaction.atomic():
        hand_months.make(12)
        gone = hand_months.months()[1:3]
        for month in gone:
            take_away(month)
        assert hand_months.months_ahead(timezone.now()) == 0
        assert hand_months.make(0) == 0, "they are still to come"
        assert hand_months.make(2) == 2
        assert hand_months.months_ahead(timezone.now()) == 12
        transaction.set_rollback(True)
