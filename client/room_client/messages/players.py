"""Rows of players of tournaments. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec


class PlayerRow(msgspec.Struct, frozen=True):
    """An entry: with chips and table while it plays, with place and winnings once it is out."""

    entry: int
    user: int
    name: str
    state: str
    chips: int
    rank: int | None
    table: int | None
    table_number: int | None
    seat: int | None
    place: int | None
    prize: int
    bounties: int
