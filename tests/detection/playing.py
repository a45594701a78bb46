"""Hands of a measured room, played in one process with the room's engine, as records."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tables.dealer.record import HandRecord, SeatAfter
from tables.dealer.state import DecisionNote, Played
from tables.engine.begin import begun
from tables.engine.betting import legal_actions
from tables.engine.cards import DECK
from tables.engine.decide import played
from tables.engine.events import Stakes
from tables.engine.positions import next_positions
from tables.engine.result import result
from tables.engine.state import HandSetup, HandState, Player, Rules
from tests.detection.people import Person

BIG_BLIND = 100
STACK_BLINDS = (15, 150)
"""Stacks between a short one of a tournament and a deep one of a ring game."""


def played_hands(people: list[Person], hands: int, seats: int, lot: Random) -> Iterator[HandRecord]:
    """Yield records of hands, each of `seats` people by lot with fresh stacks."""
    for number in range(1, hands + 1):
        at_table = dict(enumerate(lot.sample(people, seats), start=1))
        yield _hand(number, at_table, lot)


def _hand(number: int, people: dict[int, Person], lot: Random) -> HandRecord:
    deck = list(DECK)
    lot.shuffle(deck)
    positions = next_positions(None, tuple(people), frozenset(), button=lot.choice(list(people)))
    stacks = {seat: BIG_BLIND * lot.randint(*STACK_BLINDS) for seat in people}
    setup = HandSetup(
        hand=number,
        rules=Rules("holdem", "no_limit", Stakes(BIG_BLIND // 2, BIG_BLIND)),
        positions=positions,
        players=tuple(Player(seat, stacks[seat]) for seat in people),
        deck=tuple(deck),
    )
    state, actions, notes = _played_out(setup, people, lot)
    after = {seat.seat: seat.stack for seat in state.seats}
    return HandRecord(
        table=1, game=1, epoch=1, hand=number, level=1, round=0, began_ms=0, ended_ms=0,
        setup=setup, actions=tuple(actions), result=result(state), notes=tuple(notes),
        seats=tuple(
            SeatAfter(seat, one.user, one.user, "", stacks[seat], after[seat], 0, False, True)
            for seat, one in people.items()
        ),
    )  # fmt: skip


def _played_out(
    setup: HandSetup, people: dict[int, Person], lot: Random
) -> tuple[HandState, list[Played], list[DecisionNote]]:
    state, at_ms = begun(setup).state, 0
    actions: list[Played] = []
    notes: list[DecisionNote] = []
    while state.actor is not None:
        seat = state.actor
        action = people[seat].act(state, legal_actions(state, seat), people, lot)
        at_ms += people[seat].think_ms(lot)
        actions.append(Played(seat, action))
        notes.append(DecisionNote(at_ms))
        state = played(state, seat, action).state
    return state, actions, notes
