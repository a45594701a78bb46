"""Events of tournaments. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec

from room_client.messages.hands import (
    Stakes,
)


class PlayerRegistered(msgspec.Struct, frozen=True, tag_field="type", tag="player_registered"):
    """Registration of an entry; `entrants` counts all entries now."""

    entry: int
    user: int
    name: str
    entrants: int


class PlayerUnregistered(msgspec.Struct, frozen=True, tag_field="type", tag="player_unregistered"):
    """Withdrawal of an entry before the start (T-06)."""

    entry: int
    user: int
    name: str
    entrants: int


class Opened(msgspec.Struct, frozen=True, tag_field="type", tag="opened"):
    """Start of registration."""


class Started(msgspec.Struct, frozen=True, tag_field="type", tag="started"):
    """Start of play after the seat draw; pool and prizes in cents, first place first. Pool and
    prizes are those of the field now, and final only if nothing is sold after the start.
    """

    entrants: int
    tables: int
    pool: int
    prizes: tuple[int, ...]
    at_ms: int


class LevelBegan(msgspec.Struct, frozen=True, tag_field="type", tag="level_began"):
    """Start of level `level` (from 1), which each table plays from its next hand on (L-04). A
    level lasts until `ends_at_ms` or `ends_in_hands`, the other is null; both are in the last
    level.
    """

    level: int
    stakes: Stakes
    ends_at_ms: int | None
    ends_in_hands: int | None
    break_at_ms: int | None
    next_stakes: Stakes | None


class HandsLeft(msgspec.Struct, frozen=True, tag_field="type", tag="hands_left"):
    """Hands left of a level by hands, counted at the table that has played most (L-01)."""

    hands: int


class LevelProlonged(msgspec.Struct, frozen=True, tag_field="type", tag="level_prolonged"):
    """More time for the level or break in play: it lasts until `ends_at_ms` (L-05)."""

    ends_at_ms: int


class BreakBegan(msgspec.Struct, frozen=True, tag_field="type", tag="break_began"):
    """Start of a break until `until_ms`; tables stop after their hand (L-05)."""

    until_ms: int
    next_stakes: Stakes | None


class Paused(msgspec.Struct, frozen=True, tag_field="type", tag="paused"):
    """Stop of the clock, and of each table after its hand (L-05). `reason` is the operator's text,
    or `frozen` for a fault of the room (T-13).
    """

    reason: str


class Resumed(msgspec.Struct, frozen=True, tag_field="type", tag="resumed"):
    """Restart of all tables and the clock after a pause, a fault or an outage."""


class PlayerOut(msgspec.Struct, frozen=True, tag_field="type", tag="player_out"):
    """End of an entry's play. `place` is null while others may still share its round of hand-for-
    hand, and while entries or re-buys are sold (E-07).
    """

    entry: int
    user: int
    name: str
    left: int
    place: int | None
    prize: int


class PlayerPlaced(msgspec.Struct, frozen=True, tag_field="type", tag="player_placed"):
    """Final place of an entry that went out without one, with its prize in cents (T-07, Z-04). It
    follows each round of hand-for-hand; after the end of sales it names the places that win
    something. The results have all places, also of those left in play at the end.
    """

    entry: int
    user: int
    name: str
    place: int
    prize: int


class TableOpened(msgspec.Struct, frozen=True, tag_field="type", tag="table_opened"):
    """Opening of a table."""

    table: int
    number: int


class TournamentTableClosed(msgspec.Struct, frozen=True, tag_field="type", tag="table_closed"):
    """Closing of a table; its players have other seats (T-08)."""

    table: int
    number: int


class Moved(msgspec.Struct, frozen=True, tag_field="type", tag="moved"):
    """Move of an entry to another table between hands (T-08)."""

    entry: int
    user: int
    name: str
    from_table: int
    to_table: int
    to_seat: int


class HandForHandBegan(msgspec.Struct, frozen=True, tag_field="type", tag="hand_for_hand_began"):
    """Start of hand-for-hand: tables start each hand together, the clock runs per hand (T-09)."""

    left: int
    places_paid: int


class HandForHandEnded(msgspec.Struct, frozen=True, tag_field="type", tag="hand_for_hand_ended"):
    """End of hand-for-hand."""


class FinalTable(msgspec.Struct, frozen=True, tag_field="type", tag="final_table"):
    """Draw of all entries left to one table (T-08)."""

    table: int
    left: int


class Cancelled(msgspec.Struct, frozen=True, tag_field="type", tag="cancelled"):
    """Cancellation of the tournament before or during play. Entries are refunded, or those left
    share what is unpaid (T-12). `reason` is the operator's text, or `too few players` or `not
    opened` when the room cancels by itself.
    """

    reason: str


class TournamentChanged(msgspec.Struct, frozen=True, tag_field="type", tag="tournament_summary"):
    """New complete lobby row of a tournament; at most one a second per tournament."""

    summary: Summary


class Invited(msgspec.Struct, frozen=True, tag_field="type", tag="invited"):
    """Invitation to a tournament of a club, by one of its managers."""

    tournament: int
    name: str
    club: str


class Registered(msgspec.Struct, frozen=True, tag_field="type", tag="registered"):
    """Your registration; `paid` in cents, of which `ticket` by a ticket (K-01). `starts_at_ms`
    since the epoch is that of a coming start.
    """

    tournament: int
    name: str
    entry: int
    paid: int
    starts_at_ms: int | None
    ticket: int = 0


class Unregistered(msgspec.Struct, frozen=True, tag_field="type", tag="unregistered"):
    """Withdrawal of your entry; `refund` in cents, `left` counts your remaining entries (T-06). A
    ticket used for the entry is returned, worth `ticket` cents (K-05). `reason` is that of the
    organiser who took you out; empty where you did it yourself.
    """

    tournament: int
    name: str
    refund: int
    left: int
    ticket: int = 0
    reason: str = ''


class Seated(msgspec.Struct, frozen=True, tag_field="type", tag="seated"):
    """Your drawn seat."""

    tournament: int
    name: str
    table: int
    number: int
    seat: int


class SeatChanged(msgspec.Struct, frozen=True, tag_field="type", tag="moved"):
    """Your new seat at another table (T-08)."""

    tournament: int
    name: str
    from_table: int
    to_table: int
    number: int
    seat: int


class KnockedOut(msgspec.Struct, frozen=True, tag_field="type", tag="knocked_out"):
    """End of your play; the place is null until it is final."""

    tournament: int
    name: str
    place: int | None
    prize: int


class PrizeWon(msgspec.Struct, frozen=True, tag_field="type", tag="prize"):
    """Payment of your `prize` in cents for `place`, of which `ticket` as a ticket (K-07)."""

    tournament: int
    name: str
    place: int
    prize: int
    ticket: int = 0


class TournamentCancelled(msgspec.Struct, frozen=True, tag_field="type", tag="tournament_cancelled"):
    """Cancellation of your tournament; `refund` cents were credited to your account. A ticket used
    for the entry is returned, worth `ticket` cents (K-05).
    """

    tournament: int
    name: str
    refund: int
    reason: str
    ticket: int = 0


class Summary(msgspec.Struct, frozen=True):
    """Row of a tournament in the lobby; money in cents, `starts_at_ms` since the epoch.
    `starts_at_ms` is the planned start, after the start the actual one. `late` is set during
    late registration (E-01), `full` when all places are taken, `rebuys` during the re-buy
    period (E-04). A player may have `entries_max` entries, `several` at once or one after
    another (E-02, E-03). With `cash_value` a chip is worth a cent (A-04). `bets` are the bets
    of the first level in split limit, minimum and maximum in spread limit; else null (B-03,
    B-04). A tournament of a `club` is watched and entered by everybody, its members, or invited
    players.
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
    club: int | None = None
    club_name: str = ''
    watched_by: str = 'everybody'
    entered_by: str = 'everybody'
