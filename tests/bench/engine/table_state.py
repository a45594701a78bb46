"""State of a nine-handed table in the middle of a hand, as a worker loads and commits it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tables.dealer.deal import deal
from tables.dealer.grants import Timing
from tables.dealer.state import TableSeat, TableState
from tables.dealer.turns import play
from tables.engine.actions import Call
from tables.engine.events import Card, Stakes
from tables.engine.state import Rules

SEATS = 9
STAKES = Stakes(50, 100)


def table_in_play() -> TableState:
    """Return a table of nine players, with the blinds posted and four calls made."""
    state, _ = deal(_granted(), now_ms=1_000_000, shuffle=_deck)
    for _ in range(4):
        assert state.hand is not None and state.hand.actor is not None
        state, _ = play(state, state.hand.actor, Call(), at_ms=1_000_500)
    return state


def _deck(cards: Sequence[Card]) -> tuple[Card, ...]:
    deck = list(cards)
    Random(3).shuffle(deck)
    return tuple(deck)


def _granted() -> TableState:
    return TableState(
        table=334,
        game=5,
        number=12,
        seats_max=SEATS,
        epoch=4,
        seq=18_000,
        phase="granted",
        due_ms=1_000_000,
        hand_number=77,
        seats=tuple(
            TableSeat(
                seat, 1000 + seat, 2000 + seat, f"player {seat}", 10_000, 30_000, False, False
            )
            for seat in range(1, SEATS + 1)
        ),
        level=3,
        round=0,
        stakes=STAKES,
        rules=Rules("holdem", "no_limit", STAKES),
        timing=Timing(15_000, 1_000, 3_000, 1_000),
        draw_button=True,
    )
