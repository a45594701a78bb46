"""Ring games as the swarm reads them from the rows of the lobby."""

from __future__ import annotations

from typing import Any

import msgspec

PATH = "/ring/rows.json"


class RingGameRow(msgspec.Struct, frozen=True):
    """Columns of a ring game that a bot needs; buy-ins in minor units.

    `free` are the seats of all its tables; `spare` of them are at tables the room would open. A
    `rapid` pool is never full, and deals with `pool_min` players (R-03).
    """

    game: int
    buy_in_min: int
    buy_in_max: int
    free: int
    spare: int = 0
    state: str = "open"
    straddle: bool = False
    private: bool = False
    rapid: bool = False
    players: int = 0
    pool_min: int = 0
    club: int | None = None


class RingStay(msgspec.Struct, frozen=True):
    """The session of a bot; it is `leaving` once the bot asked to go.

    In a rapid pool the table is that of the hand, if any, and `absent` who sits out.
    """

    session: int
    game: int
    table: int | None = None
    leaving: bool = False
    absent: bool = False


class RingSeatOfferRow(msgspec.Struct, frozen=True):
    """A seat that the waiting list offers to the bot."""

    offer: int
    game: int


class RingRows(msgspec.Struct, frozen=True):
    """Ring games of the room, and sessions, offers and places in waiting lists of the reader."""

    games: tuple[RingGameRow, ...] = ()
    sessions: tuple[RingStay, ...] = ()
    offers: tuple[RingSeatOfferRow, ...] = ()
    waiting: tuple[int, ...] = ()


def read(said: dict[str, Any]) -> RingRows | None:
    """Return the rows of an answer; None when the room did not answer with rows."""
    return msgspec.convert(said, RingRows) if "games" in said else None
