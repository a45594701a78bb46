"""Events from the room to players: rulings, messages, pauses, named prizes."""

from __future__ import annotations

from tables.engine.events import Event


class RoomMessage(Event, frozen=True, tag="room_message"):
    """Message of the room to all viewers of the tournament."""

    text: str


class Disqualified(Event, frozen=True, tag="disqualified"):
    """Your disqualification from the tournament (T-15)."""

    tournament: int
    name: str
    reason: str


class RoomSays(Event, frozen=True, tag="room_says"):
    """Message of the room to every player of your tournament."""

    tournament: int
    name: str
    text: str


class TournamentPaused(Event, frozen=True, tag="tournament_paused"):
    """Stop of your tournament after the hand; `reason` as in `paused`."""

    tournament: int
    name: str
    reason: str


class TournamentResumed(Event, frozen=True, tag="tournament_resumed"):
    """Restart of your tournament."""

    tournament: int
    name: str


class NamedPrize(Event, frozen=True, tag="named_prize"):
    """Your place's named prize, which is not money (Z-03)."""

    tournament: int
    name: str
    place: int
    prize: str
