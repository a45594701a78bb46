"""A table of a tournament that nobody can read: tick, freeze, auditor, live page and end go on."""

from __future__ import annotations

import random

import pytest
from redis import Redis

from accounts.ledger import transfers
from config import clock
from tables.models import Seat, Table
from tables.monitor import audit as tables_audit
from tables.store import fenced, keys
from tables.workers import advance, settle
from tests.tables import damage, playing
from tests.tournaments import course
from tournaments.admin import live_tournament
from tournaments.models import Tournament
from tournaments.monitor.audit_memory import AuditMemory
from tournaments.prizes import money
from tournaments.running import operations, tick

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

PLAYERS = 7


@pytest.fixture
def running(room: Redis) -> Tournament:
    """Seven players at three tables, each with a hand in play."""
    tournament = course.offer(players=PLAYERS, seats=3)
    course.fill(tournament)
    tick.tick(tournament.pk)
    for table in _open(tournament):
        assert playing.run(room, table).phase == "hand"
    tournament.refresh_from_db()
    return tournament


def _open(tournament: Tournament) -> list[int]:
    rows = Table.objects.filter(game=tournament.pk, status=Table.Status.OPEN)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _has_played(table: int) -> bool:
    """Return whether a table has settled a hand, or was broken."""
    row = Table.objects.get(pk=table)
    return row.hand > 0 or row.status == Table.Status.CLOSED


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("harm", damage.ALL)
def test_a_tournament_goes_on_around_a_damaged_table_and_that_one_after_its_rebuild(
    room: Redis, running: Tournament, harm: damage.Damage
) -> None:
    broken, *sound = _open(running)
    chips = sum(Seat.objects.values_list("chips", flat=True))
    harm(room, broken)
    # 1. The tick, which freezes and opens forgotten tables, the auditor and the live page go on.
    assert tick.tick(running.pk) is not None
    running.refresh_from_db()
    assert running.state == "running"
    assert AuditMemory(running.pk).violations(0.0) == []
    rows = live_tournament.seen(running, clock.redis_now_ms(room))["tables"]
    assert [row["stuck"] for row in sorted(rows, key=lambda row: row["pk"])] == [True, False, False]
    # 2. The other tables act; the play queue sends the damaged one to be rebuilt.
    for table in sound:
        state = fenced.peek(room, table)
        assert state is not None
        playing.send(room, state, random.Random(table), 1)
    assert advance.advance_all(room, [broken, *sound]).get(broken) == "settle"
    settle.settle(room, broken)
    # 3. It plays on, without a chip lost, and so do all.
    assert playing.run(room, broken).phase == "hand"
    assert sum(Seat.objects.values_list("chips", flat=True)) == chips
    assert list(tables_audit.chips(room, Table.objects.filter(game=running.pk))) == []
    course.play(room, running, random.Random(2), until=lambda _: _has_played(broken))
    assert AuditMemory(running.pk).violations(1.0) == []


@pytest.mark.rule("T-12")
@pytest.mark.parametrize("harm", damage.ALL)
def test_a_tournament_with_a_damaged_table_is_cancelled_and_all_its_tables_end(
    room: Redis, running: Tournament, harm: damage.Damage
) -> None:
    tables = _open(running)
    harm(room, tables[0])
    operations.cancel(running.pk)
    running.refresh_from_db()
    assert running.state == "cancelled" and transfers.balance(money.pool(running)) == 0
    for table in tables:
        state = fenced.peek(room, table)
        assert state is not None and (state.phase, state.seats) == ("closed", ())
    assert tables_audit.without_wake(room, map(keys.table, tables)) == [
        keys.table(table) for table in tables
    ]
