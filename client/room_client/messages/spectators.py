"""Rows of what spectators see of a tournament. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec


class Leader(msgspec.Struct, frozen=True):
    """A seat among the chip leaders."""

    name: str
    chips: int
    table: int
    table_number: int


class Out(msgspec.Struct, frozen=True):
    """An entry that is out: its place once final, its prize in cents."""

    name: str
    place: int | None
    prize: int
