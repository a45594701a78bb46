"""Events of a table around its hands, one struct per event of the table stream."""

from __future__ import annotations

from typing import Literal

import msgspec

from tables.engine.actions import Option
from tables.engine.events import Card, Event, HandEvent, Stakes, Street

WaitReason = Literal[
    "players",
    "balancing",
    "hand_for_hand",
    "paused",
    "break",
    "final_table",
    "rebuy",
    "settling",
    "starting",
    "time_up",
    "deal",
    "next_round",
]
LeaveReason = Literal["moved", "knocked_out", "closed", "disqualified", "left"]


class TurnBegan(Event, frozen=True, tag="turn_began"):
    """A seat is asked to act until `deadline_ms` (room's clock); commands name `turn` (X-02)."""

    hand: int
    seat: int
    turn: int
    deadline_ms: int
    bank_ms: int
    option: Option


class TimeBankStarted(Event, frozen=True, tag="time_bank_started"):
    """The seat to act runs on its time bank until `deadline_ms` (X-02)."""

    seat: int
    turn: int
    deadline_ms: int


class TimeBankCharged(Event, frozen=True, tag="time_bank_charged"):
    """A seat used part of its time bank; `bank_ms` is the time left in it, in ms (X-02)."""

    seat: int
    bank_ms: int


class DisconnectTimeStarted(Event, frozen=True, tag="disconnect_time_started"):
    """The player to act has no connection and gets time until `deadline_ms`, once a turn (X-03)."""

    seat: int
    turn: int
    deadline_ms: int


class TimedOut(Event, frozen=True, tag="timed_out"):
    """The seat's clock ran out; the forced check, fold or bring-in follows as its action (X-02)."""

    seat: int
    turn: int


class StreetTime(msgspec.Struct, frozen=True):
    """Time at which a street of a run-out is shown, in ms on the room's clock."""

    street: Street
    at_ms: int


class RunOutBegan(Event, frozen=True, tag="run_out_began"):
    """Betting is over: the time of each street still to come, and of the result (S-04).

    Each event of the run-out is sent at its time, never before; the result comes at
    `released_at_ms`.
    """

    hand: int
    streets: tuple[StreetTime, ...]
    released_at_ms: int


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """An entry sat down.

    In a rapid pool, where each hand has an entry of its own, pledges are bound to the `session`.
    """

    seat: int
    entry: int
    user: int
    name: str
    chips: int
    bank_ms: int = 0
    absent: bool = False
    session: int | None = None


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """An entry left its seat; `to_table` is the table it moves to, if any."""

    seat: int
    entry: int
    reason: LeaveReason
    to_table: int | None = None


class ChipsBought(Event, frozen=True, tag="chips_bought"):
    """A seat bought `chips` between two hands and has `total` chips now (E-04, E-05)."""

    seat: int
    chips: int
    total: int


class SatOut(Event, frozen=True, tag="sat_out"):
    """A seat sits out: dealt in, folded at its turn (X-01)."""

    seat: int


class CameBack(Event, frozen=True, tag="came_back"):
    """A seat that sat out plays again (X-01)."""

    seat: int


class DealtOut(Event, frozen=True, tag="dealt_out"):
    """Hands are dealt without this seat until `dealt_in`: its player waits or is away (X-03)."""

    seat: int


class DealtIn(Event, frozen=True, tag="dealt_in"):
    """A seat that hands were dealt without is dealt in again (X-03)."""

    seat: int


class ButtonDrawn(Event, frozen=True, tag="button_drawn"):
    """Each seat drew a card and the highest got the button; no cards if drawn by lot (C-04)."""

    cards: tuple[tuple[int, Card], ...]
    button: int


class TableLevelBegan(Event, frozen=True, tag="level_began"):
    """The next hand of this table plays level `level`, counted from 1 (L-04)."""

    level: int
    stakes: Stakes


class CutCalled(Event, frozen=True, tag="cut_called"):
    """The deck of the coming hand is sealed, and the `seats` with a pledge may cut it now.

    `seal` is the hash of all envelopes, `call` fixes the seats of the hand and their pledges for
    it, `signature` is the room's under the call, all in hexadecimal digits. Cards are dealt at
    `deal_ms`, and at most until `until_ms` later while a seed is awaited.
    """

    hand: int
    seal: str
    call: str
    signature: str
    seats: tuple[int, ...] = ()
    deal_ms: int = 0
    until_ms: int = 0


class DeckCut(Event, frozen=True, tag="deck_cut"):
    """The sealed deck was cut, just before its cards are dealt: seat, state and text of each seat.

    State 2 opened its seed in time, and the text is that seed; state 1 did not, and the text is
    its pledge; state 0 had no pledge.
    """

    hand: int
    cuts: tuple[tuple[int, int, str], ...]


class TableWaiting(Event, frozen=True, tag="table_waiting"):
    """No hand is dealt for the given reason; `until_ms` is the end of the wait, if known."""

    reason: WaitReason
    until_ms: int | None = None


class HandVoided(Event, frozen=True, tag="hand_voided"):
    """A fault ended the hand without a result: every seat has the chips it had before the hand."""

    hand: int


class DeckOpened(Event, frozen=True, tag="deck_opened"):
    """A sealed deck of which no card was dealt is opened: its `secret` makes all 52 cards.

    `fate` is 3 for the deck of a called hand that was void before its cards, 4 for a deck that was
    not called. Both values are in hexadecimal digits. `epoch` is that in the name of its hand: a
    table that closes is in a later one.
    """

    epoch: int
    hand: int
    seal: str
    secret: str
    fate: int


class TableClosed(Event, frozen=True, tag="table_closed"):
    """The table is closed; no event follows on its stream."""


TableEvent = (
    HandEvent
    | TurnBegan
    | TimeBankStarted
    | TimeBankCharged
    | DisconnectTimeStarted
    | TimedOut
    | RunOutBegan
    | SeatTaken
    | SeatLeft
    | ChipsBought
    | SatOut
    | CameBack
    | DealtOut
    | DealtIn
    | ButtonDrawn
    | TableLevelBegan
    | CutCalled
    | DeckCut
    | TableWaiting
    | HandVoided
    | DeckOpened
    | TableClosed
)
