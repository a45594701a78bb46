"""A player at tables of two tournaments behind a running server; turns come on request."""

from __future__ import annotations

import msgspec
from redis import Redis

from accounts.models import User
from accounts.users import bots
from accounts.users.signup import sign_up
from tables.engine.betting import legal_actions
from tables.models import Seat
from tables.store import fenced, inbox
from tables.wire.client_commands import Act
from tables.workers import advance, settle
from tests.tournaments import course
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import operations

STEPS_MAX = 200


class TwoTables:
    """Anna in "Friday" and in "Monday", each with two bots that check and call."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.anna = sign_up("anna", "correct horse battery")
        self.games = [self._started(name) for name in ("Friday", "Monday")]
        self.acts = 0

    def _started(self, name: str) -> Tournament:
        made = course.offer(3, 3)
        Tournament.objects.filter(pk=made.pk).update(name=name)
        for player in (self.anna, *bots.create(2)):
            registration.register(player, made)
        operations.start(made.pk)
        made.refresh_from_db()
        return made

    def table(self, game: int) -> int:
        """Table of the first (0) or second (1) tournament."""
        return Seat.objects.get(user=self.anna, table__game=self.games[game].pk).table_id

    def ask(self, game: int, user: User | None = None) -> None:
        """Play on at a table until this player has the turn, Anna by default."""
        wanted = (user or self.anna).pk
        self._until(game, lambda asked: asked == wanted)

    def ask_another(self, game: int) -> None:
        """Play on at a table, with Anna too, until another player has the turn."""
        self._until(game, lambda asked: asked != self.anna.pk)

    def _until(self, game: int, enough) -> None:  # type: ignore[no-untyped-def]
        table = self.table(game)
        for _ in range(STEPS_MAX):
            state = fenced.peek(self.redis, table)
            assert state is not None
            if state.turn is not None:
                user = state.at(state.turn.seat).user
                if enough(user):
                    return
                self._act(table, user)
            elif state.phase in ("finished", "boundary"):
                settle.settle(self.redis, table)
                continue
            advance.advance(self.redis, table)
        raise AssertionError("the turn never comes")

    def _act(self, table: int, user: int) -> None:
        state = fenced.peek(self.redis, table)
        assert state is not None and state.hand is not None and state.turn is not None
        self.acts += 1
        owes = legal_actions(state.hand, state.turn.seat).call is not None
        act = Act(
            id=f"own{self.acts}",
            table=table,
            epoch=state.epoch,
            hand=state.hand_number,
            turn=state.turn.turn,
            action="call" if owes else "check",
        )
        answer = inbox.append(self.redis, table, user, msgspec.json.encode(act))
        assert answer.status == "accepted"
