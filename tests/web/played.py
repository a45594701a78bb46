"""A tournament behind a running server: turns of a player in a browser come on request."""

from __future__ import annotations

from collections.abc import Callable

from redis import Redis

from accounts.models import User
from tables.dealer.state import TableState
from tables.models import Table
from tables.store import fenced
from tables.workers import advance, settle
from tests.tables import playing
from tests.tables.gateway.sockets import wait_for
from tournaments.models import Tournament

STEPS_MAX = 400


class PlayedTournament:
    """Tables of a tournament whose steps are taken here; who is not asked for checks or calls."""

    def __init__(self, redis: Redis, tournament: Tournament) -> None:
        self.redis = redis
        self.pk = tournament.pk

    def until_turn(self, enough: Callable[[int], bool]) -> bool:
        """Play on until a user of whom `enough` is true has the turn; False when all is over."""
        for _ in range(STEPS_MAX):
            states = self.states()
            if not states:
                return False
            for state in states:
                asked = _asked(state)
                if asked is not None and enough(asked):
                    return True
                self._step(state)
        raise AssertionError("the turn never comes")

    def take_act(self, user: User) -> None:
        """Wait for the act of the player who has the turn, and play it."""
        [before] = [state for state in self.states() if _asked(state) == user.pk]

        def acted() -> bool:
            advance.advance(self.redis, before.table)
            state = fenced.peek(self.redis, before.table)
            return state is not None and state.turn != before.turn

        wait_for(acted)

    def states(self) -> list[TableState]:
        """States of the open tables."""
        rows = Table.objects.filter(director="tournament", game=self.pk, status="open")
        found = [fenced.peek(self.redis, pk) for pk in rows.values_list("pk", flat=True)]
        return [state for state in found if state is not None]

    def _step(self, state: TableState) -> None:
        if state.phase in ("finished", "boundary"):
            settle.settle(self.redis, state.table)
            return
        if state.turn is not None:
            playing.check_or_call(self.redis, state)
        advance.advance(self.redis, state.table)


def _asked(state: TableState) -> int | None:
    """User who has the turn."""
    return None if state.turn is None else state.at(state.turn.seat).user
