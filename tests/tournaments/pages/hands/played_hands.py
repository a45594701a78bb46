"""A tournament with finished hands."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tables.dealer.state import TableState
from tables.engine.actions import Action, Call, Check
from tables.engine.betting import legal_actions
from tests.tournaments.cast import Arena, started

Choice = Callable[[TableState, random.Random], Action]


def calling(state: TableState, chance: random.Random) -> Action:
    """Check or call to every showdown."""
    assert state.hand is not None and state.turn is not None
    return Check() if legal_actions(state.hand, state.turn.seat).check else Call()


class PlayedHands:
    """A running tournament with a number of finished hands."""

    def __init__(
        self, hands: int, players: int = 4, *, choose: Choice = calling, **fields: Any
    ) -> None:
        self.tournament = started(players, **({"seats_per_table": 4} | fields))
        self.arena = Arena(self.tournament.pk, 3)
        self.arena.choose = choose
        [self.table] = self.arena.tables()
        self.records = [self.arena.hand(self.table) for _ in range(hands)]

    def address(self, number: int | None = None) -> str:
        """Address of the page of one hand, or of all hands."""
        hand = "" if number is None else f"{number}/"
        return f"/tables/{self.table}/hands/{hand}"
