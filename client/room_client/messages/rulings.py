"""Events of rulings in tournaments. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec


class RoomMessage(msgspec.Struct, frozen=True, tag_field="type", tag="room_message"):
    """Message of the room to all viewers of the tournament."""

    text: str


class Disqualified(msgspec.Struct, frozen=True, tag_field="type", tag="disqualified"):
    """Your disqualification from the tournament (T-15)."""

    tournament: int
    name: str
    reason: str


class NamedPrize(msgspec.Struct, frozen=True, tag_field="type", tag="named_prize"):
    """Your place's named prize, which is not money (Z-03)."""

    tournament: int
    name: str
    place: int
    prize: str


class RoomSays(msgspec.Struct, frozen=True, tag_field="type", tag="room_says"):
    """Message of the room to every player of your tournament."""

    tournament: int
    name: str
    text: str


class TournamentPaused(msgspec.Struct, frozen=True, tag_field="type", tag="tournament_paused"):
    """Stop of your tournament after the hand; `reason` as in `paused`."""

    tournament: int
    name: str
    reason: str


class TournamentResumed(msgspec.Struct, frozen=True, tag_field="type", tag="tournament_resumed"):
    """Restart of your tournament."""

    tournament: int
    name: str
