"""Connections to PostgreSQL beside the main one, kept by a process from one world to the next."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.pq import TransactionStatus

SPARES = 2
"""So many processes may stand still within a transaction at once while others go on."""

_LOCK_MS = 12
"""One clock serves them all: who waits for the one that stands still waits in vain."""


def _new() -> Any:
    return connections.create_connection(DEFAULT_DB_ALIAS)


@dataclass
class Spares:
    """`working` for those who go on while a frozen process holds the main one; `looking` reads."""

    working: list[Any] = field(default_factory=list)
    looking: Any = None

    def follow(self, main: Any) -> None:
        """Lead where the main connection leads."""
        if self.looking is None:
            self.working = [_new() for _ in range(SPARES)]
            self.looking = _new()
        # On a busy machine a spare was left within a transaction: each world after it failed.
        self.working = [_without_transaction(spare) for spare in self.working]
        patient = copy.deepcopy(main.settings_dict)
        hasty = copy.deepcopy(main.settings_dict)
        hasty["OPTIONS"]["options"] += f" -c lock_timeout={_LOCK_MS}"
        for spare in self.working:
            _lead(spare, hasty)
        _lead(self.looking, patient)

    def close(self) -> None:
        """Let go of the database, so that it may be dropped."""
        for spare in (*self.working, self.looking):
            if spare is not None:
                spare.close()


def _without_transaction(spare: Any) -> Any:
    """Return the spare, or a new one in place of one that is within a transaction."""
    opened = spare.connection
    if opened is None or opened.info.transaction_status == TransactionStatus.IDLE:
        return spare
    opened.close()
    return _new()


def _lead(connection: Any, settings: dict[str, Any]) -> None:
    if connection.settings_dict != settings:
        connection.close()
        connection.settings_dict = settings


KEPT = Spares()
"""Those of this process."""
