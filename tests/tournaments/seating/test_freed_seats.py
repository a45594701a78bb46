"""In stud a balanced player takes the seat that opened last, as a spectator can verify."""

from __future__ import annotations

from collections import defaultdict

import pytest
from redis import Redis

from tables.models import Seat, Table
from tests.tournaments import cast
from tests.tournaments.cast import Arena
from tournaments.models import Move
from tournaments.seating.freed_seats import freed_seats


class Onlooker:
    """Record, after every step, of left seats and of the seats moved players took."""

    def __init__(self, tournament: int) -> None:
        self.game = tournament
        self.taken: dict[int, set[int]] = defaultdict(set)
        self.freed: dict[int, list[set[int]]] = defaultdict(list)
        self.judged: set[int] = set()
        self.chosen: list[tuple[int, set[int]]] = []
        self.look()

    def look(self) -> None:
        """Read the seats; judge each move by the seats free before it."""
        for move in Move.objects.filter(reason="balance").exclude(pk__in=self.judged):
            self.judged.add(move.pk)
            last = self._opened_last(move.to_table_id)
            if last:
                self.chosen.append((move.to_seat, last))
        for table in Table.objects.filter(game=self.game):
            now = set(Seat.objects.filter(table=table).values_list("seat", flat=True))
            if gone := self.taken[table.pk] - now:
                self.freed[table.pk].append(gone)
            self.taken[table.pk] = now

    def _opened_last(self, table: int) -> set[int]:
        free = [seats - self.taken[table] for seats in self.freed[table]]
        return next((seats for seats in reversed(free) if seats), set())


@pytest.mark.rule("T-08")
def test_in_stud_a_balanced_player_takes_the_seat_opened_last(house: Redis) -> None:
    chosen: list[tuple[int, set[int]]] = []
    for seed in (1, 2):
        levels = cast.structure("stud")
        made = cast.started(
            24, structure=levels, seats_per_table=6, variant="stud", limit="no_limit"
        )
        arena = Arena(made.pk, seed=seed)
        seen = Onlooker(made.pk)
        arena.run(after=seen.look)
        chosen += seen.chosen
    assert len(chosen) >= 3, "some player was balanced to a table with freed seats"
    assert all(seat in last for seat, last in chosen), chosen


@pytest.mark.rule("T-08")
def test_free_seats_are_listed_in_the_order_they_were_left(
    house: Redis,
) -> None:
    made = cast.started(6, seats_per_table=6)
    table = Table.objects.get(game=made.pk)
    assert freed_seats([table.pk]) == {}
    arena = Arena(made.pk, seed=5)
    seen = Onlooker(made.pk)
    arena.run(after=seen.look)
    told = freed_seats([table.pk])[table.pk]
    order = [seats for seats in seen.freed[table.pk] if seats & set(told)]
    left = [next(n for n, seats in enumerate(order) if seat in seats) for seat in told]
    assert len(order) > 1 and left == sorted(left)
    assert len(told) == 5
