"""What the room itself tells players: rulings, messages, pauses, named prizes."""

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


class TournamentPaused(Event, frozen=True, tag="tournament_paused"):
    """Your tournament stops after the hand; `reason` as in `paused`."""

    tournament: int
    name: str
    reason: str


class TournamentResumed(Event, frozen=True, tag="tournament_resumed"):
    """Your tournament goes on."""

    tournament: int
    name: str


class NamedPrize(Event, frozen=True, tag="named_prize"):
    """Your place wins a named prize that is no money (Z-03)."""

    tournament: int
    name: str
    place: int
    prize: str
