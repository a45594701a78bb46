"""Deal a granted hand: button draw, positions, forced bets and cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from tables.dealer import sealed
from tables.dealer.sealed import CutCards
from tables.dealer.state import TableState
from tables.dealer.turns import go_on
from tables.engine.begin import begin
from tables.engine.cards import DECK
from tables.engine.events import Card
from tables.engine.evolve import evolve
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
    the sealed one, cut; a hand without a seal, or of a game with other cards, is dealt from
    `shuffle`.
    """
    assert state.phase == "granted" and state.rules is not None
    cut = _cut(state)
    drawn, positions = _positions(state, cut, shuffle)
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
        deck=cut.deck if cut else shuffle(VARIANTS[state.rules.variant].deck),
    )
    events = begin(setup)
    hand = None
    for event in events:
        hand = evolve(hand, event)
    dealt = replace(
        state,
        phase="hand",
        draw_button=False,
        positions=positions,
        setup=setup,
        hand=hand,
        actions=(),
        waiting=None,
        began_ms=now_ms,
        seal=state.next_seal if cut else None,
        next_seal=None,
    )
    dealt, happened = go_on(dealt, events, now_ms=now_ms)
    return dealt, (*drawn, *happened)


def _cut(state: TableState) -> CutCards | None:
    """Return the sealed deck of the granted hand, cut; None without one of the game's cards."""
    kept = state.next_seal
    assert state.rules is not None
    if kept is None or (kept.epoch, kept.hand) != (state.epoch, state.hand_number):
        return None
    if VARIANTS[state.rules.variant].deck != DECK:
        return None
    return sealed.cut(kept, {seat.seat: seat.entry for seat in state.seats if seat.dealt})


def _positions(
    state: TableState, cut: CutCards | None, shuffle: Shuffle
) -> tuple[tuple[TableEvent, ...], Positions]:
    occupied = tuple(seat.seat for seat in state.seats if seat.dealt)
    assert len(occupied) >= 2, "a hand needs two seats"
    assert state.rules is not None
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
    if cut is None:
        cards = dict(zip(occupied, shuffle(variant.deck), strict=False))
    else:
        cards = cut.button_cards(occupied)
    button = draw_button(cards)
    # A shuffled deck favours no seat, so undisclosed cards from it are a fair lot.
    shown = () if state.button_by_lot else tuple(cards.items())
    drawn = ButtonDrawn(cards=shown, button=button)
    return (drawn,), place(None, occupied, frozenset(), button=button)
