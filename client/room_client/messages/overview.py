"""Rows of tournaments. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec

from room_client.messages.formats import (
    SpinOdds,
)
from room_client.messages.hands import (
    Stakes,
)
from room_client.messages.players import (
    PlayerRow,
)
from room_client.messages.tournaments import (
    Summary,
)


class Overview(msgspec.Struct, frozen=True):
    """A tournament at a glance; chips, cents, ms since the epoch; missing values are empty. A
    level ends at a time or after a number of hands of the table with the most hands (L-01).
    `stands_why` is the `reason` of the pause, or of the cancellation. `paying` is true while
    prizes of an ended tournament, refunds or shares are being paid, some at a time.
    """

    summary: Summary
    now_ms: int
    level: int | None
    stakes: Stakes | None
    next_stakes: Stakes | None
    level_ends_at_ms: int | None
    level_ends_in_hands: int | None
    break_at_ms: int | None
    break_until_ms: int | None
    play_ends_at_ms: int | None
    spin: SpinOdds | None
    round: int
    rounds: int
    clock_runs: bool
    stands_why: str
    chips: int
    average: int
    largest: int
    smallest: int
    places_paid: int
    next_prize: int
    hand_for_hand: bool
    final_table: bool
    tables_open: int
    me: PlayerRow | None
    paying: bool = False


class TableRow(msgspec.Struct, frozen=True):
    """An open table: players and their stacks in chips."""

    table: int
    number: int
    players: int
    smallest: int
    largest: int
    average: int
    hand: int
