"""Connections that wait while the role, or the server, has none left; Django looks here for them.

A process that gets more connections than its role may hold waits for one instead of failing what
it does: others give theirs back soon. Each new connection is checked before anything uses it
(`on_connect`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import psycopg
import structlog
from django.db.backends.postgresql import base

log = structlog.get_logger(__name__)

FULL = (
    "too many connections for role",
    "too many connections for database",
    "too many clients already",
    "remaining connection slots are reserved",
)
"""Words of PostgreSQL; libpq hands no code on for a refused connection."""

WAITS_S = 5.0
"""Longest wait for a connection."""
ASKS_EVERY_S = 0.2
SAID_EVERY_S = 10.0

_said_s: float = -SAID_EVERY_S

ConnectionCheck = Callable[[Any], None]
"""Takes a new connection of psycopg; raises psycopg.OperationalError to refuse its server."""

_checks: list[ConnectionCheck] = []


def on_connect(check: ConnectionCheck) -> None:
    """Let a check see each new connection of this process before anything else uses it."""
    _checks.append(check)


def is_full(failed: BaseException) -> bool:
    """Return whether a connection was refused because the role or the server has none left."""
    return any(words in str(failed) for words in FULL)


class DatabaseWrapper(base.DatabaseWrapper):
    """Connection of Django that waits WAITS_S for its turn."""

    _kept: dict[str, Any]
    """Cursor of each statement, of the connection that is open."""

    def rows_of(self, statement: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Run a statement that returns rows and read them all, by a cursor kept for it.

        A new cursor, and one that ran another statement, learns the types of parameters and columns
        anew, which takes longer than to send and to read them. Statements are those of the code.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        kept = self._kept.get(statement)
        if kept is None:
            kept = self._kept[statement] = self.create_cursor()
        self._prepare_cursor(kept).execute(statement, parameters)  # type: ignore[attr-defined]
        rows: list[tuple[Any, ...]] = kept.fetchall()
        return rows

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect; raise psycopg.OperationalError without a free connection, or a refused one."""
        made = self._connected(conn_params)
        self._kept = {}
        try:
            for check in _checks:
                check(made)
            if _checks:
                made.rollback()  # a question begins a transaction
        except BaseException:
            made.close()
            raise
        return made

    def _connected(self, conn_params: dict[str, Any]) -> Any:
        gives_up_s = time.monotonic() + WAITS_S
        while True:
            try:
                return super().get_new_connection(conn_params)
            except psycopg.OperationalError as failed:
                if not is_full(failed):
                    raise
                _say(str(conn_params.get("user", "")), failed)
                if time.monotonic() >= gives_up_s:
                    raise
            time.sleep(ASKS_EVERY_S)


def _say(role: str, failed: BaseException) -> None:
    """Tell the operator, once in a while."""
    global _said_s
    now_s = time.monotonic()
    if now_s - _said_s < SAID_EVERY_S:
        return
    _said_s = now_s
    log.warning(
        "no database connection left: waiting for one",
        role=role,
        server=str(failed).strip().rpartition("FATAL:")[2].strip(),
        see="manage.py database_roles",
    )
