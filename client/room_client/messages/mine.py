"""Rows of the own seats and offers. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec


class MySeat(msgspec.Struct, frozen=True):
    """A player's seat, or the next seat during a move; `why` is then the move's reason (T-08).
    `tournament` is 0 at a table of another game, which `name` names all the same.
    """

    tournament: int
    name: str
    table: int
    number: int
    seat: int
    why: str = ''


class MyStart(msgspec.Struct, frozen=True):
    """The start of a tournament the player is registered for; `starts_at_ms` since the epoch."""

    tournament: int
    name: str
    starts_at_ms: int
