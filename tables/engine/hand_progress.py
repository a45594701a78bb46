"""A hand while the dealer works: its current state, and the events so far."""

from __future__ import annotations

from tables.engine.events import HandEvent, HoleCardsDealt
from tables.engine.evolve import APPLY, dealt_round
from tables.engine.state import HandState


class HandProgress:
    """Events in order, each applied to the state at once."""

    __slots__ = ("events", "state")

    def __init__(self, state: HandState | None, event: HandEvent) -> None:
        """Start from the state of the hand (None before it began) and its first event."""
        self.state = APPLY[type(event)](state, event)
        self.events: list[HandEvent] = [event]

    def happen(self, event: HandEvent) -> None:
        """Append `event` and apply it."""
        self.events.append(event)
        self.state = APPLY[type(event)](self.state, event)

    def deal(self, events: list[HoleCardsDealt]) -> None:
        """Deal cards to several seats, in dealing order."""
        self.events.extend(events)
        self.state = dealt_round(self.state, events)
