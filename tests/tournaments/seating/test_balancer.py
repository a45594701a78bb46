"""The record of table sizes follows PostgreSQL at a cost independent of the field."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from tables.models import Seat, Table
from tables.workers import database_losses
from tests.tournaments.cast import Arena, started
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Tournament
from tournaments.seating import balancer
from tournaments.seating.balancer import Bounds, Size


def fresh(tournament: Tournament) -> Tournament:
    """Row of the tournament as stored now."""
    return Tournament.objects.get(pk=tournament.pk)


def test_the_record_equals_the_rows_of_postgresql(house: Redis) -> None:
    tournament = started(20, seats_per_table=4)
    arena = Arena(tournament.pk, seed=4)
    compared = 0

    def compare() -> None:
        nonlocal compared
        now = fresh(tournament)
        _, sizes = balancer.sizes_of(now.pk)
        for size in sizes:
            kept, read = (
                balancer.bounds(now, size.table),
                balancer.bounds_of(sizes, now, size.table),
            )
            assert _same(kept, read)
            compared += 1

    arena.run(after=compare)
    assert compared > 100 and fresh(tournament).balance_version > 1


def test_a_lost_or_outdated_record_is_read_again(house: Redis) -> None:
    tournament = fresh(started(12, seats_per_table=4))
    table = Table.objects.latest("pk").pk
    before = balancer.bounds(tournament, table)
    house.flushall()
    assert balancer.bounds(tournament, table) == before
    Seat.objects.filter(table=table).latest("pk").delete()
    tournament.balance_version += 1
    tournament.save()
    assert balancer.bounds(tournament, before.shortest[0].table).shortest[0].size == 3


def test_a_change_out_of_order_is_ignored(house: Redis) -> None:
    tournament = fresh(started(8, seats_per_table=4))
    first, second = Table.objects.order_by("pk").values_list("pk", flat=True)
    before = balancer.bounds(tournament, first)
    version = tournament.balance_version
    balancer.follow(tournament.pk, version=version + 2, changed={first: Size(first, 1, 9)})
    assert balancer.bounds(tournament, second) == balancer.bounds(tournament, second)
    assert balancer.bounds(tournament, first) == before
    balancer.follow(tournament.pk, version=version + 1, changed={second: None})
    tournament.balance_version += 1
    assert balancer.bounds(tournament, first).tables_open == 1


def test_an_older_reading_never_replaces_a_newer_record(house: Redis) -> None:
    tournament = fresh(started(8, seats_per_table=4))
    first = Table.objects.order_by("pk").values_list("pk", flat=True)[0]
    balancer.bounds(tournament, first)
    balancer.follow(
        tournament.pk, version=tournament.balance_version + 1, changed={first: Size(first, 1, 1)}
    )
    balancer.reload(house, tournament.pk)
    tournament.balance_version += 1
    assert balancer.bounds(tournament, first).longest == 4
    assert balancer.bounds(tournament, first).tables_open == 2


def test_a_record_of_versions_that_postgresql_lost_is_never_read(house: Redis) -> None:
    tournament = fresh(started(12, seats_per_table=4))
    first, second, _ = Table.objects.order_by("pk").values_list("pk", flat=True)
    balancer.bounds(tournament, first)
    lost = tournament.balance_version + 1
    balancer.follow(tournament.pk, version=lost, changed={second: Size(second, 2, 1)})
    # PostgreSQL came back without that version, and the room goes on.
    with connection.cursor() as cursor:
        database_losses.go_on_above(cursor, house)
    with tournament_transaction(tournament.pk) as tx:
        balancer.changed(tx, [])
    now = fresh(tournament)
    assert balancer.bounds(now, first).shortest[0].size == 4
    assert now.balance_version == lost + balancer.VERSIONS_JUMP


def test_without_redis_the_sizes_come_from_postgresql(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = fresh(started(8, seats_per_table=4))
    table = Table.objects.latest("pk").pk
    before = balancer.bounds(tournament, table)
    from config import redis
    from config.redis import room_at

    monkeypatch.setattr(redis, "room", lambda: room_at("redis://127.0.0.1:1/0"))
    assert _same(balancer.bounds(tournament, table), before)


def test_a_balanced_field_reads_no_other_table_from_postgresql(house: Redis) -> None:
    queries = []
    for players in (12, 60):
        tournament = started(players, seats_per_table=3)
        arena = Arena(tournament.pk)
        first, second, *_ = arena.tables()
        arena.step(first)
        with CaptureQueriesContext(connection) as seen:
            assert arena.step(second) == "grant"
        queries.append(len(seen))
    assert queries[0] == queries[1]


@pytest.mark.parametrize("seed", range(3))
def test_bounds_exclude_closing_tables_and_the_requesting_one(seed: int) -> None:
    chance = random.Random(seed)
    sizes = [Size(table, table, chance.randint(1, 9)) for table in range(1, 41)]
    left = sum(size.size for size in sizes)
    tournament = Tournament(left=left, seats_per_table=9)
    doomed = 40 - -(-left // 9)
    seen = balancer.bounds_of(sizes, tournament, 1)
    assert seen.tables_open == 40 and seen.rank == 39 and len(seen.shortest) == 10
    assert all(1 < size.table <= 40 - doomed for size in seen.shortest)
    stay = sorted(size.size for size in sizes if 1 < size.table <= 40 - doomed)
    assert [size.size for size in seen.shortest] == stay[:10]


def _same(one: Bounds, other: Bounds) -> bool:
    """Return whether two views are equal except for the listed ones of equally short tables."""
    return (
        (one.tables_open, one.rank, one.longest) == (other.tables_open, other.rank, other.longest)
        and [size.size for size in one.shortest] == [size.size for size in other.shortest]
        and len({size.table for size in one.shortest}) == len(one.shortest)
    )
