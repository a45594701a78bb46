"""Spare PostgreSQL connections of a process, kept from one world to the next."""

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
    """Spare connections: `working` for tasks beside a frozen process, `looking` for reads of the
    laws.
    """

    working: list[Any] = field(default_factory=list)
    looking: Any = None

    def follow(self, main: Any) -> None:
        """Connect the spares to the database of the main connection."""
        if self.looking is None:
            self.working = [_new() for _ in range(SPARES)]
            self.looking = _new()
        # A spare left within a transaction would fail each later world (seen on a busy machine).
        self.working = [_without_transaction(spare) for spare in self.working]
        patient = copy.deepcopy(main.settings_dict)
        hasty = copy.deepcopy(main.settings_dict)
        hasty["OPTIONS"]["options"] += f" -c lock_timeout={_LOCK_MS}"
        for spare in self.working:
            _lead(spare, hasty)
        _lead(self.looking, patient)

    def close(self) -> None:
        """Close the spares, so that the database may be dropped."""
        for spare in (*self.working, self.looking):
            if spare is not None:
                spare.close()


def _without_transaction(spare: Any) -> Any:
    """Return the spare, or a new connection in place of one within a transaction."""
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
"""Spare connections of this process."""
