"""Record of a finished hand as it is settled and kept: enough to replay every event."""

from __future__ import annotations

from hashlib import sha256
from itertools import chain

import msgspec

from tables.dealer import carried
from tables.dealer.run_out import withheld
from tables.dealer.sealed import CalledHand
from tables.dealer.state import DecisionNote, Played, TableState
from tables.engine.begin import begin
from tables.engine.decide import decide
from tables.engine.events import HandEvent
from tables.engine.evolve import evolve
from tables.engine.result import HandResult, result
from tables.engine.state import HandSetup, HandState
from tables.wire.client_commands import ShowdownChoice


class SeatAfter(msgspec.Struct, frozen=True, array_like=True):
    """A seat after the hand: its chips, time bank left in ms, and whether it was `dealt` in.

    `showdown` is the player's choice for coming hands; it moves with the player. `session` is the
    one that pledges are bound to, 0 for the entry.
    """

    seat: int
    entry: int
    user: int
    name: str
    chips_before: int
    chips: int
    bank_ms: int
    absent: bool
    dealt: bool
    showdown: ShowdownChoice = "auto"
    pledge: bytes = b""
    session: int = 0


class HandRecord(msgspec.Struct, frozen=True):
    """One finished hand of one table; times in ms on the room's clock.

    Consequences of the hand are published at `released_ms`, never before. `called` is the sealed
    deck, None for hands that were dealt without a seal. `notes` has one note for each of
    `actions`; older records have none. `ending` are the events of the step that decided the hand,
    as all saw them; older records have none.
    """

    table: int
    game: int
    epoch: int
    hand: int
    level: int
    round: int
    began_ms: int
    ended_ms: int
    setup: HandSetup
    actions: tuple[Played, ...]
    result: HandResult
    seats: tuple[SeatAfter, ...]
    released_ms: int = 0
    called: CalledHand | None = None
    notes: tuple[DecisionNote, ...] = ()
    ending: tuple[HandEvent, ...] = ()

    def steps(self) -> list[tuple[HandEvent, ...]]:
        """Return the events of the deal, then those of each action."""
        return steps(self.setup, self.actions)

    def playable_setup(self) -> HandSetup:
        """Return a setup from which the hand plays, up to the action that decided it."""
        return self.setup

    def events(self) -> tuple[HandEvent, ...]:
        """Return every event of the hand."""
        return tuple(chain.from_iterable(self.steps()))

    def digest(self) -> str:
        """Return a fingerprint of the hand's course, equal for one hand settled twice.

        Absences and shown cards may still change after the last action and are left out.
        """
        course = (self.table, self.epoch, self.hand, self.setup, self.actions)
        return sha256(encode(course)).hexdigest()

    def users(self) -> list[int]:
        """Keys of the players who were dealt in, by seat."""
        return [seat.user for seat in self.seats if seat.dealt]

    def busted(self) -> tuple[SeatAfter, ...]:
        """Seats that lost their last chip in this hand."""
        return tuple(seat for seat in self.seats if seat.dealt and seat.chips == 0)


encode = msgspec.msgpack.Encoder(order="deterministic").encode
"""Encode a whole record as bytes, in the form of releases that hid no cards of finished hands."""

decode = msgspec.msgpack.Decoder(HandRecord).decode
"""Decode a whole record in that form."""


def replay(setup: HandSetup, actions: tuple[Played, ...]) -> tuple[HandEvent, ...]:
    """Return every event of a hand, from its setup and its actions alone."""
    return tuple(chain.from_iterable(steps(setup, actions)))


def steps(setup: HandSetup, actions: tuple[Played, ...]) -> list[tuple[HandEvent, ...]]:
    """Return the events of the deal, then those of each action."""
    state: HandState | None = None
    told = [begin(setup)]
    for played in actions:
        for event in told[-1]:
            state = evolve(state, event)
        assert state is not None
        told.append(decide(state, played.seat, played.action))
    return told


def refold(setup: HandSetup, actions: tuple[Played, ...], hidden: int) -> HandState:
    """Return the hand as it was before its last `hidden` events."""
    events = replay(setup, actions)
    state: HandState | None = None
    for event in events[: len(events) - hidden]:
        state = evolve(state, event)
    assert state is not None
    return state


def told(state: TableState) -> tuple[HandEvent, ...]:
    """Return the events of the table's last hand that were published so far."""
    if state.setup is None:
        return ()
    events = replay(state.setup, state.actions)
    return events[: len(events) - withheld(state.run_out)]


def of(state: TableState) -> HandRecord:
    """Return the record of the finished hand that a table holds."""
    assert state.phase == "finished" and state.hand is not None and state.setup is not None
    outcome = result(state.hand)
    dealt = {player.seat for player in state.setup.players}
    before = {player.seat: player.stack for player in state.setup.players}
    return HandRecord(
        table=state.table,
        game=state.game,
        epoch=state.epoch,
        hand=state.hand_number,
        level=state.level,
        round=state.round,
        began_ms=state.began_ms,
        ended_ms=state.ended_ms,
        setup=state.setup,
        actions=state.actions,
        result=outcome,
        seats=tuple(
            SeatAfter(
                seat=seat.seat,
                entry=seat.entry,
                user=seat.user,
                name=seat.name,
                chips_before=before.get(seat.seat, seat.chips),
                dealt=seat.seat in dealt,
                session=seat.session,
                **carried.copied(seat),
            )
            for seat in state.seats
        ),
        released_ms=state.released_ms,
        called=state.called,
        notes=state.notes,
        ending=state.ending,
    )
