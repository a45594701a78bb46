"""Law of balance: tables of a field stay within one player of each other (T-08), and plans use true
sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from unittest.mock import patch

from tables.models import Table
from tournaments.locks import DIRECTOR
from tournaments.models import Tournament
from tournaments.models.options.formats import Format
from tournaments.models.tournament import State
from tournaments.seating import balancer
from tournaments.seating.balancer import Bounds, Size

HANDS = 2
"""Another table may lose players just after a hand was granted; before the next somebody moves."""


class BalanceLaw:
    """Count of hands a table began while another staying table had two players fewer."""

    def __init__(self) -> None:
        self._begun: dict[int, dict[int, int]] = {}

    def began(self, table_id: int) -> Iterator[str]:
        """Return the violations of a table that has just begun a hand."""
        before = self._begun.pop(table_id, {})
        table = Table.objects.get(pk=table_id)
        if table.director != DIRECTOR:
            return
        tournament = Tournament.objects.get(pk=table.game)
        if not _is_levelled(tournament):
            return
        sizes = {size.table: size for size in balancer.sizes_of(tournament.pk)[1]}
        if table_id not in sizes:
            return
        own = sizes[table_id].size
        shorter = [other for other in _staying(tournament, sizes) if own - sizes[other].size >= 2]
        self._begun[table_id] = begun = {other: before.get(other, 0) + 1 for other in shorter}
        for other, hands in begun.items():
            if hands > HANDS:
                yield (
                    f"table {table_id} began {hands} hands with {own} players at last, while"
                    f" table {other} has {sizes[other].size}"
                )


Beside = Callable[[], AbstractContextManager[None]]


class RecordLaw:
    """Comparison of the balancer's record at a version with PostgreSQL at that version.

    Every plan is compared when it is made; `beside` reads rows as they are committed.
    """

    def __init__(self, beside: Beside) -> None:
        self._beside = beside
        self._found: list[str] = []

    def installed(self) -> AbstractContextManager[object]:
        """Compare every plan that asks for table sizes while the context lasts."""
        real = balancer.bounds

        def bounds(tournament: Tournament, table: int) -> Bounds:
            said = real(tournament, table)
            with self._beside():
                version, sizes = balancer.sizes_of(tournament.pk)
            # Another task may have changed the sizes since the row was read: no comparison is
            # possible then.
            if version == tournament.balance_version:
                known = balancer.bounds_of(sizes, tournament, table)
                if not _agree(said, known, sizes):
                    self._found.append(f"table {table} was planned with {said}, not {known}")
            return said

        return patch.object(balancer, "bounds", bounds)

    def found(self) -> Iterator[str]:
        """Return the differences found since the last call."""
        found, self._found = self._found, []
        yield from found


def _is_levelled(tournament: Tournament) -> bool:
    """Return whether the tables balance one by one at their own boundaries."""
    return (
        tournament.state == State.RUNNING
        and tournament.format != Format.SHOOTOUT
        and not tournament.hand_for_hand
        and not tournament.several_at_once
        and not tournament.time_over
    )


def _staying(tournament: Tournament, sizes: dict[int, Size]) -> list[int]:
    """Tables that do not close next and may take players."""
    order = sorted(sizes, key=lambda table: -sizes[table].number)
    return order[balancer.doomed(tournament, len(order)) :]


def _agree(said: Bounds, known: Bounds, sizes: list[Size]) -> bool:
    """Return whether two views are equal, whichever of several equally short tables they list."""
    true = {size.table: size.size for size in sizes}
    taken = [true.get(size.table) for size in said.shortest]
    return _figures(said) == _figures(known) and taken == _figures(known)[-1]


def _figures(bounds: Bounds) -> tuple[int, int, int, list[int]]:
    shortest = [size.size for size in bounds.shortest]
    return bounds.tables_open, bounds.rank, bounds.longest, shortest
