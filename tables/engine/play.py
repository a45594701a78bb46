"""A hand while the dealer works: the state after each event, and the events so far."""

from __future__ import annotations

from tables.engine.events import HandEvent, HoleCardsDealt
from tables.engine.evolve import APPLY, dealt_round
from tables.engine.state import HandState


class HandProgress:
    """Events that happen one after the other, each applied at once."""

    __slots__ = ("events", "state")

    def __init__(self, state: HandState | None, event: HandEvent) -> None:
        """The hand as it was, None before it began, and the first thing to happen."""
        self.state = APPLY[type(event)](state, event)
        self.events: list[HandEvent] = [event]

    def happen(self, event: HandEvent) -> None:
        """Let `event` happen."""
        self.events.append(event)
        self.state = APPLY[type(event)](self.state, event)

    def deal(self, events: list[HoleCardsDealt]) -> None:
        """Let cards be dealt to one seat after the other, in dealing order."""
        self.events.extend(events)
        self.state = dealt_round(self.state, events)
