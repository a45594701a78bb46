"""Cuts of players: their pledges and seeds, and what became of them when the hand is dealt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec.structs import replace

from tables.dealer.sealed import CalledHand, SeatCut
from tables.dealer.state import TableSeat, TableState, awaited
from tables.wire.client_commands import CutDeck
from tables.wire.table_events import DeckCut


class CuttingSeat(Protocol):
    """A seat whose player may cut."""

    @property
    def entry(self) -> int: ...
    @property
    def session(self) -> int: ...


def bound_to(seat: CuttingSeat) -> int:
    """Return the number that pledges of a seat are bound to, as the call names it.

    It is the entry; in a rapid pool the session, which is known before the next hand has an entry.
    """
    return seat.session or seat.entry


def pledged(seats: tuple[TableSeat, ...]) -> tuple[SeatCut, ...]:
    """Return the pledges of the dealt seats that have one; the seed of a present player is awaited.

    A pledge is called once: it leaves the seat with the deal, opened or not. So a player who went
    silent delays the table once, until his browser pledges again. Of equal pledges one is called: a
    proof with a pledge twice fails for the whole table (V04).
    """
    called: dict[bytes, SeatCut] = {}
    for seat in seats:
        if seat.dealt and seat.pledge and seat.pledge not in called:
            called[seat.pledge] = SeatCut(seat.seat, seat.pledge, awaited=not seat.absent)
    return tuple(called.values())


def take_cuts(state: TableState, cuts: Iterable[tuple[int, CutDeck]]) -> TableState:
    """Return the table with what is right in cuts of users; anything else in them has no effect.

    A seed counts for the hand that is granted, and is kept as late once its cards are dealt. The
    last awaited seed lets the hand be dealt as soon as its pause is over. A pledge counts while its
    seed is surely unknown: a cut that comes again hands later pledges nothing.
    """
    seats = {seat.user: seat for seat in state.seats}
    seeds: list[tuple[int, bytes]] = []
    for user, cut in cuts:
        if user not in seats:
            continue
        if cut.seed is not None and (cut.epoch, cut.hand) == (state.epoch, state.hand_number):
            seeds.append((seats[user].seat, bytes.fromhex(cut.seed)))
        if cut.pledge is not None and _pledges(cut, seats[user].seat, state):
            seats[user] = replace(seats[user], pledge=bytes.fromhex(cut.pledge))
    return _opened(replace(state, seats=tuple(seats.values())), seeds)


def _pledges(cut: CutDeck, seat: int, state: TableState) -> bool:
    """Return whether the pledge in a cut was made for the next call of the seat.

    A browser opens a seed when its seat is called, and names the new pledge by that hand. So a cut
    that names a hand before the last call of its seat may pledge an open seed. The browser pledges
    again when `deck_cut` tells that its seat had no pledge.
    """
    if cut.epoch != state.epoch:
        return False
    if cut.hand == state.hand_number:
        return True
    # The next hand was granted while the pledge was on its way. Without a call nobody opened it.
    return cut.hand == state.hand_number - 1 and not _is_called(seat, state)


def _is_called(seat: int, state: TableState) -> bool:
    called = state.called
    if called is None or called.sealed.hand != state.hand_number:
        return False
    return any(cut.seat == seat for cut in called.cuts)


def _opened(state: TableState, seeds: Sequence[tuple[int, bytes]]) -> TableState:
    called = state.called
    if not seeds or called is None or called.sealed.hand != state.hand_number:
        return state
    if state.phase == "boundary":
        return state
    late = state.phase != "granted"
    state = replace(state, called=called.opened(seeds, late=late))
    if late or awaited(state):
        return state
    return replace(state, due_ms=called.deal_ms)


def deck_cut(called: CalledHand) -> DeckCut:
    """Return the event that names every seat's part in the cut, before the cards are dealt."""
    return DeckCut(
        hand=called.sealed.hand,
        cuts=tuple(
            (row.seat, int(row.state), _text(row.pledge, row.seed)) for row in called.roster()
        ),
    )


def _text(pledge: bytes | None, seed: bytes | None) -> str:
    return (seed or pledge or b"").hex()


def without_called_pledges(state: TableState) -> TableState:
    """Return the table without the pledges that were called for its hand."""
    called = {} if state.called is None else {cut.seat: cut.pledge for cut in state.called.cuts}
    seats = tuple(
        replace(seat, pledge=b"") if seat.pledge and called.get(seat.seat) == seat.pledge else seat
        for seat in state.seats
    )
    return replace(state, seats=seats)
