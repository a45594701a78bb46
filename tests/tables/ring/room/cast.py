"""Ring games for tests: players with money, games, and hands played at their tables."""

from __future__ import annotations

import itertools
import random
import time
from typing import Any

from msgspec.structs import asdict
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind, User
from config import clock
from tables.dealer.state import TableState
from tables.engine.rake_tables import HOLDEM, OMAHA
from tables.models import Seat, Table
from tables.ring.models import RakeTable, RingGame, RingSession
from tables.ring.monitor import audit
from tables.ring.sessions import operating
from tables.store import fenced
from tables.wire.client_commands import Act
from tables.workers import advance, settle
from tests.tables import playing

BUY_IN = 100_00
BALANCE = 1_000_00
_ids = itertools.count(1)


def game(**terms: Any) -> RingGame:
    """An open game with blinds of 0.50/1.00 and one table, without rake."""
    usual: dict[str, Any] = {
        "name": "Ring",
        "small_blind": 50,
        "big_blind": 100,
        "seats_max": 6,
        "buy_in_min": 40_00,
        "buy_in_max": 200_00,
        "hand_pause_ms": 0,
        "showdown_pause_ms": 0,
        "street_pause_ms": 0,
        "bank_ms": 0,
    }
    usual |= terms
    return operating.open_game(**usual)


def raked(**terms: Any) -> RingGame:
    """An open game with the rake table of the rules, also without a flop."""
    table = RakeTable.objects.create(name=f"Rake {next(_ids)}")
    for row in (*HOLDEM, *OMAHA):
        values = {name: "" if value is None else value for name, value in asdict(row).items()}
        values["small_blind_upto"] = row.small_blind_upto
        table.rows.create(**values)
    return game(**({"rake_table": table, "no_flop_no_drop": False} | terms))


def player(name: str = "", balance: int = BALANCE) -> User:
    """A player with this balance in minor units."""
    user = User.objects.create(name=name or f"Ring {next(_ids)}")
    if balance:
        transfers.move(
            key=f"test:{user.pk}",
            kind="credit",
            source=transfers.account(AccountKind.BANK),
            target=transfers.account(AccountKind.PLAYER, user=user),
            amount=balance,
        )
    return user


def table_of(ring: RingGame) -> Table:
    """The only open table of a game."""
    return Table.objects.get(director="ring", game=ring.pk, status="open")


def balance(user: User) -> int:
    """Balance of a player in minor units."""
    return transfers.held_by(user)


def stack(session: RingSession) -> int | None:
    """Chips at the seat of a session; None without a seat."""
    return Seat.objects.filter(entry=session.pk).values_list("chips", flat=True).first()


def seated_at(session: RingSession) -> Table:
    """Return the table of a session that has one."""
    assert session.table_id is not None
    return Table.objects.get(pk=session.table_id)


def boundary(room: Redis, table: Table) -> TableState:
    """Pass one boundary of a table, once its last hand has been read, and return its state."""
    for _ in range(500):
        state = fenced.peek(room, table.pk)
        assert state is not None
        if state.waiting is not None or state.due_ms <= clock.redis_now_ms(room):
            break
        time.sleep(0.01)
    settle.settle(room, table.pk)
    state = fenced.peek(room, table.pk)
    assert state is not None
    return state


def begin(room: Redis, table: Table) -> TableState:
    """Bring a table to the first decision of its next hand."""
    return playing.run(room, table.pk)


def fold_around(room: Redis, table: Table) -> None:
    """Play the hand of a table in which everybody checks or folds, to its settlement."""
    state = begin(room, table)
    hand = state.hand_number
    while state.phase == "hand" and state.hand_number == hand:
        act(room, state, "fold")
        advance.advance(room, table.pk)
        state = after(room, table)


def play_hand(room: Redis, table: Table, chance: random.Random) -> None:
    """Play one random hand of a table to its settlement, the same for each seed."""
    state = dealt(room, table, chance)
    hand = state.hand_number
    number = 0
    while state.phase == "hand" and state.hand_number == hand:
        number += 1
        playing.send(room, state, chance, hand * 1_000 + number)
        advance.advance(room, table.pk)
        state = after(room, table)


def law() -> None:
    """Assert that tables hold the money of their chips and that the ledger sums to zero."""
    assert audit.violations() == []
    assert transfers.total() == 0


def dealt(room: Redis, table: Table, chance: random.Random) -> TableState:
    """Bring a table to the first decision of its next hand, with a deck of this chance."""
    for _ in range(200):
        state = fenced.peek(room, table.pk)
        assert state is not None
        if state.phase == "hand":
            return state
        if state.phase == "granted":
            advance.advance(room, table.pk, chance)
        else:
            settle.settle(room, table.pk)
    raise AssertionError("the table deals no hand")


def after(room: Redis, table: Table) -> TableState:
    """Settle a finished hand once; the next hand is not granted."""
    state = fenced.peek(room, table.pk)
    assert state is not None
    while state.phase in ("run_out", "finished"):
        if state.phase == "run_out":
            advance.advance(room, table.pk)
        settle.settle(room, table.pk)
        state = fenced.peek(room, table.pk)
        assert state is not None
    return state


def act(room: Redis, state: TableState, action: str, amount: int | None = None) -> None:
    """Send an action of the seat to act."""
    assert state.turn is not None
    command = Act(
        id=f"{state.hand_number}-{state.turn.turn}",
        table=state.table,
        epoch=state.epoch,
        hand=state.hand_number,
        turn=state.turn.turn,
        action=action,  # type: ignore[arg-type]
        amount=amount,
    )
    playing.put_in(room, state, state.at(state.turn.seat).user, command)
