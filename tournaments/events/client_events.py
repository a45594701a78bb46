"""What is told about tournaments on the streams `tournament:<id>`, `user:<id>` and `lobby`."""

from __future__ import annotations

import msgspec

from tables.engine.events import Event, Stakes
from tournaments.events.buying import (
    AddOnOpened,
    ChipsSold,
    EntriesClosed,
    EntriesMerged,
    OfferEnded,
    OfferMade,
    PoolFixed,
    RebuysClosed,
)
from tournaments.events.formats import (
    DealEvent,
    DealsOpen,
    DealVote,
    Finished,
    RoundBegan,
    SpinDrawn,
    TimeUp,
    TournamentOver,
)
from tournaments.events.prizes import (
    BountyNotice,
    BountyWon,
    HeadChanged,
    TicketClosed,
    TicketIssued,
)
from tournaments.events.rulings import (
    Disqualified,
    NamedPrize,
    RoomMessage,
    RoomSays,
    TournamentPaused,
    TournamentResumed,
)


class PlayerRegistered(Event, frozen=True, tag="player_registered"):
    """An entry came in; `entrants` counts all that are in now."""

    entry: int
    user: int
    name: str
    entrants: int


class PlayerUnregistered(Event, frozen=True, tag="player_unregistered"):
    """An entry was taken back before the start (T-06)."""

    entry: int
    user: int
    name: str
    entrants: int


class Opened(Event, frozen=True, tag="opened"):
    """Registration is open."""


class Started(Event, frozen=True, tag="started"):
    """Play begins: seats are drawn; pool and prizes in cents by place, first place first.

    They are those of the field now, and certain only where nothing is sold after the start.
    """

    entrants: int
    tables: int
    pool: int
    prizes: tuple[int, ...]
    at_ms: int


class LevelBegan(Event, frozen=True, tag="level_began"):
    """Each table plays level `level` (from 1) from its next hand on (L-04).

    Of `ends_at_ms` and `ends_in_hands` the one that the level lasts by is set; in the last
    level neither is.
    """

    level: int
    stakes: Stakes
    ends_at_ms: int | None
    ends_in_hands: int | None
    break_at_ms: int | None
    next_stakes: Stakes | None


class HandsLeft(Event, frozen=True, tag="hands_left"):
    """A level by hands ends after `hands` more of the table that has played most (L-01)."""

    hands: int


class BreakBegan(Event, frozen=True, tag="break_began"):
    """Tables stop after their hand until `until_ms` (L-05)."""

    until_ms: int
    next_stakes: Stakes | None


class Paused(Event, frozen=True, tag="paused"):
    """Tables stop after their hand; the clock stands still (L-05).

    `reason` is what the operator wrote, or `frozen` for a fault of the room (T-13).
    """

    reason: str


class Resumed(Event, frozen=True, tag="resumed"):
    """All tables go on together, and so does the clock: after a pause, a fault or an outage."""


class PlayerOut(Event, frozen=True, tag="player_out"):
    """An entry lost its last chip; `place` is empty while others may still share its round."""

    entry: int
    user: int
    name: str
    left: int
    place: int | None
    prize: int


class PlayerPlaced(Event, frozen=True, tag="player_placed"):
    """An entry has its place, and its prize in cents was paid (T-07, Z-04)."""

    entry: int
    user: int
    name: str
    place: int
    prize: int


class TableOpened(Event, frozen=True, tag="table_opened"):
    """A table came into play."""

    table: int
    number: int


class TableClosed(Event, frozen=True, tag="table_closed"):
    """A table is not needed any more; its players sit elsewhere (T-08)."""

    table: int
    number: int


class Moved(Event, frozen=True, tag="moved"):
    """An entry moves between hands (T-08)."""

    entry: int
    user: int
    name: str
    from_table: int
    to_table: int
    to_seat: int


class HandForHandBegan(Event, frozen=True, tag="hand_for_hand_began"):
    """All tables start each hand together; the clock is charged per hand (T-09)."""

    left: int
    places_paid: int


class HandForHandEnded(Event, frozen=True, tag="hand_for_hand_ended"):
    """Tables play at their own pace again."""


class FinalTable(Event, frozen=True, tag="final_table"):
    """Everybody left sits at one table, freshly drawn (T-08)."""

    table: int
    left: int


class Cancelled(Event, frozen=True, tag="cancelled"):
    """The tournament does not take place or ends here; everybody has their money back.

    `reason` is what the operator wrote; the room itself cancels for `too few players`, or when it
    was `not opened` in time.
    """

    reason: str


TournamentEvent = (
    PlayerRegistered
    | PlayerUnregistered
    | Opened
    | Started
    | LevelBegan
    | HandsLeft
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
    | TableClosed
    | Moved
    | HandForHandBegan
    | HandForHandEnded
    | FinalTable
    | SpinDrawn
    | TimeUp
    | DealEvent
    | RoundBegan
    | Finished
    | Cancelled
)
"""Everything on the stream `tournament:<id>`."""


class Registered(Event, frozen=True, tag="registered"):
    """You are in; `paid` in cents. `starts_at_ms` since the epoch, where a start is to come."""

    tournament: int
    name: str
    entry: int
    paid: int
    starts_at_ms: int | None


class Unregistered(Event, frozen=True, tag="unregistered"):
    """You took an entry back; `refund` in cents, `left` is how many you still have (T-06)."""

    tournament: int
    name: str
    refund: int
    left: int


class Seated(Event, frozen=True, tag="seated"):
    """Your seat was drawn: go to the table."""

    tournament: int
    name: str
    table: int
    number: int
    seat: int


class SeatChanged(Event, frozen=True, tag="moved"):
    """You play on at another table (T-08)."""

    tournament: int
    name: str
    from_table: int
    to_table: int
    number: int
    seat: int


class KnockedOut(Event, frozen=True, tag="knocked_out"):
    """You lost your last chip; the place is empty until it is certain."""

    tournament: int
    name: str
    place: int | None
    prize: int


class PrizeWon(Event, frozen=True, tag="prize"):
    """You were paid `prize` cents for `place`, of that `ticket` as a ticket (K-07)."""

    tournament: int
    name: str
    place: int
    prize: int
    ticket: int = 0


class TournamentCancelled(Event, frozen=True, tag="tournament_cancelled"):
    """Your tournament was cancelled; `refund` cents are back in your account.

    What a ticket paid is back as that ticket, worth `ticket` cents (K-05).
    """

    tournament: int
    name: str
    refund: int
    reason: str
    ticket: int = 0


Notice = (
    Registered
    | Unregistered
    | Seated
    | SeatChanged
    | KnockedOut
    | PrizeWon
    | OfferMade
    | OfferEnded
    | TournamentOver
    | DealsOpen
    | DealVote
    | BountyNotice
    | TicketIssued
    | TicketClosed
    | Disqualified
    | NamedPrize
    | RoomSays
    | TournamentPaused
    | TournamentResumed
    | TournamentCancelled
)
"""Everything on the stream `user:<id>`."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as the lobby lists it; money in cents, `starts_at_ms` since the epoch.

    `starts_at_ms` is the planned start, from the start on the moment at which play began.
    `late` while late registration lasts (E-01), `full` when all places are taken, `rebuys` while
    they are sold (E-04). A player may have `entries_max` entries, `several` at once or one after
    the other (E-02, E-03). With `cash_value` a chip is a cent (A-04). `bets` are those of the
    first level in split limit, least and most of spread limit; else null (B-03, B-04).
    """

    tournament: int
    name: str
    format: str
    start: str
    variant: str
    limit: str
    bets: tuple[int, int] | None
    state: str
    shown: str
    buy_in: int
    bounty: int
    fee: int
    pool: int
    guarantee: int
    starting_stack: int
    seats_per_table: int
    players_min: int
    players_max: int
    entrants: int
    left: int
    private: bool
    starts_at_ms: int | None
    methods: str
    activity: str
    structure: str
    speed_ms: int
    level: int
    late: bool
    full: bool
    entries_max: int
    several: bool
    rebuys: bool
    cash_value: bool


class TournamentChanged(Event, frozen=True, tag="tournament_summary"):
    """The row of a tournament in the lobby, whole; at most one a second each."""

    summary: Summary
