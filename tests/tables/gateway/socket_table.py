"""A table behind a running server: its players' clients, and a worker that runs on request."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from django.conf import settings
from msgspec import structs
from redis import Redis

from accounts.models import User
from tables.dealer import record
from tables.dealer.state import TableState
from tables.engine.betting import legal_actions
from tables.models import Seat, Table
from tables.store import fenced, inbox, keys
from tables.wire.client_commands import Act
from tables.workers import advance, recovery, settle
from tests.tables import playing
from tests.tables.gateway.sockets import Client, Message, Site, wait_for


class Game:
    """One table in play, with the first hand dealt."""

    def __init__(
        self, site: Site, room: Redis, chips: list[int], *, played_by: str = playing.NAME
    ) -> None:
        self.site = site
        self.room = room
        self.row: Table = playing.sit_down(chips, played_by=played_by)
        self.stream = keys.table(self.row.pk)
        recovery.open_tables(room, [self.row.pk])
        self.state = playing.run(room, self.row.pk)

    def user(self, seat: int) -> User:
        """User at a seat."""
        return User.objects.get(pk=self.state.at(seat).user)

    def client(self, seat: int, **wish: Any) -> Client:
        """Client of the player at a seat who follows the table; its snapshot is `.snapshot`."""
        return self.follow(self.site.client(self.user(seat)), **wish)

    def watcher(self) -> Client:
        """Anonymous client that follows the table."""
        return self.follow(self.site.client())

    def follow(self, client: Client, **wish: Any) -> Client:
        """Let a client follow the table."""
        client.snapshot = client.follow(self.stream, **wish)
        return client

    @property
    def actor(self) -> int:
        """Seat to act."""
        assert self.state.turn is not None
        return self.state.turn.seat

    @property
    def others(self) -> list[int]:
        """Seats without the turn."""
        return [seat.seat for seat in self.state.seats if seat.seat != self.actor]

    def command(self, action: str, amount: int | None = None, **change: Any) -> Message:
        """Message that answers the current turn."""
        assert self.state.turn is not None
        act = Act(
            id=f"c{self.state.hand_number}-{self.state.turn.turn}",
            table=self.row.pk,
            epoch=self.state.epoch,
            hand=self.state.hand_number,
            turn=self.state.turn.turn,
            action=action,  # type: ignore[arg-type]
            amount=amount,
        )
        return {"type": "act", **structs.asdict(act), **change}

    def waiting(self) -> int:
        """Number of commands in the inbox."""
        return int(self.room.llen(keys.inbox(self.stream, settings.SHARDS)))

    def moves_waiting(self) -> int:
        """Number of answers to the turn that wait at the table."""
        waiting = self.room.lrange(keys.inbox(self.stream, settings.SHARDS), 0, -1)
        return sum(b'"type":"act"' in command for command in waiting)

    def work(self) -> TableState:
        """Let a worker take the waiting commands and advance to the next decision."""
        wait_for(self.waiting)
        advance.advance(self.room, self.row.pk)
        self.state = playing.run(self.room, self.row.pk)
        return self.state

    def play(self, steps: int, seed: int = 1) -> None:
        """Play random actions as commands of other players."""
        chance = random.Random(seed)
        for number in range(steps):
            if self.state.phase == "closed":
                return
            playing.send(self.room, self.state, chance, 1_000 + number)
            advance.advance(self.room, self.row.pk, chance)
            self.state = playing.run(self.room, self.row.pk)

    def play_calmly(self, steps: int) -> None:
        """Check or call as other players, so that no seat busts."""
        for _ in range(steps):
            assert self.state.hand is not None
            owes = legal_actions(self.state.hand, self.actor).call is not None
            message = self.command("call" if owes else "check", id=f"calm{self.state.seq}")
            raw = msgspec.json.encode(message)
            user = self.state.at(self.actor).user
            assert inbox.append(self.room, self.row.pk, user, raw).status == "accepted"
            self.work()

    def sit_down_next_hand(self, seat: int, user: User, chips: int) -> None:
        """End the hand by folds, settle it, and give a user a seat from the next hand on."""
        while self.state.phase == "hand":
            raw = msgspec.json.encode(self.command("fold"))
            player = self.state.at(self.actor).user
            inbox.append(self.room, self.row.pk, player, raw)
            advance.advance(self.room, self.row.pk)
            found = fenced.peek(self.room, self.row.pk)
            assert found is not None
            self.state = found
        settle.settle_hand(record.of(self.state))
        Table.objects.filter(pk=self.row.pk).update(seats_max=seat)
        Seat.objects.create(
            table=self.row, seat=seat, entry=99, user=user, name=user.name, chips=chips
        )
        self.state = playing.run(self.room, self.row.pk)

    def chips(self) -> list[tuple[int, int, int]]:
        """Stack and bet of each seat; a refused command must not change them."""
        state = fenced.peek(self.room, self.row.pk)
        assert state is not None and state.hand is not None
        return [(seat.seat, seat.stack, seat.bet) for seat in state.hand.seats]


@pytest.fixture
def game(site: Site, room: Redis) -> Game:
    """Three players with 20 big blinds each, the first hand dealt."""
    return Game(site, room, [2_000, 2_000, 2_000])
