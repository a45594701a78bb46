"""Hands told again with all cards, after a delay. Written by `manage.py protocol_docs`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from room_client.messages.frames import (
    TableSnapshot,
)
from room_client.messages.hands import (
    Share,
)


class CardsUpSnapshot(msgspec.Struct, frozen=True):
    """State of a cards-up stream at the start of the hand told last, None before the first one.
    Every event since then follows. `delay_ms` is the delay of the game at present.
    """

    game: int
    delay_ms: int
    retold: HandRetold | None = None


class HandRetold(msgspec.Struct, frozen=True, tag_field="type", tag="hand_retold"):
    """A hand begins to be told again: the table before it, and its real start in ms. Everything is
    told `delay_ms` or more after it happened. On the stream of a featured table `reason` says
    why this table is shown, and `switched` that the hand before was of another one.
    """

    hand: int
    began_ms: int
    delay_ms: int
    start: TableSnapshot
    reason: Literal['biggest_stack', 'chosen', 'final_table'] | None = None
    switched: bool = False


class HandChances(msgspec.Struct, frozen=True, tag_field="type", tag="hand_chances"):
    """Chances of the live hands, and the price of the `seat` that acts next (None: nobody). `pot`
    are all chips in the middle. `need_bp` is the share of what this seat can win that pays for
    the call, in basis points, 0 without a price. `equities` is empty while a live hand is
    hidden from the viewers.
    """

    equities: tuple[Equity, ...]
    seat: int | None = None
    pot: int = 0
    call: int = 0
    need_bp: int = 0


class Equity(msgspec.Struct, frozen=True):
    """Share of the main pot that the hand of a seat may expect, in basis points."""

    seat: int
    share_bp: int
