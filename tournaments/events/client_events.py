"""Events of a tournament on its stream `tournament:<id>`."""

from __future__ import annotations

from tables.engine.events import Event, Stakes
from tournaments.events.buying import (
    AddOnOpened,
    ChipsSold,
    EntriesClosed,
    EntriesMerged,
    PoolFixed,
    RebuysClosed,
)
from tournaments.events.formats import (
    DealEvent,
    Finished,
    PlayTimeUp,
    RoundBegan,
    SpinDrawn,
)
from tournaments.events.prizes import (
    BountyWon,
    HeadChanged,
)
from tournaments.events.rulings import (
    RoomMessage,
)


class PlayerRegistered(Event, frozen=True, tag="player_registered"):
    """Registration of an entry; `entrants` counts all entries now."""

    entry: int
    user: int
    name: str
    entrants: int


class PlayerUnregistered(Event, frozen=True, tag="player_unregistered"):
    """Withdrawal of an entry before the start (T-06)."""

    entry: int
    user: int
    name: str
    entrants: int


class Opened(Event, frozen=True, tag="opened"):
    """Start of registration."""


class Started(Event, frozen=True, tag="started"):
    """Start of play after the seat draw; pool and prizes in cents, first place first.

    Pool and prizes are those of the field now, and final only if nothing is sold after the start.
    """

    entrants: int
    tables: int
    pool: int
    prizes: tuple[int, ...]
    at_ms: int


class LevelBegan(Event, frozen=True, tag="level_began"):
    """Start of level `level` (from 1), which each table plays from its next hand on (L-04).

    A level lasts until `ends_at_ms` or `ends_in_hands`, the other is null; both are in the last
    level.
    """

    level: int
    stakes: Stakes
    ends_at_ms: int | None
    ends_in_hands: int | None
    break_at_ms: int | None
    next_stakes: Stakes | None


class HandsLeft(Event, frozen=True, tag="hands_left"):
    """Hands left of a level by hands, counted at the table that has played most (L-01)."""

    hands: int


class LevelProlonged(Event, frozen=True, tag="level_prolonged"):
    """More time for the level or break in play: it lasts until `ends_at_ms` (L-05)."""

    ends_at_ms: int


class BreakBegan(Event, frozen=True, tag="break_began"):
    """Start of a break until `until_ms`; tables stop after their hand (L-05)."""

    until_ms: int
    next_stakes: Stakes | None


class Paused(Event, frozen=True, tag="paused"):
    """Stop of the clock, and of each table after its hand (L-05).

    `reason` is the operator's text, or `frozen` for a fault of the room (T-13).
    """

    reason: str


class Resumed(Event, frozen=True, tag="resumed"):
    """Restart of all tables and the clock after a pause, a fault or an outage."""


class PlayerOut(Event, frozen=True, tag="player_out"):
    """End of an entry's play.

    `place` is null while others may still share its round of hand-for-hand, and while entries or
    re-buys are sold (E-07).
    """

    entry: int
    user: int
    name: str
    left: int
    place: int | None
    prize: int


class PlayerPlaced(Event, frozen=True, tag="player_placed"):
    """Final place of an entry that went out without one, with its prize in cents (T-07, Z-04).

    It follows each round of hand-for-hand; after the end of sales it names the places that win
    something. The results have all places, also of those left in play at the end.
    """

    entry: int
    user: int
    name: str
    place: int
    prize: int


class TableOpened(Event, frozen=True, tag="table_opened"):
    """Opening of a table."""

    table: int
    number: int


class TournamentTableClosed(Event, frozen=True, tag="table_closed"):
    """Closing of a table; its players have other seats (T-08)."""

    table: int
    number: int


class Moved(Event, frozen=True, tag="moved"):
    """Move of an entry to another table between hands (T-08)."""

    entry: int
    user: int
    name: str
    from_table: int
    to_table: int
    to_seat: int


class HandForHandBegan(Event, frozen=True, tag="hand_for_hand_began"):
    """Start of hand-for-hand: tables start each hand together, the clock runs per hand (T-09)."""

    left: int
    places_paid: int


class HandForHandEnded(Event, frozen=True, tag="hand_for_hand_ended"):
    """End of hand-for-hand."""


class FinalTable(Event, frozen=True, tag="final_table"):
    """Draw of all entries left to one table (T-08)."""

    table: int
    left: int


class Cancelled(Event, frozen=True, tag="cancelled"):
    """Cancellation of the tournament before or during play.

    Entries are refunded, or those left share what is unpaid (T-12). `reason` is the operator's
    text, or `too few players` or `not opened` when the room cancels by itself.
    """

    reason: str


TournamentEvent = (
    PlayerRegistered
    | PlayerUnregistered
    | Opened
    | Started
    | LevelBegan
    | HandsLeft
    | LevelProlonged
    | BreakBegan
    | EntriesClosed
    | RebuysClosed
    | AddOnOpened
    | ChipsSold
    | EntriesMerged
    | PoolFixed
    | Paused
    | Resumed
    | RoomMessage
    | PlayerOut
    | PlayerPlaced
    | BountyWon
    | HeadChanged
    | TableOpened
    | TournamentTableClosed
    | Moved
    | HandForHandBegan
    | HandForHandEnded
    | FinalTable
    | SpinDrawn
    | PlayTimeUp
    | DealEvent
    | RoundBegan
    | Finished
    | Cancelled
)
"""All events on the stream `tournament:<id>`."""
