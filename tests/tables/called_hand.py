"""A log key of the test's own, and a table whose first hand is granted, called, and not dealt."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from tables.dealer.state import TableState
from tables.models import Table
from tables.store import fenced
from tables.workers import settle


@pytest.fixture(autouse=True)
def own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the log with a key of the test's own, in every module that imports this."""
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))


def state_of(room: Redis, table: Table) -> TableState:
    """Return the state of a table that is in Redis."""
    state = fenced.peek(room, table.pk)
    assert state is not None
    return state


def grant(room: Redis, table: Table) -> Table:
    """Settle a table that was opened until its hand is granted; return it."""
    while state_of(room, table).phase != "granted":
        settle.settle(room, table.pk)
    return table
