"""Cast of the tests of batches: a field of several small tables, and what its players were told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import pytest
from django.db import transaction
from redis import Redis

from accounts.models import Account, User
from accounts.users import bots
from config import limits
from tables.dealer import director
from tables.dealer.grants import Wait
from tables.models import Seat, Table
from tables.store import fenced
from tests.tournaments.cast import Arena, started
from tests.tournaments.events.announced import event_types
from tournaments.events import bells
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import Tournament
from tournaments.running import batches, tasks, tick

PLAYERS = 7
TABLES = 4
BOUNTIES = {"bounty": 500, "progressive_bp": 5_000}


class WorkerDiedError(BaseException):
    """The worker died inside a transaction."""


def make_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a field of a few players need several batches."""
    monkeypatch.setattr(batches, "TABLES", 2)
    monkeypatch.setattr(batches, "ENTRIES", 3)
    monkeypatch.setattr(batches, "BELLS_FOR_A_TABLE", limits.BELLS_WAITING_MAX)


def field(**fields: object) -> tuple[Tournament, list[User]]:
    """A running tournament of seven players at four tables of two seats, and its players."""
    made = started(PLAYERS, **({"seats_per_table": 2} | fields))
    return made, bots.create(PLAYERS)


def played(seed: int, goal: int = 0, /, **options: object) -> tuple[Tournament, list[User]]:
    """A field in which one or two of seven are out, or all but `goal`."""
    return _play(seed, goal, options)[:2]


def stopped(seed: int, goal: int = 0, /, **options: object) -> tuple[Tournament, list[User]]:
    """A field that has `played`, with no hand in play at any table."""
    tournament, players, arena = _play(seed, goal, options)
    for table in arena.tables():
        while arena.states[table].phase in ("granted", "hand", "run_out", "finished"):
            arena.step(table)
    tournament.refresh_from_db()
    return tournament, players


def _play(
    seed: int, goal: int, options: Mapping[str, object]
) -> tuple[Tournament, list[User], Arena]:
    tournament, players = field(**options)
    while (tick.tick(tournament.pk) or 0) <= batches.NEXT_MS:
        pass
    arena = Arena(tournament.pk, seed)
    goal = goal or PLAYERS - 1 - seed % 2
    while Tournament.objects.get(pk=tournament.pk).left > goal:
        arena.step(arena.chance.choice(arena.tables()))
    tournament.refresh_from_db()
    return tournament, players, arena


def make_all(tournament: Tournament) -> None:
    """Make all batches that are left."""
    while tick.tick(tournament.pk) is not None:
        pass


def die_and_go_on(tournament: Tournament, batch: Callable[[TournamentTransaction], None]) -> None:
    """Let a worker die in a batch, of which nothing counts, and another make all that is left."""

    def die() -> None:
        with tournament_transaction(tournament.pk) as tx:
            batch(tx)
            raise WorkerDiedError

    had = balances()
    with pytest.raises(WorkerDiedError):
        die()
    assert balances() == had, "nothing of the batch counts"
    # The wake is lost with the worker; a worker that starts sets it again.
    bells.cancel(tournament.pk)
    bells.ensure_all()
    for _ in range(20):
        if due(tournament):
            tasks.tick(tournament.member)
    assert not due(tournament), "nothing is left to do"


@contextmanager
def undone() -> Iterator[None]:
    """Take back all that the block wrote to PostgreSQL."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def open_in_redis(house: Redis, tournament: Tournament) -> list[int]:
    """Numbers of the tables that players can find, in order."""
    rows = Table.objects.filter(director="tournament", game=tournament.pk).order_by("number")
    states = [(row.number, fenced.peek(house, row.pk)) for row in rows]
    return [number for number, state in states if state and state.phase != "closed"]


def due(tournament: Tournament) -> bool:
    """Return True when a wake of the tournament is set."""
    return bells.due(tournament.pk) is not None


def balances() -> dict[int, int]:
    """Balance of every account."""
    return dict(Account.objects.values_list("pk", "balance"))


def times_told(players: list[User], kind: str) -> list[int]:
    """Count the notices of this type to each player."""
    return [Counter(event_types(f"user:{player.pk}"))[kind] for player in players]


def play_full_tables(tournament: Tournament) -> tuple[Arena, list[int]]:
    """Play one hand at each table of two players to its end; return them with their arena."""
    arena = Arena(tournament.pk)
    full = [pk for pk in arena.tables() if Seat.objects.filter(table=pk).count() == 2]
    for table in full:
        while arena.states[table].phase != "finished":
            arena.step(table)
    return arena, full


def settle_and_wait(arena: Arena, tables: Iterable[int]) -> None:
    """Settle the hands of tables that are to be closed; none of them is given another hand."""
    for table in tables:
        assert arena.step(table) == "settled"
        said = director.of("tournament").next(table, arena.states[table].hand_number + 1)
        assert isinstance(said, Wait) and said.reason == "balancing"
