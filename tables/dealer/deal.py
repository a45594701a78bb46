"""Deal a granted hand: button draw, positions, forced bets and cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from tables.dealer import cuts
from tables.dealer.sealed import CalledHand
from tables.dealer.seeded import SeededHand, seeded_hand
from tables.dealer.state import TableState
from tables.dealer.turns import go_on
from tables.engine.begin import begin
from tables.engine.events import Card
from tables.engine.evolve import evolve_all
from tables.engine.positions import draw_button, next_positions
from tables.engine.state import HandSetup, Player, Positions
from tables.engine.variants import VARIANTS
from tables.wire.table_events import ButtonDrawn, TableEvent

Shuffle = Callable[[Sequence[Card]], tuple[Card, ...]]
"""Return a given deck in a fresh random order at every call."""

Progress = tuple[TableState, tuple[TableEvent, ...]]


def deal(state: TableState, *, now_ms: int, shuffle: Shuffle) -> Progress:
    """Begin the granted hand; the phase becomes "hand", or "finished" when no seat has to act.

    Seats that are not `dealt` have no part in it, nor in the positions (H-07, X-03). The deck is
    the sealed one of a called hand, or that of the table's seed; any other hand is dealt from
    `shuffle`.
    """
    assert state.phase == "granted" and state.rules is not None
    called = called_hand(state)
    source = called or seeded_hand(state)
    drawn, positions = _positions(state, source, shuffle)
    posting = {seat.seat for seat in state.seats if seat.posts}
    assert posting.issubset(positions.dealt), "a seat pays for a hand it is not dealt"
    players = tuple(
        Player(
            seat=seat.seat,
            stack=seat.chips,
            posts=seat.posts,
            open_loser=seat.showdown == "show",
            closed_loser=seat.showdown == "muck",
        )
        for seat in state.seats
        if seat.seat in positions.dealt
    )
    setup = HandSetup(
        hand=state.hand_number,
        rules=state.rules,
        positions=positions,
        players=players,
        deck=source.deck() if source else shuffle(VARIANTS[state.rules.variant].deck),
    )
    events = begin(setup)
    hand = evolve_all(None, events)
    dealt = replace(
        state,
        phase="hand",
        draw_button=False,
        positions=positions,
        setup=setup,
        # The hand that is dealt in place of the void one still tells of it.
        voided=state.voided if state.voided == state.hand_number else None,
        hand=hand,
        actions=(),
        notes=(),
        ending=(),
        waiting=None,
        # A clock that was set back since the call must not turn the proof red (V06).
        began_ms=max(now_ms, called.called_ms) if called else now_ms,
        called=called and replace(called, draws_button=bool(drawn), by_lot=state.button_by_lot),
    )
    cut = () if called is None else (cuts.deck_cut(called),)
    dealt, happened = go_on(cuts.without_called_pledges(dealt), events, now_ms=now_ms)
    return dealt, (*cut, *drawn, *happened)


def called_hand(state: TableState) -> CalledHand | None:
    """Return the granted hand as it was called; None when it was granted without a seal."""
    called = state.called
    return called if called is not None and called.sealed.hand == state.hand_number else None


def _positions(
    state: TableState, source: CalledHand | SeededHand | None, shuffle: Shuffle
) -> tuple[tuple[TableEvent, ...], Positions]:
    occupied = tuple(seat.seat for seat in state.seats if seat.dealt)
    assert len(occupied) >= 2, "a hand needs two seats"
    assert state.rules is not None
    if state.is_placed:
        assert state.positions is not None and set(state.positions.dealt) == set(occupied)
        return (), state.positions
    variant = VARIANTS[state.rules.variant]
    place = partial(
        next_positions,
        s0_order=state.rules.options.s0_order,
        blinds=not variant.brings_in,
    )
    if not state.draw_button and state.positions is not None:
        newcomers = frozenset(
            seat.seat for seat in state.seats if seat.newcomer and state.newcomers_wait
        )
        return (), place(state.positions, occupied, newcomers)
    if source is None:
        cards = dict(zip(occupied, shuffle(variant.deck), strict=False))
    else:
        cards = source.button_cards()
    button = draw_button(cards)
    # A shuffled deck favours no seat, so undisclosed cards from it are a fair lot.
    shown = () if state.button_by_lot else tuple(cards.items())
    drawn = ButtonDrawn(cards=shown, button=button)
    return (drawn,), place(None, occupied, frozenset(), button=button)
