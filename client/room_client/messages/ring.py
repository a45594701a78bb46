"""Notices of ring games to their players. Written by `manage.py protocol_docs`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class RapidDealtIn(msgspec.Struct, frozen=True, tag_field="type", tag="rapid_dealt_in"):
    """You are in a hand of your rapid pool, at this table and seat (R-03)."""

    game: int
    name: str
    table: int
    number: int
    seat: int


class RingSeatHeld(msgspec.Struct, frozen=True, tag_field="type", tag="ring_seat_offered"):
    """A seat of the waiting list, held for you until `until_ms` (R-01)."""

    game: int
    name: str
    table: int
    number: int
    seat: int
    offer: int
    until_ms: int


class RingWaitEnded(msgspec.Struct, frozen=True, tag_field="type", tag="ring_wait_ended"):
    """You wait for no seat of a game any more: an offer has expired, or the game closes (R-01)."""

    game: int
    name: str
    reason: Literal['closed', 'expired']


class RingTopUpMissed(msgspec.Struct, frozen=True, tag_field="type", tag="ring_top_up_missed"):
    """Your automatic top-up is off: `balance` cents, or `left` by your own limits, are too few."""

    game: int
    name: str
    table: int
    balance: int
    left: int | None = None


class RingSeatFreed(msgspec.Struct, frozen=True, tag_field="type", tag="ring_seat_freed"):
    """Your seat is free: too long away, no chips, closed or taken off; `amount` is your stack."""

    game: int
    name: str
    table: int
    reason: Literal['closed', 'disconnected', 'no_chips', 'sat_out', 'taken_off']
    amount: int


class JackpotFell(msgspec.Struct, frozen=True, tag_field="type", tag="jackpot_fell"):
    """A jackpot of your game has fallen: the `pool` in cents, and your part of it or 0 (J-01)."""

    jackpot: str
    name: str
    table: int
    pool: int
    amount: int
