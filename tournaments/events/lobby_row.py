"""Row of a tournament in the lobby, and the event with a new one on the stream `lobby`."""

from __future__ import annotations

import msgspec

from tables.engine.events import Event


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Row of a tournament in the lobby; money in cents, `starts_at_ms` since the epoch.

    `starts_at_ms` is the planned start, after the start the actual one. `late` is set during late
    registration (E-01), `full` when all places are taken, `rebuys` during the re-buy period (E-04).
    A player may have `entries_max` entries, `several` at once or one after another (E-02, E-03).
    With `cash_value` a chip is worth a cent (A-04). `bets` are the bets of the first level in split
    limit, minimum and maximum in spread limit; else null (B-03, B-04). A tournament of a `club` is
    watched and entered by everybody, its members, or invited players.
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
    club_name: str = ""
    watched_by: str = "everybody"
    entered_by: str = "everybody"


class TournamentChanged(Event, frozen=True, tag="tournament_summary"):
    """New complete lobby row of a tournament; at most one a second per tournament."""

    summary: Summary
