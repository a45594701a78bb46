"""Facts of a tournament, told with a delay. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec

from room_client.messages.hands import (
    Stakes,
)
from room_client.messages.spectators import (
    Leader,
    Out,
)


class FieldSnapshot(msgspec.Struct, frozen=True):
    """Facts told last, None before the first ones."""

    facts: FieldFacts | None = None


class FieldFacts(msgspec.Struct, frozen=True, tag_field="type", tag="field_facts"):
    """Facts of a tournament at one moment, told at `due_ms` of the room's clock; money in cents.
    Times that were to come count from that moment: at `due_ms` the level ends in
    `level_ends_in_ms`, None while the clock stands or has no end.
    """

    due_ms: int
    name: str
    level: int | None
    stakes: Stakes | None
    level_ends_in_ms: int | None
    break_in_ms: int | None
    break_ends_in_ms: int | None
    left: int
    entrants: int
    average: int
    pool: int
    payouts: list[FieldPayout]
    leaders: list[Leader]
    out: list[Out]


class FieldPayout(msgspec.Struct, frozen=True):
    """Places `first` to `last` win `prize` cents each."""

    first: int
    last: int
    prize: int
