"""What formats, limited time and deals tell on the streams, as a part of `client_events`."""

from __future__ import annotations

import msgspec

from tables.engine.events import Event


class SpinOdds(msgspec.Struct, frozen=True):
    """A spin as its drum shows it: the number drawn of 100,000, its multiplier, pool and prizes in
    cents, and the odds it was drawn from as pairs of a multiplier and how often (F-05)."""

    drawn: int
    multiplier: int
    pool: int
    prizes: tuple[int, ...]
    odds: tuple[tuple[int, int], ...]
    at_ms: int


class SpinDrawn(Event, frozen=True, tag="spin_drawn"):
    """The pool of a spin was drawn by a fair lot (F-05)."""

    spin: SpinOdds


class TimeUp(Event, frozen=True, tag="time_up"):
    """The play time is over: tables stop after their hand, and the `left` are placed by chips.

    They are paid by the `table`, or share what is unpaid by chips: `proportional` (T-11).
    """

    left: int
    paid: str


class TournamentOver(Event, frozen=True, tag="tournament_over"):
    """It ended while you were still in, and your `place` wins nothing."""

    tournament: int
    name: str
    place: int
