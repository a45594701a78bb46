"""A hand at a simulated table: dealt and played by the engine, and its effect on the field."""

from __future__ import annotations

from functools import partial

from tables.engine.positions import draw_button, next_positions
from tables.engine.result import HandResult, result
from tables.engine.state import HandSetup, Player, Positions
from tables.engine.variants import VARIANTS
from tournaments.engine.hand_rules import rules
from tournaments.engine.lot import shuffled
from tournaments.engine.places import BustedEntry
from tournaments.simulation import buying, eliminations
from tournaments.simulation.field import SimulatedTable
from tournaments.simulation.state import SimulationState

PAUSE_MS = 3_000


def deal(course: SimulationState, table: SimulatedTable) -> int:
    """Play the table's next hand, store its state there, and return the thinking time in ms."""
    options = course.options
    table.positions = _positions(course, table)
    table.hand += 1
    setup = HandSetup(
        hand=table.hand,
        rules=rules(options, course.level().level, left=course.field.left),
        positions=table.positions,
        players=tuple(
            Player(seat, course.field.entries[entry].chips)
            for seat, entry in sorted(table.seats.items())
            if seat in table.positions.dealt
        ),
        deck=course.deck(table),
    )
    table.playing, actions = course.play_hand(setup, table)
    table.newcomers = set()
    if course.hand_for_hand:
        table.round = course.round
    course.actions += actions
    return PAUSE_MS + actions * (options.think_ms // 2 + course.lot.randrange(options.think_ms + 1))


def settle(course: SimulationState, table: SimulatedTable) -> None:
    """Settle the finished hand: chips, knock-outs, then the table's next poll (T-07)."""
    if course.is_over():
        return
    assert table.playing is not None
    outcome = result(table.playing)
    table.playing = None
    field = course.field
    field.hands += 1
    course.hands_idle = 0 if outcome.busted else course.hands_idle + 1
    before = sum(stack.chips for stack in outcome.stacks_before)
    assert before == sum(stack.chips for stack in outcome.stacks_after), (
        "chips before and after the hand are equal"
    )
    for stack in outcome.stacks_after:
        entry = field.entries[table.seats[stack.seat]]
        entry.chips = stack.chips + entry.owed
        entry.owed = 0
    _knock_out(course, table, outcome)
    course.follow_up()
    course.look_at(table)


def _positions(course: SimulationState, table: SimulatedTable) -> Positions:
    occupied = tuple(sorted(table.seats))
    variant = VARIANTS[course.options.variant]
    place = partial(
        next_positions,
        s0_order=course.options.s0_order,
        blinds=not variant.brings_in,
    )
    if table.positions is not None:
        return place(table.positions, occupied, frozenset(table.newcomers))
    cards = dict(zip(occupied, shuffled(variant.deck, course.lot), strict=False))
    return place(None, occupied, frozenset(), button=draw_button(cards))


def _knock_out(course: SimulationState, table: SimulatedTable, outcome: HandResult) -> None:
    """Hold busted entries for an offer, or knock them out with their bounties (N-01)."""
    field = course.field
    began = {stack.seat: stack.chips for stack in outcome.stacks_before}
    busted = [bust for bust in outcome.busted if not field.entries[table.seats[bust.seat]].chips]
    if not busted:
        return
    assert table.positions is not None
    field.order += 1
    sat = dict(table.seats)
    for bust in busted:
        out = field.entries[sat[bust.seat]]
        knock_out = BustedEntry(
            entry=out.number,
            order=field.order,
            round=table.round if course.hand_for_hand else 0,
            table=table.number,
            stack=began[bust.seat],
            left_of_button=(bust.seat - table.positions.button - 1) % table.max_seats + 1,
        )
        winners = [field.entries[sat[share.seat]] for share in bust.winners]
        if not buying.hold_entry(course, table, out, knock_out, winners):
            eliminations.go_out(course, out, knock_out, winners)
