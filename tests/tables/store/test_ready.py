"""One bell covers all tables of its queue with waiting commands."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.test import override_settings
from redis import Redis
from structlog.testing import capture_logs

from config import clock, limits, metrics
from tables.dealer.advance import advance as step
from tables.dealer.state import TableState
from tables.store import fenced, inbox, keys, ready, wakes
from tables.wire.client_commands import Act
from tables.workers import advance, recovery
from tests.tables import playing

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("one_queue"),
]


@pytest.fixture
def one_queue():  # type: ignore[no-untyped-def]
    """Let all tables share one play queue."""
    with override_settings(PLAY_QUEUES=1):
        yield


def _dealt(room: Redis, count: int) -> list[int]:
    """Tables whose first hand waits for an action."""
    rows = [playing.sit_down([1_000] * 3) for _ in range(count)]
    recovery.adopt(room, 0)
    for row in rows:
        playing.run(room, row.pk)
    return [row.pk for row in rows]


def _act(room: Redis, table: int) -> inbox.Appended:
    state = fenced.peek(room, table)
    assert state is not None and state.turn is not None
    act = Act(
        id=f"{state.hand_number}-{state.turn.turn}",
        table=table,
        epoch=state.epoch,
        hand=state.hand_number,
        turn=state.turn.turn,
        action="fold",
    )
    return inbox.append(room, table, state.at(state.turn.seat).user, msgspec.json.encode(act))


def _turns(room: Redis, tables: list[int]) -> list[int]:
    states = [fenced.peek(room, table) for table in tables]
    return [state.turn.turn for state in states if state is not None and state.turn is not None]


def test_only_the_first_of_many_commands_rings(room: Redis, broker: Redis) -> None:
    tables = _dealt(room, 5)
    said = [_act(room, table) for table in tables]
    assert [one.ring for one in said] == [True, False, False, False, False]
    before = _turns(room, tables)
    assert list(advance.answer(room, keys.table(tables[0]))) == []
    assert all(now > then for now, then in zip(_turns(room, tables), before, strict=True))
    assert _act(room, tables[3]).ring, "an answered bell may be rung again"


def test_a_bell_leaves_surplus_tables_to_the_next_bell(room: Redis, broker: Redis) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "TABLES_TOGETHER_MAX", 2)
        patch.setattr(limits, "TABLES_PER_BELL_MAX", 4)
        tables = _dealt(room, 6)
        for table in tables:
            _act(room, table)
        before = _turns(room, tables)
        again = list(advance.answer(room, keys.table(tables[0])))
        assert again == [(keys.table(tables[4]), "play")]
        moved = [now > then for now, then in zip(_turns(room, tables), before, strict=True)]
        assert moved == [True] * 4 + [False] * 2
        assert not _act(room, tables[0]).ring, "a bell is on its way"


@pytest.mark.rule("X-02")
def test_tables_of_a_dead_worker_wait_one_second(room: Redis, broker: Redis) -> None:
    tables = _dealt(room, 3)
    for table in tables:
        _act(room, table)
    assert len(ready.take(room, keys.table(tables[0])).members) == 3
    now_ms = clock.redis_now_ms(room)
    for table in tables:
        due = wakes.due(room, keys.table(table))
        assert due is not None and due <= now_ms + limits.COMMAND_WAKE_MS
        state = fenced.peek(room, table)
        advance.advance(room, table)
        assert fenced.peek(room, table) != state, "its own bell finds the command in the inbox"


def test_a_table_that_fails_does_not_stop_the_others(room: Redis, broker: Redis) -> None:
    tables = _dealt(room, 3)
    for table in tables:
        _act(room, table)
    before = _turns(room, tables)
    with pytest.MonkeyPatch.context() as patch:

        def broken(state: TableState, *args: Any, **kwargs: Any) -> Any:
            assert state.table != tables[1], "this table is broken"
            return step(state, *args, **kwargs)

        patch.setattr(advance, "step", broken)
        advance.advance_all(room, tables)
    moved = [now > then for now, then in zip(_turns(room, tables), before, strict=True)]
    assert moved == [True, False, True]
    advance.advance(room, tables[1])
    assert _turns(room, tables)[1] > before[1], "no command was lost"


def test_a_table_alone_in_its_bell_that_fails_is_counted_and_logged(
    room: Redis, broker: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    [table] = _dealt(room, 1)
    _act(room, table)

    def broken(state: TableState, *args: Any, **kwargs: Any) -> Any:
        raise LookupError("this table is broken")

    monkeypatch.setattr(advance, "step", broken)
    before = _failed_tables()
    with capture_logs() as lines, pytest.raises(LookupError):
        advance.advance_all(room, [table])
    assert _failed_tables() == before + 1
    assert [(one["event"], one["table"]) for one in lines] == [("table failed", table)]


def _failed_tables() -> float:
    counter = metrics.FAULTS.labels("table_failed")
    return counter._value.get()  # type: ignore[no-any-return]


def test_a_table_due_at_once_is_leased_by_the_ringing_worker(room: Redis, broker: Redis) -> None:
    [table] = _dealt(room, 1)
    kind = None
    while kind is None:
        _act(room, table)
        before_ms = clock.redis_now_ms(room)
        kind = advance.advance(room, table)
    assert kind == "settle"
    due, after_ms = wakes.due(room, keys.table(table)), clock.redis_now_ms(room)
    assert due is not None and before_ms < due <= after_ms + limits.WAKE_LEASE_MS
    assert room.hget(keys.state(keys.table(table), 1), "rings") == b"1"
