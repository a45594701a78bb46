"""A hand while the dealer works: the state after each event, and the events so far."""

from __future__ import annotations

from tables.engine.events import HandEvent
from tables.engine.evolve import APPLY
from tables.engine.state import HandState


class Play:
    """Events that happen one after the other, each applied at once."""

    __slots__ = ("events", "state")

    def __init__(self, state: HandState) -> None:
        self.state = state
        self.events: list[HandEvent] = []

    def happen(self, event: HandEvent) -> None:
        """Let `event` happen."""
        self.events.append(event)
        self.state = APPLY[type(event)](self.state, event)
