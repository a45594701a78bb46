"""What the room itself tells: rulings about a player, and messages to all."""

from __future__ import annotations

from tables.engine.events import Event


class RoomMessage(Event, frozen=True, tag="room_message"):
    """The room tells everybody who looks."""

    text: str


class Disqualified(Event, frozen=True, tag="disqualified"):
    """The room took you out of the tournament (T-15)."""

    tournament: int
    name: str
    reason: str


class RoomSays(Event, frozen=True, tag="room_says"):
    """A message of the room to everybody in your tournament."""

    tournament: int
    name: str
    text: str
