"""End of a kept seat: leaving, sitting out too long, connection lost, no chips (X-03, A-03)."""

from __future__ import annotations

from typing import Literal, NamedTuple

FreeReason = Literal["left", "no_chips", "disconnected", "sat_out"]
"""Cause for which a seat becomes free at a boundary."""


class KeptTimes(NamedTuple):
    """Times in milliseconds for which a table keeps the seat of an absent player.

    `sit_out_ms` is for players who sit out, 0 without an end; `disconnect_ms` for lost connections,
    0 for the time of sitting out.
    """

    sit_out_ms: int
    disconnect_ms: int


class KeptSeat(NamedTuple):
    """A seat between two hands; `chips` include those on their way, times are None when not set."""

    chips: int
    leaving: bool = False
    absent_since_ms: int | None = None
    disconnected: bool = False
    rebuy_until_ms: int | None = None


def kept_until_ms(seat: KeptSeat, times: KeptTimes) -> int | None:
    """Return the time at which the seat becomes free by itself, None without one."""
    ends = []
    if seat.absent_since_ms is not None:
        kept = times.sit_out_ms
        if seat.disconnected and times.disconnect_ms:
            kept = times.disconnect_ms
        if kept:
            ends.append(seat.absent_since_ms + kept)
    if not seat.chips and seat.rebuy_until_ms is not None:
        ends.append(seat.rebuy_until_ms)
    return min(ends, default=None)


def reason_to_free(seat: KeptSeat, times: KeptTimes, now_ms: int) -> FreeReason | None:
    """Return the reason for which the seat becomes free now, None while it is kept (X-03)."""
    if seat.leaving:
        return "left"
    until_ms = kept_until_ms(seat, times)
    if until_ms is None or now_ms < until_ms:
        return None
    if not seat.chips and seat.rebuy_until_ms is not None and seat.rebuy_until_ms <= now_ms:
        return "no_chips"
    return "disconnected" if seat.disconnected else "sat_out"
