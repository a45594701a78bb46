"""Unit of work: one transaction's facts, written at its end in the order of locks.

A function that changes a tournament takes the unit of work, which holds the locked row; a function
that only reads takes the row. At the end of the block, once each:

1. the changed columns of the tournament's row,
2. all money, in one booking (`pay`), which locks every account in one order,
3. all events (`announce`, `notify`, `tell`), which locks the heads of their streams.

After the commit the callbacks run in the order of their registration, then events are published,
then tables are woken: a woken table finds the whole change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from django.db import connection, transaction

from accounts.ledger import transfers
from accounts.ledger.transfers import Order
from tables.engine.events import Event
from tournaments import locks
from tournaments.events import bells, outbox
from tournaments.models import Tournament

_json = msgspec.json.Encoder().encode


class UnitOfWork:
    """Payments and events of one transaction, written once by `write`."""

    def __init__(self) -> None:
        self._orders: list[Order] = []
        self._booked = False
        self._told: dict[str, list[bytes]] = defaultdict(list)
        self._tables: set[int] = set()

    def pay(self, orders: Iterable[Order]) -> None:
        """Add transfers after the ones added before; they are booked together at the end."""
        self._orders += orders

    def ordered(self) -> set[str]:
        """Return the keys of the transfers that were added and are not booked yet."""
        return {order.key for order in self._orders}

    def book(self) -> None:
        """Book all transfers now or none; only to check balances or to translate a refusal.

        Raises InsufficientFunds.
        """
        self._book(savepoint=True)

    def _book(self, *, savepoint: bool) -> None:
        orders, self._orders = self._orders, []
        if not orders:
            return
        # A second booking would lock accounts out of their order.
        assert not self._booked, "the money of a transaction is booked once"
        transfers.transfer_all(orders, savepoint=savepoint)
        self._booked = True

    def tell(self, stream: str, event: Event) -> None:
        """Append an event to a stream."""
        self._told[stream].append(_json(event))

    def notify(self, user_id: int, event: Event) -> None:
        """Append an event to a user's stream of notices."""
        self.tell(outbox.user(user_id), event)

    def wake_tables(self, tables: Iterable[int]) -> None:
        """Let these waiting tables ask their director again after the commit."""
        self._tables.update(tables)

    def after_commit(self, callback: Callable[[], object]) -> None:
        """Run a callback after the commit, also when another callback fails."""
        transaction.on_commit(callback, robust=True)

    def write(self) -> None:
        """Book the money, then number and store the events; wake tables after the commit."""
        self._book(savepoint=False)  # a refusal here ends the whole transaction
        outbox.write(self._told)
        if tables := sorted(self._tables):
            self.after_commit(lambda: bells.wake_tables(tables))


class TournamentTransaction(UnitOfWork):
    """Unit of work on a locked tournament, whose changed columns are saved once at its end."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__()
        self.tournament = tournament
        self.resized: set[int] = set()
        self._before = _columns(tournament)
        self._all_tables = False

    def announce(self, event: Event) -> None:
        """Append an event to the tournament's stream."""
        self.tell(outbox.tournament(self.tournament.pk), event)

    def wake_all_tables(self) -> None:
        """Let every open table of the tournament ask its director again after the commit."""
        self._all_tables = True

    def wake(self, in_ms: int = 0) -> None:
        """Tick the tournament `in_ms` after the commit at the latest."""
        self.after_commit(lambda: bells.wake(self.tournament.pk, in_ms))

    def write(self) -> None:
        """Save the row, then book the money and store the events; wake tables after the commit."""
        now = _columns(self.tournament)
        if changed := [name for name, value in now.items() if value != self._before[name]]:
            _save(self.tournament, changed)
        if self._all_tables:
            self.wake_tables(bells.open_tables(self.tournament.pk))
        super().write()


@contextmanager
def unit_of_work() -> Iterator[UnitOfWork]:
    """Open a transaction without a tournament, and write its facts at the end of the block."""
    with transaction.atomic():
        tx = UnitOfWork()
        yield tx
        tx.write()


@contextmanager
def tournament_transaction(
    tournament_id: int, *, savepoint: bool = True
) -> Iterator[TournamentTransaction]:
    """Lock a tournament in a transaction, and write its changes at the end of the block.

    Inside another transaction, `savepoint` False saves two statements: a refusal then ends the
    outer transaction as well. Raises NoSuchTournament.
    """
    with transaction.atomic(savepoint=savepoint):
        tx = TournamentTransaction(locks.tournament(tournament_id))
        yield tx
        tx.write()


@contextmanager
def free_tournament_transaction(tournament_id: int) -> Iterator[TournamentTransaction | None]:
    """Open `tournament_transaction`, or yield None when others hold the row for too long.

    Raises NoSuchTournament.
    """
    with transaction.atomic():
        row = locks.free_tournament(tournament_id)
        tx = None if row is None else TournamentTransaction(row)
        yield tx
        if tx is not None:
            tx.write()


def _columns(tournament: Tournament) -> dict[str, Any]:
    """Return the values of a row by column; lists and mappings encoded, as they can change."""
    row = vars(tournament)
    return {
        name: _json(value) if isinstance(value := row[name], (list, dict)) else value
        for name in _FIELDS
    }


def _save(tournament: Tournament, names: Sequence[str]) -> None:
    """Write these columns of a locked row, as `save` does, which takes ten times as long."""
    fields = [_FIELDS[name] for name in names]
    given = [
        field.get_db_prep_save(field.pre_save(tournament, add=False), connection)
        for field in fields
    ]
    columns = ", ".join(f'"{field.column}" = %s' for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE tournaments_tournament SET {columns} WHERE id = %s",  # nosec B608
            [*given, tournament.pk],
        )
        assert cursor.rowcount == 1, "a locked row is there"


_FIELDS = {field.attname: field for field in Tournament._meta.concrete_fields}
