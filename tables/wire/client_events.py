"""Every message the server sends to a client, one struct each."""

from __future__ import annotations

from typing import Any

import msgspec

from tables.engine.actions import Option
from tables.engine.events import Card, HandEvent, Pot, Stakes
from tables.wire.table_events import StreetTime, WaitReason


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of all server messages."""


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """First message on a socket; `now_ms` is the clock that deadlines are told in."""

    protocol: int
    now_ms: int
    user: int | None = None
    name: str | None = None


class Snapshot(ServerMessage, frozen=True, tag="snapshot"):
    """A stream's state at an event id; it replaces all that is known of that stream."""

    stream: str
    id: str
    state: msgspec.Raw


class Events(ServerMessage, frozen=True, tag="events"):
    """What happened next on a stream, each event with its `id`, in order; empty: nothing missed."""

    stream: str
    events: list[msgspec.Raw]


class Result(ServerMessage, frozen=True, tag="result"):
    """The command took effect."""

    id: str
    ok: bool = True


class Refused(ServerMessage, frozen=True, tag="refused", omit_defaults=True):
    """The message changed nothing: what was wrong, and what is allowed.

    `id` names the command, `stream` the subscription that was refused or ended.
    """

    code: str
    message: str
    id: str | None = None
    stream: str | None = None
    allowed: dict[str, Any] | None = None


class Pong(ServerMessage, frozen=True, tag="pong"):
    """The server's clock."""

    sent_ms: int
    now_ms: int


class TakenOver(ServerMessage, frozen=True, tag="taken_over"):
    """Another socket of the same player plays this table now; this one only watches it."""

    stream: str


class Disconnected(ServerMessage, frozen=True, tag="disconnected"):
    """The entries seated at a table whose players have it open nowhere, all of them each time."""

    stream: str
    entries: tuple[int, ...]


class Bye(ServerMessage, frozen=True, tag="bye"):
    """The server closes the socket, and why."""

    code: str
    message: str


class SeatSnapshot(msgspec.Struct, frozen=True):
    """One seat as a viewer may see it; chips; cards are "??" unless the viewer may see them."""

    seat: int
    entry: int
    user: int
    name: str
    chips: int
    bet: int = 0
    absent: bool = False
    in_hand: bool = False
    folded: bool = False
    all_in: bool = False
    cards: tuple[Card, ...] = ()
    bank_ms: int = 0


class TurnSnapshot(msgspec.Struct, frozen=True):
    """The turn that is being asked."""

    seat: int
    turn: int
    deadline_ms: int
    option: Option
    on_bank: bool = False


class RunOutSnapshot(msgspec.Struct, frozen=True):
    """A decided hand whose cards are still being shown: the schedule as `run_out_began` told it."""

    hand: int
    streets: tuple[StreetTime, ...]
    released_at_ms: int


class TableSnapshot(msgspec.Struct, frozen=True):
    """A table as a viewer may see it at one event id; equals the fold of the viewer's events.

    `log` holds the events of the last hand begun, as the viewer was told them, so that a page that
    comes mid-hand shows its course. Of cards shown after the hand it has one event for each seat.
    """

    table: int
    game: int
    epoch: int
    hand: int
    seats_max: int
    seats: tuple[SeatSnapshot, ...]
    level: int
    stakes: Stakes
    button: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    street: str | None = None
    board: tuple[Card, ...] = ()
    pots: tuple[Pot, ...] = ()
    turn: TurnSnapshot | None = None
    waiting: WaitReason | None = None
    closed: bool = False
    number: int = 0
    variant: str | None = None
    limit: str | None = None
    log: tuple[HandEvent, ...] = ()
    run_out: RunOutSnapshot | None = None
