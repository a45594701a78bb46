"""Picture of a table as a player sees it: a snapshot, with the events after it folded in."""

from __future__ import annotations

from functools import singledispatch
from typing import get_args

from msgspec.structs import replace

from room_client.messages import hands as hand
from room_client.messages import tables as table
from room_client.messages.frames import (
    RunOutSnapshot,
    SeatSnapshot,
    TableSnapshot,
    TurnSnapshot,
)
from room_client.messages.streams import FIRST_STREETS, TableEvent

HIDDEN = "??"
"""A card that the viewer may not see."""

_LOGGED = frozenset(event for event in get_args(TableEvent) if event.__module__ == hand.__name__)
"""Events of a hand: a snapshot has those of the last hand in its `log`."""


def fold(event: TableEvent, seen: TableSnapshot) -> TableSnapshot:
    """Return the picture after `event`; `seen` is the picture before it."""
    if type(event) not in _LOGGED:
        return _change(event, seen)
    log = () if isinstance(event, hand.HandBegan) else seen.log
    return replace(_change(event, seen), log=(*log, event))


@singledispatch
def _change(event: TableEvent, seen: TableSnapshot) -> TableSnapshot:
    raise AssertionError(event)


def seat_of(seen: TableSnapshot, user: int) -> SeatSnapshot | None:
    """Return the seat of a user at the table, or None."""
    return next((seat for seat in seen.seats if seat.user == user), None)


@_change.register
def _hand_began(event: hand.HandBegan, seen: TableSnapshot) -> TableSnapshot:
    stacks = {stack.seat: stack.chips for stack in event.stacks}
    seats = tuple(
        replace(
            seat,
            chips=stacks.get(seat.seat, seat.chips),
            bet=0,
            in_hand=seat.seat in stacks,
            folded=False,
            all_in=False,
            cards=(),
        )
        for seat in seen.seats
    )
    return replace(
        seen,
        hand=event.hand,
        voided=seen.voided if seen.voided == event.hand else None,
        stakes=event.stakes,
        button=event.button,
        small_blind=event.small_blind,
        big_blind=event.big_blind,
        seats=seats,
        variant=event.variant,
        limit=event.limit,
        street=FIRST_STREETS[event.variant],
        board=(),
        pots=(),
        turn=None,
        waiting=None,
        run_out=None,
    )


@_change.register
def _posted(event: hand.Posted, seen: TableSnapshot) -> TableSnapshot:
    dead = event.kind in ("ante", "dead", "penalty")
    seat = _at(seen, event.seat)
    bet = seat.bet if dead else seat.bet + event.amount
    if event.kind == "bring_in":
        seen = replace(seen, turn=None)
    return _put(seen, replace(seat, chips=seat.chips - event.amount, bet=bet))


@_change.register
def _dealt(event: hand.HoleCardsDealt, seen: TableSnapshot) -> TableSnapshot:
    seat = _at(seen, event.seat)
    return _put(seen, replace(seat, cards=seat.cards + event.cards))


@_change.register
def _folded(event: hand.Folded, seen: TableSnapshot) -> TableSnapshot:
    return _put(replace(seen, turn=None), replace(_at(seen, event.seat), folded=True))


@_change.register
def _checked(event: hand.Checked, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, turn=None)


@_change.register(hand.Called)
@_change.register(hand.BetMade)
@_change.register(hand.Raised)
def _put_in(event: hand.Called | hand.BetMade | hand.Raised, seen: TableSnapshot) -> TableSnapshot:
    seat = _at(seen, event.seat)
    paid = replace(seat, chips=seat.chips - event.amount, bet=seat.bet + event.amount)
    return _put(replace(seen, turn=None), paid)


@_change.register
def _returned(event: hand.UncalledReturned, seen: TableSnapshot) -> TableSnapshot:
    seat = _at(seen, event.seat)
    back = replace(seat, chips=seat.chips + event.amount, bet=seat.bet - event.amount)
    return _put(seen, back)


@_change.register
def _collected(event: hand.BetsCollected, seen: TableSnapshot) -> TableSnapshot:
    seats = tuple(replace(seat, bet=0) for seat in seen.seats)
    return replace(seen, seats=seats, pots=event.pots)


@_change.register
def _raked(event: hand.RakeTaken, seen: TableSnapshot) -> TableSnapshot:
    return seen


@_change.register
def _revealed(event: hand.HandsRevealed, seen: TableSnapshot) -> TableSnapshot:
    for number, cards in event.hands:
        seen = _turn_up(seen, number, cards)
    return seen


@_change.register
def _street(event: hand.StreetDealt, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, street=event.street, board=(*seen.board, *event.cards))


@_change.register
def _shown(event: hand.CardsShown, seen: TableSnapshot) -> TableSnapshot:
    return _turn_up(seen, event.seat, event.cards)


@_change.register
def _mucked(event: hand.Mucked, seen: TableSnapshot) -> TableSnapshot:
    return seen


@_change.register
def _awarded(event: hand.PotAwarded, seen: TableSnapshot) -> TableSnapshot:
    for share in event.winners:
        seat = _at(seen, share.seat)
        seen = _put(seen, replace(seat, chips=seat.chips + share.amount))
    return seen


@_change.register
def _ended(event: hand.HandEnded, seen: TableSnapshot) -> TableSnapshot:
    stacks = {stack.seat: stack.chips for stack in event.stacks}
    for seat in seen.seats:
        if seat.seat in stacks:
            seen = _put(seen, replace(seat, chips=stacks[seat.seat]))
    return replace(seen, turn=None, pots=(), run_out=None)


@_change.register
def _turn(event: table.TurnBegan, seen: TableSnapshot) -> TableSnapshot:
    # TurnBegan is sent again when an outage moved the deadline of a turn.
    again = seen.turn if seen.turn is not None and seen.turn.turn == event.turn else None
    turn = TurnSnapshot(
        seat=event.seat,
        turn=event.turn,
        deadline_ms=event.deadline_ms,
        option=event.option,
        on_bank=again is not None and again.on_bank,
        disconnected=again is not None and again.disconnected,
    )
    seen = _put(seen, replace(_at(seen, event.seat), bank_ms=event.bank_ms))
    return replace(seen, turn=turn)


@_change.register
def _bank(event: table.TimeBankStarted, seen: TableSnapshot) -> TableSnapshot:
    assert seen.turn is not None
    return replace(seen, turn=replace(seen.turn, deadline_ms=event.deadline_ms, on_bank=True))


@_change.register
def _disconnect_time(event: table.DisconnectTimeStarted, seen: TableSnapshot) -> TableSnapshot:
    assert seen.turn is not None
    turn = replace(seen.turn, deadline_ms=event.deadline_ms, on_bank=False, disconnected=True)
    return replace(seen, turn=turn)


@_change.register
def _charged(event: table.TimeBankCharged, seen: TableSnapshot) -> TableSnapshot:
    return _put(seen, replace(_at(seen, event.seat), bank_ms=event.bank_ms))


@_change.register
def _timed_out(event: table.TimedOut, seen: TableSnapshot) -> TableSnapshot:
    return _put(replace(seen, turn=None), replace(_at(seen, event.seat), bank_ms=0))


@_change.register
def _run_out(event: table.RunOutBegan, seen: TableSnapshot) -> TableSnapshot:
    schedule = RunOutSnapshot(event.hand, event.streets, event.released_at_ms)
    return replace(seen, run_out=schedule)


@_change.register
def _taken(event: table.SeatTaken, seen: TableSnapshot) -> TableSnapshot:
    seat = SeatSnapshot(
        seat=event.seat,
        entry=event.entry,
        user=event.user,
        name=event.name,
        chips=event.chips,
        absent=event.absent,
        bank_ms=event.bank_ms,
        session=event.session,
    )
    seats = sorted((*seen.seats, seat), key=lambda seat: seat.seat)
    return replace(seen, seats=tuple(seats))


@_change.register
def _left(event: table.SeatLeft, seen: TableSnapshot) -> TableSnapshot:
    log = tuple([_public(told) if _is_dealt_to(told, event.seat) else told for told in seen.log])
    return replace(seen, seats=tuple(s for s in seen.seats if s.seat != event.seat), log=log)


def _is_dealt_to(event: TableEvent, seat: int) -> bool:
    return isinstance(event, hand.HoleCardsDealt) and event.seat == seat


def _public(event: TableEvent) -> TableEvent:
    """Return dealt cards as spectators see them: those dealt face up come last."""
    assert isinstance(event, hand.HoleCardsDealt)
    hidden = len(event.cards) - event.up
    return replace(event, cards=(HIDDEN,) * hidden + event.cards[hidden:])


@_change.register
def _bought(event: table.ChipsBought, seen: TableSnapshot) -> TableSnapshot:
    return _put(seen, replace(_at(seen, event.seat), chips=event.total))


@_change.register
def _sat_out(event: table.SatOut, seen: TableSnapshot) -> TableSnapshot:
    return _put(seen, replace(_at(seen, event.seat), absent=True))


@_change.register
def _came_back(event: table.CameBack, seen: TableSnapshot) -> TableSnapshot:
    return _put(seen, replace(_at(seen, event.seat), absent=False))


@_change.register
def _dealt_out(event: table.DealtOut, seen: TableSnapshot) -> TableSnapshot:
    return _put(seen, replace(_at(seen, event.seat), dealt=False))


@_change.register
def _dealt_in(event: table.DealtIn, seen: TableSnapshot) -> TableSnapshot:
    return _put(seen, replace(_at(seen, event.seat), dealt=True))


@_change.register
def _button(event: table.ButtonDrawn, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, button=event.button)


@_change.register
def _level(event: table.TableLevelBegan, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, level=event.level, stakes=event.stakes)


@_change.register
def _cut_called(event: table.CutCalled, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, seal=event.seal, cutting=event)


@_change.register
def _deck_cut(event: table.DeckCut, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, cutting=None)


@_change.register
def _waiting(event: table.TableWaiting, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, waiting=event.reason)


@_change.register
def _voided(event: table.HandVoided, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, turn=None, run_out=None, seal=None, cutting=None, voided=event.hand)


@_change.register
def _opened(event: table.DeckOpened, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, opened=(*seen.opened, event))


@_change.register
def _closed(event: table.TableClosed, seen: TableSnapshot) -> TableSnapshot:
    return replace(seen, turn=None, closed=True)


def _at(seen: TableSnapshot, number: int) -> SeatSnapshot:
    return next(seat for seat in seen.seats if seat.seat == number)


def _put(seen: TableSnapshot, seat: SeatSnapshot) -> TableSnapshot:
    all_in = seat.in_hand and not seat.folded and seat.chips == 0
    seat = replace(seat, all_in=all_in)
    seats = tuple(seat if old.seat == seat.seat else old for old in seen.seats)
    return replace(seen, seats=seats)


def _turn_up(seen: TableSnapshot, number: int, cards: tuple[str, ...]) -> TableSnapshot:
    """Turn up cards; the player's own cards stay known when only some of them are shown."""
    seat = _at(seen, number)
    known = seat.cards or (HIDDEN,) * len(cards)
    together = tuple(old if new == HIDDEN else new for old, new in zip(known, cards, strict=True))
    return _put(seen, replace(seat, cards=together))
