"""Trust in a run of PostgreSQL: fenced before its adoption, believed or not by who outlived it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from io import StringIO

import msgspec
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from msgspec.structs import replace
from redis import Redis
from structlog.testing import capture_logs

from config.celery import SETTLE
from config.postgres import database_run
from config.postgres.database_run import DatabaseRun, DatabaseWitness
from config.postgres.engine import base
from config.process import server_checks
from tables.models import Table
from tables.store import database_witnesses, epochs, fenced, keys, wakes
from tables.workers import database_gate, recovery, tasks
from tests.conftest import Running
from tests.redis_answers import events_of
from tests.tables import playing
from tournaments.running import tasks as tournament_tasks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def settling(room: Redis, broker: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let this process check its connections as a settle worker does, with an empty memory."""
    yield from _gated(monkeypatch, adopts=True)


@pytest.fixture
def waiting(room: Redis, broker: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let this process check its connections as a web process does, with an empty memory."""
    yield from _gated(monkeypatch, adopts=False)


def _gated(monkeypatch: pytest.MonkeyPatch, *, adopts: bool) -> Iterator[None]:
    monkeypatch.setattr(database_gate, "known", database_gate._Known())
    check = partial(database_gate._pass, adopts=adopts)
    monkeypatch.setattr(base, "_checks", [check])
    yield
    monkeypatch.setattr(base, "_checks", [])
    connection.ensure_connection()


def _connect() -> None:
    connection.close()
    connection.ensure_connection()


def _run() -> DatabaseRun:
    with connection.cursor() as cursor:
        return database_run.read(cursor)


def _before(room: Redis, **changes: object) -> DatabaseWitness:
    """Leave the witness of a run before the one that answers, as of an equal server restarted."""
    witness = replace(database_run.witness_of(_run(), 4), run="the run before", **changes)
    room.hset(
        keys.database(0),
        mapping={
            "number": 4,
            "position": witness.position,
            "witness": database_witnesses._encode(witness),
        },
    )
    return witness


def _adopted(room: Redis) -> DatabaseWitness | None:
    return database_witnesses.latest(room)


def _refused() -> str:
    with pytest.raises(OperationalError) as caught:
        _connect()
    return str(caught.value)


@pytest.fixture
def table(room: Redis) -> Table:
    """A table in its first hand."""
    made = playing.sit_down([1_000] * 3)
    assert recovery.adopt(room, 0)
    playing.run(room, made.pk)
    return made


def test_the_first_run_that_is_seen_is_adopted(room: Redis, settling: None) -> None:
    _connect()
    adopted = _adopted(room)
    assert adopted is not None and (adopted.number, adopted.run) == (1, _run().name)


def test_other_processes_wait_for_a_settle_worker(
    room: Redis, broker: Redis, waiting: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    _before(room)
    assert "not adopted yet" in _refused()
    assert broker.llen(SETTLE) == 1, "an idle settle worker is rung for"
    _refused()
    assert broker.llen(SETTLE) == 1, "once a second at most"
    monkeypatch.setattr(base, "_checks", [partial(database_gate._pass, adopts=True), *base._checks])
    tasks.adopt_database()
    _connect()
    adopted = _adopted(room)
    assert adopted is not None and adopted.number == 5


def test_a_worker_that_is_ready_before_the_adoption_leaves_wakes_to_the_tick(
    room: Redis, waiting: None
) -> None:
    _before(room)
    connection.close()
    with capture_logs() as lines:
        tournament_tasks.ensure_wakes()
    (line,) = lines
    assert (line["log_level"], "not adopted yet" in line["error"]) == ("warning", True)


def test_every_kind_of_process_closes_the_gate_before_its_work(
    room: Redis, broker: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    for start in (server_checks.verify_or_exit, server_checks.verify_role_or_exit):
        monkeypatch.setattr(database_gate, "known", database_gate._Known())
        monkeypatch.setattr(base, "_checks", [])
        start("web")
        _before(room)
        assert "not adopted yet" in _refused()
        monkeypatch.setattr(base, "_checks", [])
        room.delete(keys.database(0))


def test_a_restart_that_lacks_nothing_voids_nothing(
    room: Redis, table: Table, settling: None
) -> None:
    _before(room)
    before = fenced.peek(room, table.pk)
    _connect()
    adopted = _adopted(room)
    assert adopted is not None and adopted.number == 5
    assert fenced.peek(room, table.pk) == before
    assert fenced.load(room, table.pk) is not None, "its hand goes on"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"system": "another"}, "another server"),
        ({"timeline": 7}, "timeline 7 was promoted"),
        ({"position": 2**50}, "bytes before what was settled"),
        ({"timeline": 0}, "waited for no standby"),
    ],
)
def test_a_server_that_may_lack_what_was_settled_is_not_believed(
    room: Redis, settling: None, changes: dict[str, object], words: str
) -> None:
    _before(room, **changes)
    with capture_logs() as said:
        assert words in _refused()
        _refused()
    [line] = [one for one in said if one["log_level"] == "error"]
    assert line["event"] == "postgresql is not believed: tables and pages wait"
    assert any(words in why for why in line["lacks"])
    assert "database_run --accept-loss" in line["remedy"]


def test_a_synchronous_standby_is_believed(room: Redis, settling: None) -> None:
    _before(room, timeline=0, waits=True)
    _connect()
    adopted = _adopted(room)
    assert adopted is not None and adopted.timeline == 1


def test_a_redis_that_was_emptied_takes_no_witness_with_it(room: Redis, settling: None) -> None:
    database_gate.known.witness = _before(room, position=2**50)
    room.flushall()
    assert "bytes before" in _refused()
    kept = _adopted(room)
    assert kept is not None and kept.position == 2**50, "the others find it again"


def test_a_redis_that_was_set_back_is_told_of_the_adoption_that_it_forgot(
    room: Redis, waiting: None
) -> None:
    """A settle worker without a memory adopted the next run under the number that was taken."""
    forgotten = replace(_before(room, position=0), number=5, run="a run that redis forgot")
    database_gate.known.witness = forgotten
    assert "not adopted yet" in _refused()
    assert _adopted(room) == forgotten


def test_without_redis_a_process_trusts_its_memory_alone(
    room: Redis, room_server: Running, settling: None
) -> None:
    _connect()
    room_server.kill()
    _connect()
    database_gate.known.witness = None
    assert "the witness of PostgreSQL is away" in _refused()


def test_a_late_note_of_an_earlier_adoption_is_left_out(room: Redis, settling: None) -> None:
    earlier = _before(room, position=2**50)
    database_witnesses.attest(room, replace(earlier, number=5, position=7))
    database_witnesses.attest(room, earlier)
    database_witnesses.attest(room, replace(earlier, number=5, position=6))
    kept = _adopted(room)
    assert kept is not None and (kept.number, kept.position) == (5, 7)


def test_settle_workers_note_how_far_postgresql_came(
    room: Redis, table: Table, settling: None
) -> None:
    _connect()
    first = _adopted(room)
    assert first is not None and first.position == 0
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    Table.objects.filter(pk=table.pk).update(round=1)
    tasks.settle_table(keys.table(table.pk))
    second = _adopted(room)
    assert second is not None and second.position > 0
    assert (second.number, second.run) == (1, first.run)
    with connection.cursor() as cursor:
        assert database_run.read(cursor).position > second.position, "a commit confirmed it"
        cursor.execute(_PUBLIC, [["pg_logical_emit_message", "pg_control_system"]])
        assert cursor.fetchone() == (True,), "any role may ask"


_PUBLIC = """
SELECT bool_and(has_function_privilege('public', oid, 'EXECUTE')) FROM pg_proc
 WHERE proname = ANY(%s)
"""


def _set_back(table: Table, **columns: object) -> None:
    Table.objects.filter(pk=table.pk).update(**{"granted_hand": 0, "grant": None} | columns)


def test_tables_that_are_further_wait_for_the_operator_and_then_go_on_anew(
    room: Redis, table: Table, settling: None
) -> None:
    epoch = Table.objects.get(pk=table.pk).epoch
    assert recovery.rebuild(room, table.pk, seen_epoch=epoch)
    playing.run(room, table.pk)
    _set_back(table, epoch=epoch)
    _before(room)
    assert f"1 tables are further in Redis, table {table.pk}" in _refused()
    base._checks, checks = [], base._checks  # the operator's command is no process of the room
    with pytest.raises(CommandError, match="The room waits"):
        call_command("database_run", stdout=StringIO())
    told = StringIO()
    call_command("database_run", "--accept-loss", stdout=told)
    assert "tables are further" in told.getvalue() and "Accepted" in told.getvalue()
    base._checks = checks
    _connect()
    with pytest.raises(fenced.NotAdopted):
        fenced.load(room, table.pk)
    assert recovery.adopt(room, 0)
    state = fenced.peek(room, table.pk)
    assert state is not None
    assert (state.epoch, state.voided, state.phase) == (epoch + 3, 1, "boundary")
    assert playing.run(room, table.pk).phase == "hand"
    connection.close()


def test_a_settled_hand_that_is_lost_is_told_void(
    room: Redis, table: Table, settling: None
) -> None:
    state = fenced.peek(room, table.pk)
    assert state is not None
    _before(room)
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    ahead = replace(loaded.state, phase="boundary", turn=None, hand=None, due_ms=loaded.now_ms)
    assert fenced.commit(room, loaded, ahead, (), drained=0) is not None
    _set_back(table)
    assert "tables are further" in _refused()
    database_witnesses.accept(room, _accepted_run())
    _connect()
    assert recovery.adopt(room, 0)
    after = fenced.peek(room, table.pk)
    assert after is not None and after.voided == state.hand_number == 1


@pytest.mark.parametrize(
    ("phase", "granted", "told"),
    [("boundary", 1, [1, 2, 3]), ("hand", 0, [1, 2, 3]), ("granted", 0, [1, 2])],
)
def test_every_settled_hand_that_is_lost_is_told_void(
    room: Redis, table: Table, settling: None, phase: str, granted: int, told: list[int]
) -> None:
    _before(room)
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    # Two hands were settled since, and the third one is wherever it is.
    ahead = replace(loaded.state, phase=phase, hand_number=3, due_ms=loaded.now_ms + 60_000)
    assert fenced.commit(room, loaded, ahead, (), drained=0) is not None
    _set_back(table, hand=0, granted_hand=granted)
    assert "tables are further" in _refused()
    database_witnesses.accept(room, _accepted_run())
    _connect()
    assert recovery.adopt(room, 0)
    lines = events_of(room, keys.events(keys.table(table.pk), 1))
    voided = [msgspec.json.decode(line)["hand"] for line in lines if b"hand_voided" in line]
    after = fenced.peek(room, table.pk)
    assert after is not None and (voided, after.voided) == (told, told[-1])


def _accepted_run() -> str:
    checks, base._checks = base._checks, []
    try:
        connection.ensure_connection()
        return _run().name
    finally:
        connection.close()
        base._checks = checks


def test_a_table_that_postgresql_never_had_ends(room: Redis, table: Table, settling: None) -> None:
    state = fenced.peek(room, table.pk)
    assert state is not None
    unknown = table.pk + 500
    assert epochs.open_at(room, replace(state, table=unknown, seq=0), ())
    _before(room)
    assert f"table {unknown} among them" in _refused()
    database_witnesses.accept(room, _accepted_run())
    _connect()
    assert recovery.adopt(room, 0)
    ended = fenced.peek(room, unknown)
    assert ended is not None and ended.phase == "closed" and state.hand_number == 1
    assert wakes.due(room, keys.table(unknown)) is None
    told = events_of(room, keys.events(keys.table(unknown), 1))
    assert [b"hand_voided" in told[-2], b"table_closed" in told[-1]] == [True, True]


def test_ids_after_a_loss_are_above_those_that_may_be_lost(
    room: Redis, table: Table, settling: None
) -> None:
    _before(room, system="another")
    database_witnesses.accept(room, _accepted_run())
    _connect()
    later = playing.sit_down([1_000] * 2)
    assert later.pk > table.pk + 1_000


def test_the_operator_is_told_of_a_server_that_lacks_nothing(room: Redis) -> None:
    told = StringIO()
    call_command("database_run", stdout=told)
    assert "adopted so far: 0" in told.getvalue()
    _before(room)
    call_command("database_run", stdout=told)
    assert "Nothing that was told is missing" in told.getvalue()


def test_the_operator_is_told_of_a_server_that_ends_at_the_question(room: Redis) -> None:
    _before(room)
    with pytest.raises(psycopg.OperationalError):
        connection.connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(CommandError, match="A server does not answer"):
        call_command("database_run", stdout=StringIO())
    connection.close()
