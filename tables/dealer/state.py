"""State of a table as Redis holds it: seats, the hand in play, and what is due next."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tables.dealer import carried
from tables.dealer.grants import FoldedSeat, Timing
from tables.dealer.sealed import CalledHand, SealedHand
from tables.dealer.versions import marked, unmarked
from tables.engine.actions import Action
from tables.engine.events import HandEvent, Stakes
from tables.engine.state import HandSetup, HandState, Positions, Post, Rules
from tables.wire.client_commands import ShowdownChoice
from tables.wire.table_events import DeckOpened, RunOutBegan, WaitReason

Phase = Literal["boundary", "granted", "hand", "run_out", "finished", "closed"]
"""boundary: ask the director; granted: deal when due; hand: in play; run_out: decided, cards still
being shown; finished: not settled yet; closed: over."""

BEING_PLAYED: frozenset[Phase] = frozenset({"hand", "run_out"})
"""Phases of a hand without a published result."""

QueueKind = Literal["play", "settle", "tournament"]
"""Queue whose workers answer for a member when its wake is due."""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """Outcome of a command; without a code it took effect."""

    id: str
    ok: bool = False
    code: str | None = None
    message: str | None = None
    allowed: dict[str, Any] | None = None


class TableSeat(msgspec.Struct, frozen=True, array_like=True):
    """An occupied seat; `chips` at the last hand boundary, `bank_ms` left in the time bank.

    `showdown` is the player's choice for coming hands; no other player sees it. `dealt` and `posts`
    are those of the last grant; hands are dealt without a seat that is not `dealt`. `pledge` is the
    player's for the next call, b"" for none. `action_ms` is the seat's own time for an action, 0
    for that of the table. `session` is the one that pledges are bound to, 0 for the entry.
    """

    seat: int
    entry: int
    user: int
    name: str
    chips: int
    bank_ms: int
    absent: bool
    newcomer: bool
    results: tuple[Outcome, ...] = ()
    showdown: ShowdownChoice = "auto"
    dealt: bool = True
    posts: tuple[Post, ...] = ()
    pledge: bytes = b""
    action_ms: int = 0
    session: int = 0


class Turn(msgspec.Struct, frozen=True, array_like=True):
    """The decision being asked until `deadline_ms`; `on_bank` once the time bank runs.

    A turn is `disconnected` once the time for a lost connection was added to it (X-03).
    """

    seat: int
    turn: int
    asked_ms: int
    deadline_ms: int
    on_bank: bool = False
    disconnected: bool = False


class Beat(msgspec.Struct, frozen=True, array_like=True):
    """Events of a run-out that are published together, at `at_ms` on the room's clock."""

    at_ms: int
    events: tuple[HandEvent, ...]


class RunOut(msgspec.Struct, frozen=True, array_like=True):
    """A decided hand while it is shown: the published schedule, and the beats still to come.

    Once `kept` the hand is in PostgreSQL and survives the loss of this state.
    """

    told: RunOutBegan
    coming: tuple[Beat, ...]
    kept: bool = False


class Played(msgspec.Struct, frozen=True, array_like=True):
    """One action of the hand in order; a hand replays from its setup and its actions."""

    seat: int
    action: Action


MadeBy = Literal["player", "time_out", "disconnected", "absent"]
"""Origin of a decision: the player, or the room, by the clock, a lost connection or absence."""


class DecisionNote(msgspec.Struct, frozen=True, array_like=True):
    """Time of a decision in ms since the hand began, and its origin."""

    at_ms: int
    made_by: MadeBy = "player"


class TableState(msgspec.Struct, frozen=True, array_like=True):
    """Complete state of a table, all that a worker needs; `seq` is the last event number used.

    `next_seal` is the sealed deck of the hand after this one, `called` that of the hand granted
    last, which `is_placed` at the director's positions, or at the next ones. `notes` has one note
    for each of `actions`; a hand begun before notes were kept has none. `voided` is the hand that a
    rebuild ended, until one of another number begins; `opened` are the decks that a closed table
    told whole; `ending` are the published events of the step that decided the hand, as all see
    them. `seed` is that of a research room's game, from which all its decks follow. `course` is the
    last link over the public events of a called hand (`dealer/courses.py`).
    """

    table: int
    game: int
    number: int
    seats_max: int
    epoch: int
    seq: int
    phase: Phase
    due_ms: int
    hand_number: int
    seats: tuple[TableSeat, ...]
    level: int
    round: int
    stakes: Stakes
    rules: Rules | None = None
    timing: Timing | None = None
    positions: Positions | None = None
    draw_button: bool = False
    setup: HandSetup | None = None
    hand: HandState | None = None
    actions: tuple[Played, ...] = ()
    turn: Turn | None = None
    waiting: WaitReason | None = None
    began_ms: int = 0
    ended_ms: int = 0
    next_hand_ms: int = 0
    shift_ms: int = 0
    button_by_lot: bool = False
    run_out: RunOut | None = None
    released_ms: int = 0
    newcomers_wait: bool = True
    called: CalledHand | None = None
    next_seal: SealedHand | None = None
    notes: tuple[DecisionNote, ...] = ()
    is_placed: bool = False
    frees_folded: bool = False
    voided: int | None = None
    opened: tuple[DeckOpened, ...] = ()
    ending: tuple[HandEvent, ...] = ()
    seed: str = ""
    course: bytes = b""

    @property
    def has_next_deck(self) -> bool:
        """Return whether the next hand can be dealt: from a sealed deck, or from the seed."""
        return bool(self.seed) or self.is_next_sealed

    @property
    def is_next_sealed(self) -> bool:
        """Return whether the deck of the next hand is sealed in this epoch."""
        sealed = self.next_seal
        return sealed is not None and (sealed.epoch, sealed.hand) == (
            self.epoch,
            self.hand_number + 1,
        )

    @property
    def settled_hand(self) -> int:
        """Return the last hand that PostgreSQL surely has, as far as this state tells.

        Of a closed table, whose last hand may be void, one hand less.
        """
        # 1. A table at its boundary has settled its hand; before that it is one hand ahead.
        if self.phase != "boundary":
            return self.hand_number - 1
        # 2. Unless a table that was about to close took back a called hand that was not dealt.
        called = None if self.called is None else self.called.sealed.hand
        dealt = None if self.setup is None else self.setup.hand
        return self.hand_number - (called == self.hand_number != dealt)

    def folded(self) -> tuple[FoldedSeat, ...]:
        """Return the seats that have folded in the hand in play, with the chips they keep."""
        if self.hand is None or self.phase not in BEING_PLAYED:
            return ()
        return tuple(
            FoldedSeat(seat.entry, **(carried.copied(seat) | {"chips": player.stack}))
            for player in self.hand.seats
            for seat in [self.at(player.seat)]
            if player.folded
        )

    def seat_of(self, user: int) -> TableSeat | None:
        """Return the seat of a user, or None."""
        return next((seat for seat in self.seats if seat.user == user), None)

    def at(self, number: int) -> TableSeat:
        """Return the occupied seat with that number."""
        return next(seat for seat in self.seats if seat.seat == number)


def wake(state: TableState) -> tuple[int, QueueKind] | None:
    """Return when the table is due next, in ms, and its queue; None when it is closed."""
    if state.phase == "closed":
        return None
    if state.phase == "hand":
        assert state.turn is not None
        return state.turn.deadline_ms, "play"
    return state.due_ms, "play" if state.phase in ("granted", "run_out") else "settle"


def awaited(state: TableState) -> tuple[int, ...]:
    """Return the users whose seeds a granted hand waits for."""
    if state.phase != "granted" or state.called is None:
        return ()
    waiting = state.called.awaited_seats()
    return tuple(seat.user for seat in state.seats if seat.seat in waiting)


def users(state: TableState) -> dict[int, int]:
    """Entries of the seated users, by user id."""
    return {seat.user: seat.entry for seat in state.seats}


VERSION = 1
"""Version of stored states; raised with a change that an older release would misread."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(TableState).decode


def encode(state: TableState) -> bytes:
    """Encode a table state as bytes for Redis, with its version."""
    return marked(VERSION, _encode(state))


def decode(raw: bytes) -> TableState:
    """Decode a table state; raises msgspec.DecodeError, UnknownVersion for a newer version."""
    return _decode(unmarked(raw, VERSION))
