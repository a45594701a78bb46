"""Snapshot of a table for one viewer; equals the fold of the events that the viewer received."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TypeGuard

from msgspec.structs import replace

from tables.dealer import record
from tables.dealer.boundary import cut_called
from tables.dealer.deal import called_hand
from tables.dealer.hiding import cards_of, is_decided, stand_in
from tables.dealer.state import BEING_PLAYED, TableSeat, TableState
from tables.engine.betting import legal_actions
from tables.engine.events import HIDDEN, Card, CardsShown, HandEvent, HoleCardsDealt
from tables.engine.evolve import evolve_all
from tables.engine.state import HandState, SeatState
from tables.engine.visibility import view
from tables.wire.client_events import RunOutSnapshot, SeatSnapshot, TableSnapshot, TurnSnapshot
from tables.wire.table_events import CutCalled

STATES_KEPT = 64
"""States whose published events are kept: viewers who come at once ask for one state each."""


class _ByIdentity:
    """State of a table as a key: equal only to itself, because comparing its fields costs more."""

    __slots__ = ("state",)

    def __init__(self, state: TableState) -> None:
        self.state = state

    def __hash__(self) -> int:
        return id(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.state is self.state


Groups = tuple[tuple[Card, ...], ...]
"""A player's own cards of the last hand, one group for each time he was dealt private cards."""


def private_groups(state: TableState, user: int) -> int:
    """Return how often `user` was dealt private cards in the last hand of an open state."""
    own = _own_seat(state, user)
    if own is None or state.hand is None or state.setup is None:
        return 0
    events, _ = _published(_ByIdentity(state))
    return sum(_is_private(event, own) for event in events)


def snapshot(state: TableState, user: int | None, own: Groups) -> TableSnapshot:
    """Return the table of an open state for `user` (None: a spectator) with his `own` cards."""
    hand = state.hand
    in_hand = {} if hand is None else {seat.seat: seat for seat in hand.seats}
    log = _log(state, _own_seat(state, user), own)
    return TableSnapshot(
        table=state.table,
        game=state.game,
        number=state.number,
        epoch=state.epoch,
        hand=_last_begun(state),
        seats_max=state.seats_max,
        seats=tuple(
            _seat(
                state,
                seat,
                in_hand.get(seat.seat) if _was_dealt(state, seat) else None,
                _held(log, seat.seat) if seat.user == user else (),
            )
            for seat in state.seats
        ),
        level=state.level,
        stakes=state.stakes,
        button=None if hand is None else hand.button,
        small_blind=None if hand is None else hand.small_blind,
        big_blind=None if hand is None else hand.big_blind,
        street=None if hand is None else hand.street,
        board=() if hand is None else hand.board,
        pots=() if hand is None or hand.finished else hand.pots,
        turn=_turn(state),
        waiting=state.waiting,
        closed=state.phase == "closed",
        variant=None if hand is None else hand.rules.variant,
        limit=None if hand is None else hand.rules.limit,
        log=log,
        run_out=_run_out(state),
        seal=_seal(state),
        cutting=_cutting(state),
        voided=state.voided,
        opened=state.opened,
    )


def _own_seat(state: TableState, user: int | None) -> int | None:
    """Return the seat whose cards of the last hand are those of `user`, or None."""
    seat = None if user is None else state.seat_of(user)
    return seat.seat if seat is not None and _was_dealt(state, seat) else None


def _is_private(event: HandEvent, seat: int) -> TypeGuard[HoleCardsDealt]:
    return isinstance(event, HoleCardsDealt) and event.seat == seat and HIDDEN in event.cards


def _log(state: TableState, seat: int | None, own: Groups) -> tuple[HandEvent, ...]:
    """Events of the last hand begun, as far as they were published, with own cards of a seat."""
    if state.hand is None or state.setup is None:
        return ()
    events, later = _published(_ByIdentity(state))
    if seat is not None and own:
        groups = iter(own)
        events = tuple(
            replace(event, cards=next(groups, event.cards)) if _is_private(event, seat) else event
            for event in events
        )
    return (*events, *later)


def _held(log: tuple[HandEvent, ...], seat: int) -> tuple[Card, ...]:
    """Return the cards that a seat was dealt, as a log has them."""
    dealt = [event for event in log if isinstance(event, HoleCardsDealt) and event.seat == seat]
    return tuple(chain.from_iterable(event.cards for event in dealt))


@lru_cache(STATES_KEPT)
def _published(of: _ByIdentity) -> tuple[tuple[HandEvent, ...], tuple[CardsShown, ...]]:
    """Published events of the last hand, replayed once per state, and cards shown after it."""
    state, hand, setup = of.state, of.state.hand, of.state.setup
    assert hand is not None and setup is not None
    actions = state.actions[:-1] if is_decided(state) else state.actions
    events: tuple[HandEvent, ...] = ()
    if state.actions or not is_decided(state):
        replayed = record.replay(stand_in(setup, cards_of(hand.deck)), actions)
        events = tuple(view(event, None) for event in replayed)
    events = (*events, *state.ending)
    return events, tuple(_shown_later(hand, events)) if hand.finished else ()


def _shown_later(hand: HandState, events: tuple[HandEvent, ...]) -> list[CardsShown]:
    """Cards shown after the hand: not part of its actions, but visible to all since."""
    last = evolve_all(None, events)
    shown = {seat.seat: seat.shown for seat in last.seats}
    later = [seat for seat in hand.seats if seat.shown != shown[seat.seat]]
    return [CardsShown(seat.seat, seat.shown, "") for seat in later]


def _was_dealt(state: TableState, seat: TableSeat) -> bool:
    """Return whether the last hand's cards at this seat are this player's, not a predecessor's."""
    if state.phase == "granted" and state.is_placed:
        return False  # all seats are taken anew
    return state.phase in ("hand", "run_out", "finished") or not seat.newcomer


def _run_out(state: TableState) -> RunOutSnapshot | None:
    if state.run_out is None:
        return None
    told = state.run_out.told
    return RunOutSnapshot(told.hand, told.streets, told.released_at_ms)


def _seal(state: TableState) -> str | None:
    """Return the seal that was told last: that of the hand granted last."""
    return None if state.called is None else state.called.sealed.seal.hex()


def _cutting(state: TableState) -> CutCalled | None:
    """Return the call that players may answer until the granted hand is dealt."""
    called = called_hand(state) if state.phase == "granted" else None
    return None if called is None else cut_called(called)


def _last_begun(state: TableState) -> int:
    return state.hand_number - 1 if state.phase == "granted" else state.hand_number


def _seat(
    state: TableState, seat: TableSeat, playing: SeatState | None, own: tuple[Card, ...]
) -> SeatSnapshot:
    if playing is None:
        return SeatSnapshot(
            seat=seat.seat,
            entry=seat.entry,
            user=seat.user,
            name=seat.name,
            chips=seat.chips,
            absent=seat.absent,
            bank_ms=seat.bank_ms,
            dealt=seat.dealt,
            session=seat.session or None,
        )
    # Chips bought after the hand are at the seat already; a hand in play shows its own stacks.
    chips = playing.stack if state.phase in BEING_PLAYED else seat.chips
    return SeatSnapshot(
        seat=seat.seat,
        entry=seat.entry,
        user=seat.user,
        name=seat.name,
        chips=chips,
        bet=playing.bet,
        absent=seat.absent,
        in_hand=True,
        folded=playing.folded,
        all_in=not playing.folded and chips == 0,
        cards=own or playing.cards,
        bank_ms=seat.bank_ms,
        dealt=seat.dealt,
        session=seat.session or None,
    )


def _turn(state: TableState) -> TurnSnapshot | None:
    if state.turn is None or state.hand is None:
        return None
    return TurnSnapshot(
        seat=state.turn.seat,
        turn=state.turn.turn,
        deadline_ms=state.turn.deadline_ms,
        option=legal_actions(state.hand, state.turn.seat),
        on_bank=state.turn.on_bank,
        disconnected=state.turn.disconnected,
    )
