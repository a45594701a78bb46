"""A tournament played in this process: real rows, real scripts, workers called directly."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
from redis import Redis

from accounts.models import User
from accounts.users import bots
from tables.engine.variants import VARIANTS
from tables.models import Table
from tables.store import fenced, inbox
from tables.workers import advance, settle
from tests.tables.playing import choose
from tournaments.engine.structure import BlindStructure, Level
from tournaments.entries import registration
from tournaments.locks import DIRECTOR
from tournaments.models import Structure, Tournament
from tournaments.models.structure import encoded
from tournaments.models.tournament import Start
from tournaments.running import operations
from tournaments.schedule import making

BUY_IN, FEE = 10_00, 1_00
STUD = Level(
    small_blind=0,
    big_blind=0,
    ante=10,
    ante_kind="per_seat",
    bring_in=20,
    small_bet=50,
    lasts_ms=3_600_000,
)


def offer(players: int, seats: int, **options: Any) -> Tournament:
    """An open Sit & Go without pauses and with one level, 1,000 chips each."""
    level = Level(small_blind=25, big_blind=50, lasts_ms=3_600_000)
    if VARIANTS[str(options.get("variant", "holdem"))].brings_in:
        level = STUD
    levels = BlindStructure((level,))
    row = Structure.objects.create(
        name=f"flat {Structure.objects.count()}", items=encoded(levels), starting_stack=1_000
    )
    made = making.create_from_structure(
        row,
        name="Course",
        start=Start.SIT_AND_GO,
        players_min=players,
        players_max=players,
        seats_per_table=seats,
        buy_in=BUY_IN,
        fee=FEE,
        hand_pause_ms=0,
        showdown_pause_ms=0,
        street_pause_ms=0,
        **options,
    )
    return operations.open(made.pk)


def fill(tournament: Tournament) -> list[User]:
    """Register one bot per place and start the tournament."""
    players = bots.create(tournament.players_max)
    for player in players:
        registration.register(player, tournament)
    operations.start(tournament.pk)
    return players


def play(
    redis: Redis,
    tournament: Tournament,
    chance: random.Random,
    until: Callable[[Tournament], bool],
    steps_max: int = 60_000,
) -> None:
    """Advance every open table in turn, with random legal actions, until the condition holds."""
    for number in range(steps_max):
        tournament.refresh_from_db()
        if until(tournament):
            return
        tables = Table.objects.filter(
            director=DIRECTOR, game=tournament.pk, status=Table.Status.OPEN
        )
        for table in tables.order_by("pk").values_list("pk", flat=True):
            _step(redis, table, chance, number)
    raise AssertionError("the tournament does not reach the condition")


def _step(redis: Redis, table: int, chance: random.Random, number: int) -> None:
    state = fenced.peek(redis, table)
    if state is None or state.phase == "closed":
        return
    if state.phase in ("finished", "boundary"):
        settle.settle(redis, table)
        return
    if state.turn is not None:
        act = choose(state, chance, number)
        user = state.at(state.turn.seat).user
        assert inbox.append(redis, table, user, msgspec.json.encode(act)).status == "accepted"
    advance.advance(redis, table, chance)
