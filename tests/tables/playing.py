"""Small game for tests: its own director, and seats played through the real scripts."""

from __future__ import annotations

import random
import time

import msgspec
from django.db import transaction
from msgspec.structs import replace
from redis import Redis

from accounts.models import User
from tables.dealer import director
from tables.dealer.grants import Answer, Close, Departure, Grant, RosterSeat, Timing
from tables.dealer.record import HandRecord
from tables.dealer.state import TableState
from tables.engine.betting import legal_actions
from tables.engine.events import Stakes
from tables.engine.state import Rules
from tables.models import Seat, Table
from tables.store import fenced, inbox
from tables.wire.client_commands import Act, AnsweredCommand
from tables.workers import advance, settle
from tests.tables import stages

NAME = "test"
TIMING = Timing(action_ms=60_000, hand_pause_ms=0, showdown_pause_ms=0, street_pause_ms=0)
STAKES = Stakes(small_blind=50, big_blind=100)
PATIENCE_S = 10
"""Time for a table to wait for a seat: its deal may wait for the seed of a browser."""


class LastOneWins:
    """Game in which all seats with chips play on; the table closes with one left."""

    variant = "holdem"

    def lock(self, table: int, record: HandRecord) -> None:
        """Lock nothing."""

    def settle(self, table: int, record: HandRecord) -> None:
        """Take busted seats out."""
        gone = [seat.entry for seat in record.busted()]
        Seat.objects.filter(table_id=table, entry__in=gone).delete()

    def game_name(self, game: int) -> str:
        """Name that contains the number."""
        return f"Game {game}"

    def next(self, table: int, hand: int) -> Answer:
        """Grant the next hand while two seats are left."""
        with transaction.atomic():
            row = Table.objects.select_for_update().get(pk=table)
            seats = list(Seat.objects.filter(table=row).order_by("seat"))
            if len(seats) < 2:
                row.status = Table.Status.CLOSED
                row.save(update_fields=["status"])
                return Close(tuple(Departure(seat.entry, "left") for seat in seats))
            row.granted_hand = hand
            row.save(update_fields=["granted_hand"])
        return Grant(
            hand=hand,
            rules=Rules(variant=self.variant, limit="no_limit", stakes=STAKES),
            level=1,
            round=0,
            timing=TIMING,
            roster=tuple(
                RosterSeat(
                    seat=seat.seat,
                    entry=seat.entry,
                    user=seat.user_id,
                    name=seat.name,
                    chips=seat.chips,
                    bank_ms=seat.bank_ms,
                    absent=seat.absent,
                    newcomer=seat.newcomer,
                )
                for seat in seats
            ),
            draw_button=hand == 1,
        )


class WaitsForConnections(LastOneWins):
    """Game of that kind with a short action clock and a long disconnection time (X-03)."""

    name = "waits for lost"
    timing = replace(TIMING, action_ms=300, disconnect_ms=600_000)

    def next(self, table: int, hand: int) -> Answer:
        """Grant with that pace."""
        answer = super().next(table, hand)
        return replace(answer, timing=self.timing) if isinstance(answer, Grant) else answer


def registered(name: str, game: type[LastOneWins], *, for_money: bool = False) -> str:
    """Register a game once under a name; return the name."""
    if name not in director._directors:
        director.register(name, game(), for_money=for_money)
    return name


def sit_down(chips: list[int], *, bank_ms: int = 0, played_by: str = NAME) -> Table:
    """A table in PostgreSQL with one user per seat, from seat 1 on, under a registered director."""
    registered(NAME, LastOneWins)
    number = Table.objects.count() + 1
    table = Table.objects.create(director=played_by, game=1, number=number, seats_max=len(chips))
    for seat, amount in enumerate(chips, start=1):
        user = User.objects.create(name=f"Seat {seat} {table.pk}")
        Seat.objects.create(
            table=table,
            seat=seat,
            entry=table.pk * 100 + seat,
            user=user,
            name=user.name,
            chips=amount,
            bank_ms=bank_ms,
        )
    return table


def run(redis: Redis, table: int) -> TableState:
    """Settle and advance a table until it waits for a seat or is closed."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        state = fenced.peek(redis, table)
        assert state is not None
        if state.phase in ("hand", "closed"):
            return state
        if state.phase == "granted":
            advance.advance(redis, table)
        else:
            settle.settle(redis, table)
    raise AssertionError("the table does not wait for a seat or close")


def send(redis: Redis, state: TableState, chance: random.Random, number: int) -> Act:
    """Append a random legal action of the seat to act to the inbox."""
    act = choose(state, chance, number)
    assert state.turn is not None
    put_in(redis, state, state.at(state.turn.seat).user, act)
    return act


def check_or_call(redis: Redis, state: TableState) -> None:
    """Append the action of the seat to act that keeps its chips longest without folding."""
    assert state.turn is not None and state.hand is not None
    seat = state.turn.seat
    kind = "check" if legal_actions(state.hand, seat).check else "call"
    put_in(redis, state, state.at(seat).user, stages.act(state, kind))


def step_on(redis: Redis, table: int) -> TableState:
    """Check or call, advance or settle: what a table does next; return its state after it."""
    state = fenced.peek(redis, table)
    assert state is not None
    if state.phase == "hand":
        check_or_call(redis, state)
    if state.phase == "granted":
        wait_until(state.due_ms)
    if state.phase in ("hand", "granted"):
        advance.advance(redis, table)
    else:
        settle.settle(redis, table)
    state = fenced.peek(redis, table)
    assert state is not None
    return state


def wait_until(at_ms: int) -> None:
    """Sleep until a moment has passed; UTC in ms."""
    time.sleep(max(0.0, at_ms / 1_000 - time.time()) + 0.02)


def put_in(redis: Redis, state: TableState, user: int, command: AnsweredCommand) -> None:
    """Append a command of a user to the inbox."""
    assert inbox.append(redis, state.table, user, msgspec.json.encode(command)).status == "accepted"


def choose(state: TableState, chance: random.Random, number: int) -> Act:
    """Any legal action of the seat to act."""

    assert state.hand is not None and state.turn is not None
    option = legal_actions(state.hand, state.turn.seat)
    choices: list[tuple[str, int | None]] = []
    if option.check or option.fold:
        choices.append(("check" if option.check else "fold", None))
    if option.call is not None:
        choices += [("call", None)] * 2
    for kind, low, high in (
        ("bet", option.bet_min, option.bet_max),
        ("raise", option.raise_min, option.raise_max),
    ):
        if low is not None and high is not None:
            between = low if state.hand.rules.limit == "fixed_limit" else chance.randint(low, high)
            choices.append((kind, chance.choice((low, high, between))))
    kind, amount = chance.choice(choices)
    return Act(
        id=f"c{number}",
        table=state.table,
        epoch=state.epoch,
        hand=state.hand_number,
        turn=state.turn.turn,
        action=kind,  # type: ignore[arg-type]
        amount=amount,
    )
