"""Rapid pools for tests: joined players, tables brought to decisions, hands to their ends."""

from __future__ import annotations

import random

from redis import Redis

from accounts.models import User
from tables.dealer.state import TableState
from tables.models import Table
from tables.ring.models import RapidStay, RingGame, RingSession
from tables.ring.sessions import sit_down
from tables.store import fenced
from tables.workers import advance, settle
from tests.tables import playing
from tests.tables.ring.room import cast


def pool(**terms: object) -> RingGame:
    """Return an open rapid pool of three seats a hand and up to four tables."""
    usual = {"rapid": True, "seats_max": 3, "tables_max": 4, "pool_min": 2, "wait_ms": 0}
    return cast.game(**(usual | terms))


def joined(game: RingGame, count: int) -> list[User]:
    """Return so many players who joined a pool, in order."""
    users = [cast.player() for _ in range(count)]
    for user in users:
        sit_down.sit(user, game.pk, amount=cast.BUY_IN)
    return users


def tables(game: RingGame) -> list[Table]:
    """Return the open tables of a pool."""
    return list(Table.objects.filter(director="rapid", game=game.pk, status="open").order_by("pk"))


def session(user: User) -> RingSession:
    """Return the latest session of a player."""
    return RingSession.objects.filter(user=user).latest("pk")


def in_hands(user: User) -> int:
    """Return in how many hands a player is, folded ones aside."""
    return RapidStay.objects.filter(session__user=user, ended=False, freed_chips=None).count()


def chips(user: User) -> int:
    """Return all chips of a player in the pool, those in hands that are not settled included."""
    row = session(user)
    hands = RapidStay.objects.filter(session=row, ended=False)
    staked = sum(stay.chips - (stay.freed_chips or 0) for stay in hands)
    return row.stack + row.coming + staked


def act(room: Redis, table: Table, action: str) -> None:
    """Let the seat to act take an action."""
    state = fenced.peek(room, table.pk)
    assert state is not None
    cast.act(room, state, action)
    advance.advance(room, table.pk)


def fold(room: Redis, table: Table) -> int:
    """Let the seat to act fold and be freed; return its user."""
    state = fenced.peek(room, table.pk)
    assert state is not None and state.turn is not None
    user = state.at(state.turn.seat).user
    act(room, table, "fold")
    settle.settle(room, table.pk)
    return user


def fold_to_end(room: Redis, table: Table) -> None:
    """Let everybody fold until the hand of a table is settled, and its next one is granted."""
    state = fenced.peek(room, table.pk)
    assert state is not None
    while state.phase == "hand":
        fold(room, table)
        state = fenced.peek(room, table.pk)
        assert state is not None


def step(
    room: Redis, table: Table, chance: random.Random, *, calls: bool = False
) -> TableState | None:
    """Advance a table by one step of its workers; None without a state.

    The seat to act takes a random action, or only `calls`, so that stacks last.
    """
    state = fenced.peek(room, table.pk)
    if state is None or state.phase == "closed":
        return state
    if state.phase == "hand":
        assert state.turn is not None
        if calls:
            playing.check_or_call(room, state)
        else:
            playing.send(room, state, chance, chance.randrange(10**9))
    if state.phase in ("hand", "granted", "run_out"):
        advance.advance(room, table.pk, chance)
    settle.settle(room, table.pk)
    return fenced.peek(room, table.pk)
