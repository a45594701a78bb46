"""Messages that the room sends, and its tables. Written by `manage.py protocol_docs`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from room_client.messages.hands import (
    BetMade,
    BetsCollected,
    Called,
    CardsShown,
    Checked,
    Folded,
    HandBegan,
    HandEnded,
    HandsRevealed,
    HoleCardsDealt,
    Mucked,
    Posted,
    Pot,
    PotAwarded,
    Raised,
    RakeTaken,
    Stakes,
    StreetDealt,
    UncalledReturned,
)
from room_client.messages.options import (
    Option,
)
from room_client.messages.tables import (
    CutCalled,
    DeckOpened,
    StreetTime,
)


class Welcome(msgspec.Struct, frozen=True, tag_field="type", tag="welcome"):
    """First message on a socket; `now_ms` is the room's clock, in which all deadlines are given.
    `room` is the room's id in pledges, in hexadecimal digits.
    """

    protocol: int
    now_ms: int
    user: int | None = None
    name: str | None = None
    room: str = ''


class Snapshot(msgspec.Struct, frozen=True, tag_field="type", tag="snapshot"):
    """State of a stream at event `id`; it replaces everything the client knew of that stream."""

    stream: str
    id: str
    state: msgspec.Raw


class Events(msgspec.Struct, frozen=True, tag_field="type", tag="events"):
    """Next events of a stream in order, each with its `id`; an empty list: none was missed."""

    stream: str
    events: list[msgspec.Raw]


class Result(msgspec.Struct, frozen=True, tag_field="type", tag="result"):
    """Confirmation that the command `id` took effect."""

    id: str
    ok: bool = True


class Refused(msgspec.Struct, frozen=True, tag_field="type", tag="refused", omit_defaults=True):
    """Refusal of a message, which changed nothing: the reason, and the values that are allowed.
    `id` names the command, `stream` the subscription that was refused or ended.
    """

    code: str
    message: str
    id: str | None = None
    stream: str | None = None
    allowed: dict[str, Any] | None = None


class Pong(msgspec.Struct, frozen=True, tag_field="type", tag="pong"):
    """The server's clock `now_ms`, with `sent_ms` of the ping that it answers."""

    sent_ms: int
    now_ms: int


class StackRank(msgspec.Struct, frozen=True, tag_field="type", tag="rank"):
    """Rank of a stack of so many chips, 1 the largest, and the average stack of the field. The
    field is the one of a moment ago, without the stack that the asker had in it; equal stacks
    have one rank.
    """

    stream: str
    chips: int
    rank: int
    average: int


class TakenOver(msgspec.Struct, frozen=True, tag_field="type", tag="taken_over"):
    """Another socket of the same player plays this table now; this socket only watches it."""

    stream: str


class Disconnected(msgspec.Struct, frozen=True, tag_field="type", tag="disconnected"):
    """All entries seated at a table without an open connection; every message lists them all."""

    stream: str
    entries: tuple[int, ...]


class Bye(msgspec.Struct, frozen=True, tag_field="type", tag="bye"):
    """Last message before the server closes the socket; `code` and `message` give the reason."""

    code: str
    message: str


class TableSnapshot(msgspec.Struct, frozen=True):
    """A table as the viewer may see it at one event id; equals the fold of the viewer's events.
    `log` holds the events of the last hand begun as the viewer received them, so that a page
    opened in the middle of a hand can show its course. Cards shown after the hand appear as one
    event for each seat. `seal` is that of the deck sealed last, None before a table's first
    hand; `cutting` is the call that players may answer now. `voided` is the hand that a fault
    ended: all chips are as before it; the hand that is dealt in its place, under its number,
    still has it. A closed table has the decks that it `opened`.
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
    board: tuple[str, ...] = ()
    pots: tuple[Pot, ...] = ()
    turn: TurnSnapshot | None = None
    waiting: Literal['balancing', 'break', 'deal', 'final_table', 'hand_for_hand', 'next_round', 'paused', 'players', 'rebuy', 'settling', 'starting', 'time_up'] | None = None
    closed: bool = False
    number: int = 0
    variant: str | None = None
    limit: str | None = None
    log: tuple[HandBegan | Posted | HoleCardsDealt | Folded | Checked | Called | BetMade | Raised | UncalledReturned | BetsCollected | RakeTaken | HandsRevealed | StreetDealt | CardsShown | Mucked | PotAwarded | HandEnded, ...] = ()
    run_out: RunOutSnapshot | None = None
    seal: str | None = None
    cutting: CutCalled | None = None
    voided: int | None = None
    opened: tuple[DeckOpened, ...] = ()


class SeatSnapshot(msgspec.Struct, frozen=True):
    """One seat as the viewer may see it, amounts in chips; "??" is a hidden card. A seat that is
    not `dealt` waits or is away: hands are dealt without it. In a rapid pool, where each hand
    has an entry of its own, pledges are bound to the `session`.
    """

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
    cards: tuple[str, ...] = ()
    bank_ms: int = 0
    dealt: bool = True
    session: int | None = None


class TurnSnapshot(msgspec.Struct, frozen=True):
    """The turn being asked, with its deadline (room's clock, ms); `on_bank` once the bank runs. It
    is `disconnected` once the time for a lost connection runs (X-03).
    """

    seat: int
    turn: int
    deadline_ms: int
    option: Option
    on_bank: bool = False
    disconnected: bool = False


class RunOutSnapshot(msgspec.Struct, frozen=True):
    """Schedule of a decided hand whose cards are still being shown, as sent in `run_out_began`."""

    hand: int
    streets: tuple[StreetTime, ...]
    released_at_ms: int
