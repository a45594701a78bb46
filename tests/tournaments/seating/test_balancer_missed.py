"""The record of table sizes catches up with changes that it missed, without a reading of all."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from redis import Redis

from config import metrics
from config.redis.scripts import ScriptCall, run
from tables.models import Seat, Table
from tests.tournaments.cast import at_once, started
from tournaments.engine.balancing import SHORTEST_TABLES_MAX
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Tournament
from tournaments.seating import balancer
from tournaments.seating.balancer import Bounds, Size

TABLES = 6


def fresh(tournament: Tournament) -> Tournament:
    """Row of the tournament as stored now."""
    return Tournament.objects.get(pk=tournament.pk)


@pytest.fixture
def played(house: Redis) -> Tournament:
    """A tournament of six tables of four, with a record of its sizes."""
    tournament = fresh(started(4 * TABLES, seats_per_table=4))
    balancer.reload(house, tournament.pk)
    return tournament


def test_a_reader_catches_up_by_the_tables_that_the_row_names(
    house: Redis, played: Tournament
) -> None:
    first, second, third, *_ = _tables(played)
    with _missed(house, played):
        for table in (first, second, second):
            _lose_a_player(played, table)
    with _readings() as read:
        seen = balancer.bounds(fresh(played), third)
        assert seen == balancer.bounds(fresh(played), third)
    assert [(size.table, size.size) for size in seen.shortest[:2]] == [(second, 2), (first, 3)]
    assert read == {"field": 0, "missed": 1}


def test_the_first_step_after_two_commits_brings_both(house: Redis, played: Tournament) -> None:
    first, second, third, *_ = _tables(played)
    with _missed(house, played):
        before = _lose_a_player(played, first)
        after = _lose_a_player(played, second)
    balancer._bring_up(after, [second])
    with _readings() as read:
        assert [size.size for size in balancer.bounds(after, third).shortest[:3]] == [3, 3, 4]
        balancer._bring_up(before, [first])  # the late one changes nothing
        assert [size.size for size in balancer.bounds(after, third).shortest[:3]] == [3, 3, 4]
    assert read == {"field": 0, "missed": 0}


def test_transactions_that_commit_close_together_leave_no_reading_of_all(
    house: Redis, played: Tournament
) -> None:
    tables = _tables(played)
    with _readings() as read:
        results = at_once(*(_loser(played, table) for table in tables))
        assert all(isinstance(result, Bounds) for result in results), results
        seen = balancer.bounds(fresh(played), tables[0])
    assert read["field"] == 0
    assert seen.tables_open == TABLES and seen.longest == 3
    assert {size.size for size in seen.shortest} == {3}


def test_a_closed_table_that_was_missed_leaves_the_record(house: Redis, played: Tournament) -> None:
    first, second, *_ = _tables(played)
    with _missed(house, played), tournament_transaction(played.pk) as tx:
        Seat.objects.filter(table=first).delete()
        Table.objects.filter(pk=first).update(status=Table.Status.CLOSED)
        balancer.changed(tx, [first])
    with _readings() as read:
        assert balancer.bounds(fresh(played), second).tables_open == TABLES - 1
    assert read == {"field": 0, "missed": 1}


def test_a_version_that_the_row_does_not_name_is_read_whole(
    house: Redis, played: Tournament
) -> None:
    first, second, *_ = _tables(played)
    with _missed(house, played):
        for _ in range(balancer.VERSIONS_KEPT + 1):
            with tournament_transaction(played.pk) as tx:
                balancer.changed(tx, [first])
    assert len(fresh(played).resized) == balancer.VERSIONS_KEPT
    with _readings() as read:
        balancer.bounds(fresh(played), second)
    assert read == {"field": 1, "missed": 0}


def test_a_change_of_many_tables_is_read_whole(
    house: Redis, played: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balancer, "TABLES_KEPT", 1)
    first, second, *_ = _tables(played)
    with _missed(house, played), tournament_transaction(played.pk) as tx:
        balancer.changed(tx, [first])
        balancer.changed(tx, [second])
    assert fresh(played).resized == []
    with _readings() as read:
        balancer.bounds(fresh(played), second)
    assert read == {"field": 1, "missed": 0}


def test_a_row_of_before_never_sets_a_record_back(house: Redis, played: Tournament) -> None:
    first, second, *_ = _tables(played)
    _lose_a_player(played, first)
    balancer.bounds(played, second)
    with _readings() as read:
        assert balancer.bounds(fresh(played), second).shortest[0].size == 3
    assert read == {"field": 0, "missed": 0}


@pytest.mark.parametrize("seed", range(4))
def test_shortest_tables_are_found_among_many_that_close(house: Redis, seed: int) -> None:
    chance = random.Random(seed)
    sizes = [Size(number, number, chance.randint(2, 4)) for number in range(1, 201)]
    # The doomed tables have the fewest players, so they stand first in the order of sizes.
    sizes[120:] = [Size(size.table, size.number, 1) for size in sizes[120:]]
    left = sum(size.size for size in sizes)
    tournament = Tournament(pk=1, left=left, seats_per_table=4, balance_version=7)
    arguments = [7, len(sizes)]
    for size in sizes:
        arguments += [size.table, size.number, size.size]
    run(house, ScriptCall(balancer._STORE, balancer._names(1), arguments))
    for table in (1, 60, 130, 200):
        read, known = (
            balancer.bounds(tournament, table),
            balancer.bounds_of(sizes, tournament, table),
        )
        assert [size.size for size in read.shortest] == [size.size for size in known.shortest]
        assert len({size.table for size in read.shortest} - {table}) == SHORTEST_TABLES_MAX
        assert (read.tables_open, read.rank, read.longest) == (200, known.rank, known.longest)


def _tables(tournament: Tournament) -> list[int]:
    return list(
        Table.objects.filter(game=tournament.pk).order_by("pk").values_list("pk", flat=True)
    )


def _lose_a_player(tournament: Tournament, table: int) -> Tournament:
    """Take a player from a table in a transaction of its own; return the committed row."""
    with tournament_transaction(tournament.pk) as tx:
        Seat.objects.filter(table=table).latest("pk").delete()
        tx.tournament.left -= 1
        balancer.changed(tx, [table])
    return fresh(tournament)


def _loser(tournament: Tournament, table: int) -> Callable[[], Bounds]:
    """Return a call that takes a player from a table and plans for it, with the row locked."""

    def lose() -> Bounds:
        _lose_a_player(tournament, table)
        with tournament_transaction(tournament.pk) as tx:
            return balancer.bounds(tx.tournament, table)

    return lose


@contextmanager
def _missed(house: Redis, tournament: Tournament) -> Iterator[None]:
    """Let the record be as before the block, as if no step after its commits was made yet."""
    names = balancer._names(tournament.pk)
    kept = {name: house.dump(name) for name in names}
    yield
    for name, value in kept.items():
        assert value is not None
        house.restore(name, 0, value, replace=True)


@contextmanager
def _readings() -> Iterator[dict[str, int]]:
    """Count what is read from PostgreSQL in the block."""
    read: dict[str, int] = {}
    before = {what: _count(what) for what in ("field", "missed")}
    yield read
    read.update({what: _count(what) - count for what, count in before.items()})


def _count(what: str) -> int:
    return int(metrics.BALANCER_READ.labels(what)._value.get())
