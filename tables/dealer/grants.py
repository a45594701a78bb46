"""Answers of a director between two hands: grant, wait or close, with their seats and pace."""

from __future__ import annotations

import msgspec

from tables.engine.state import Positions, Post, Rules
from tables.wire.client_commands import ShowdownChoice
from tables.wire.table_events import LeaveReason, WaitReason


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """Pace of a table in ms (X-02): time for an action, and pauses to read results and streets.

    `disconnect_ms` is added once to a turn whose player has no connection at its end (X-03).
    """

    action_ms: int
    hand_pause_ms: int
    showdown_pause_ms: int
    street_pause_ms: int
    disconnect_ms: int = 0


class RosterSeat(msgspec.Struct, frozen=True, array_like=True):
    """A seat as PostgreSQL has it at a boundary; `newcomer` until its first hand is dealt.

    `bought` of its chips were bought since the last hand of the table (E-04, E-05, A-03);
    `showdown` is the choice its player made, at this table or an earlier one (S-01).
    A seat that is not `dealt` keeps its chips and is left out of the hand (H-07, X-03); `posts` are
    what a dealt seat pays before the deal beyond the blinds of its position (H-07, H-09).
    A seat that `sits_out` refused a forced bet: it is absent until its player comes back (S4).
    `action_ms` is the seat's own time for an action, 0 for that of the table. `session` is the ring
    session that pledges are bound to, where each hand has an entry of its own (R-03), else 0.
    """

    seat: int
    entry: int
    user: int
    name: str
    chips: int
    bank_ms: int
    absent: bool
    newcomer: bool
    bought: int = 0
    showdown: ShowdownChoice = "auto"
    dealt: bool = True
    posts: tuple[Post, ...] = ()
    sits_out: bool = False
    pledge: bytes = b""
    action_ms: int = 0
    session: int = 0


class Departure(msgspec.Struct, frozen=True, array_like=True):
    """An entry that leaves the roster: the reason, and the table it moves to, if any."""

    entry: int
    reason: LeaveReason
    to_table: int | None = None


class Grant(msgspec.Struct, frozen=True, tag="grant"):
    """Permission to deal hand number `hand` to the dealt seats of this roster, under these rules.

    With `draw_button` the table finds its first button: by cards, or `button_by_lot` (C-04).
    Without `newcomers_wait` the director has decided already who waits: all dealt seats get cards.
    With `positions` it has decided who posts, too. `frees_folded` asks for word of every fold.
    """

    hand: int
    rules: Rules
    level: int
    round: int
    timing: Timing
    roster: tuple[RosterSeat, ...]
    departures: tuple[Departure, ...] = ()
    draw_button: bool = False
    not_before_ms: int = 0
    button_by_lot: bool = False
    newcomers_wait: bool = True
    positions: Positions | None = None
    frees_folded: bool = False


class FoldedSeat(msgspec.Struct, frozen=True, array_like=True):
    """A dealt seat that has folded; `chips` are those it keeps unless the hand becomes void."""

    entry: int
    chips: int
    bank_ms: int
    absent: bool
    showdown: ShowdownChoice
    pledge: bytes = b""


class Wait(msgspec.Struct, frozen=True, tag="wait"):
    """No hand yet; the table asks again after `again_ms`, sooner when a bell rings.

    At most DIRECTOR_WAIT_MS, or STANDING_WAIT_MS where the whole game stands and rings at the end.
    With a `roster` players sit down and receive bought chips although no hand is granted.
    """

    reason: WaitReason
    again_ms: int = 1_000
    until_ms: int | None = None
    departures: tuple[Departure, ...] = ()
    roster: tuple[RosterSeat, ...] | None = None


class Close(msgspec.Struct, frozen=True, tag="close"):
    """The table is closed; its players leave as `departures` lists."""

    departures: tuple[Departure, ...] = ()


Answer = Grant | Wait | Close
"""Answer of a director between two hands."""
