"""A simulated table between two hands: arrivals, balancing, breaks, rounds, deals."""

from __future__ import annotations

from tables.engine.variants import VARIANTS
from tournaments.engine import balancing, bubble, seating
from tournaments.engine.bubble import RoundTable
from tournaments.engine.deals import KINDS, outcome
from tournaments.engine.lot import drawn
from tournaments.simulation import buying, merges, paying, stages
from tournaments.simulation.field import SimulatedTable
from tournaments.simulation.stages import Next
from tournaments.simulation.state import SimulationState

ASK_AGAIN_MS = 1_000
DEALS_MAX = 3


def visit_table(course: SimulationState, table: SimulatedTable) -> None:
    """Do the work of a table between two hands; then deal, wait or end."""
    if course.is_over() or not table.is_open or table.playing is not None:
        return
    table.arrive()
    _let_the_room_act(course)
    if course.is_over() or not table.is_open:
        return
    stages.leave(course, table)
    buying.at_boundary(course, table)
    if course.is_over():
        return
    match _next_step(course, table):
        case "deal":
            if not _deal_was_made(course, table):
                course.play(table)
        case "wait":
            course.look_at(table, _break_ms(course) or ASK_AGAIN_MS)
        case "again":
            course.look_at(table)


def _next_step(course: SimulationState, table: SimulatedTable) -> Next:
    """Return the next step of a table between two hands."""
    options = course.options
    if buying.waits_for_offer(course, table):
        return "wait"
    if course.stopping:
        _end_when_all_stand(course)
        return "over" if course.is_over() else "wait"
    if options.play_time_ms and course.elapsed_ms >= options.play_time_ms:
        course.stopping = True
        return "again"
    if course.level().is_break:
        return "wait"
    if options.format_rules.has_rounds:
        return stages.next_shootout_step(course, table)
    return _in_round(course, table) if course.hand_for_hand else _balanced(course, table)


def _break_ms(course: SimulationState) -> int:
    """Return the rest of the break in ms, 0 outside a break (L-05)."""
    now = course.level()
    return max(1, now.ends_in_ms or 0) if now.is_break else 0


def view(course: SimulationState, table: SimulatedTable) -> balancing.View:
    """Return the balancer's view of the field from this table (T-08)."""
    field = course.field
    tables = field.open_tables
    order = balancing.break_order({other.number: other.number for other in tables})
    others = sorted(
        (other for other in buying.staying_tables(course) if other is not table),
        key=lambda other: (other.size, other.number),
    )
    nearest = others[: balancing.SHORTEST_TABLES_MAX]
    return balancing.View(
        asking=table.view(),
        rank=order.index(table.number),
        tables_open=len(tables),
        players_left=field.left,
        entries_open=buying.entries_open(course),
        longest=max(other.size for other in tables),
        shortest=tuple(other.view() for other in nearest),
        others_in_hand=sum(other.playing is not None for other in tables if other is not table),
        gathers=balancing.gathers(field.opened, gathered=course.final_table),
        stud=VARIANTS[course.options.variant].brings_in,
        owners=_owners(course) if course.options.several_at_once else {},
    )


def gather(course: SimulationState) -> None:
    """Draw all live entries to a new final table once no hand is in play (T-08)."""
    field = course.field
    for table in field.open_tables:
        field.moves += table.size
        table.seats, table.reserved = {}, {}
        field.close(table)
    entries = [entry.number for entry in field.in_play()]
    seats = seating.draw(entries, course.options.seats_per_table, course.lot)
    assert len(seats) == 1, "the live entries fit one table"
    final = field.open(seats[0], course.options.seats_per_table)
    course.final_table = True
    merges.part_own_entries(course)
    course.look_at(final)


def _balanced(course: SimulationState, table: SimulatedTable) -> Next:
    """Carry out the balancer's plan (T-08)."""
    if not table.seats and len(course.field.open_tables) > 1:
        course.field.close(table)
        return "over"
    planned = balancing.plan(view(course, table), course.lot, course.field.moved)
    match planned:
        case balancing.DealNextHand():
            return "deal"
        case balancing.DealNoHand():
            return "wait"
        case balancing.Moves(moves):
            for move in moves:
                course.field.send(move.entry, move.table, move.seat)
            return "again"
        case balancing.CloseTable(moves, merging):
            for move in moves:
                course.field.send(move.entry, move.table, move.seat)
            for merger in merging:
                merges.merge_two(course, merger.entry, merger.into)
            if not table.size:
                course.field.close(table)
            course.follow_up()
            return "over"
        case balancing.GatherFinalTable():
            gather(course)
            return "over"


def _in_round(course: SimulationState, table: SimulatedTable) -> Next:
    """Deal this round's hand, or wait; the last table to stop opens the next round (T-09)."""
    seen = RoundTable(table.round, table.playing is not None, len(table.seats))
    if bubble.may_deal(seen, course.round, is_open=course.round_open):
        return "deal" if len(table.seats) >= 2 else _balanced(course, table)
    tables = course.field.open_tables
    standing = (RoundTable(other.round, other.playing is not None, other.size) for other in tables)
    if bubble.is_complete(standing, course.round, is_open=course.round_open):
        course.next_round()
        for other in tables:
            if other.is_open and _balanced(course, other) == "over":
                return "wait" if table.is_open else "over"
        return "again"
    return "wait"


def _end_when_all_stand(course: SimulationState) -> None:
    """Place the live entries by chips once no hand is in play (T-11)."""
    if course.stopping and not any(other.playing for other in course.field.open_tables):
        buying.close_sales(course)
        course.finish(lambda: paying.end_by_time(course.options, course.money, course.field))


def _deal_was_made(course: SimulationState, table: SimulatedTable) -> bool:
    """Propose a deal at the final table at random; play goes on without full agreement (Y-01)."""
    options, field = course.options, course.field
    one_table = len(field.open_tables) == 1 and not table.reserved
    if not (options.deals_allowed and one_table and course.money.pool is not None):
        return False
    proposed = course.lot.randrange(100) < options.deal_percent and course.deals_tried < DEALS_MAX
    if not proposed or field.left < 2 or not sum(course.money.prizes[: field.left]):
        return False
    course.deals_tried += 1
    votes = {entry.number: course.lot.randrange(10) > 0 for entry in field.in_play()}
    if outcome(frozenset(votes), votes, time_over=False) != "agreed":
        return False
    kind = drawn(options.deal_kinds or KINDS, course.lot)
    course.told.append(f"deal: {kind}")
    course.finish(lambda: paying.end_by_deal(options, course.money, field, kind))
    return True


def _let_the_room_act(course: SimulationState) -> None:
    """Cancel or disqualify where the options say so (T-12, T-15)."""
    options, field = course.options, course.field
    if options.cancel and field.hands >= options.cancel_after_hands:
        course.finish(lambda: paying.cancel(options, course.money, field))
    elif options.disqualify_after_hands and field.hands >= options.disqualify_after_hands:
        stages.disqualify(course)


def _owners(course: SimulationState) -> dict[int, int]:
    return {entry.number: entry.user for entry in course.field.in_play()}
