"""Buying in a simulated tournament: late entries, offers to busted players, add-ons."""

from __future__ import annotations

from config.refusals import Refusal
from tournaments.engine import balancing, entries
from tournaments.engine.lot import drawn
from tournaments.engine.places import BustedEntry
from tournaments.engine.seating import late_table
from tournaments.simulation import eliminations
from tournaments.simulation.field import SimulatedEntry, SimulatedTable
from tournaments.simulation.state import SimulationState


def entries_open(course: SimulationState) -> bool:
    """Return whether the tournament still takes entries (E-01)."""
    if course.money.pool is not None or course.stopping:
        return False
    return entries.entries_open(course.options.late, course.standing())


def come_late(course: SimulationState) -> None:
    """Register one of the late players, if entries are open."""
    course.late_left -= 1
    if not course.is_over() and entries_open(course):
        users = [entry.user for entry in course.field.entries.values()]
        seat_late(course, course.enter(max(users) + 1), lost_at=None)
        course.follow_up()


def seat_late(course: SimulationState, entry: SimulatedEntry, *, lost_at: int | None) -> None:
    """Draw a seat at the shortest tables without an own entry, else open a table (E-01..E-03)."""
    field = course.field
    staying = staying_tables(course)
    sizes = {
        table.number: table.size
        for table in staying
        if table.view().open_seats and not _has_own(course, table, entry)
    }
    longest = max((table.size for table in staying), default=0)
    number = late_table(sizes, course.lot, longest=longest, lost_at=lost_at)
    if number is None:
        seat = course.lot.randrange(course.options.seats_per_table) + 1
        opened = field.open({seat: entry.number}, course.options.seats_per_table)
        course.look_at(opened)
        return
    table = field.tables[number]
    table.reserved[drawn(table.view().open_seats, course.lot)] = entry.number
    entry.table = number


def staying_tables(course: SimulationState) -> list[SimulatedTable]:
    """Return the tables that do not close next, in the break order (T-08)."""
    field = course.field
    order = balancing.break_order({table.number: table.number for table in field.open_tables})
    doomed = balancing.tables_doomed(
        len(order), field.left, course.options.seats_per_table, entries_open=entries_open(course)
    )
    return [field.tables[number] for number in order[doomed:]]


def hold_entry(
    course: SimulationState,
    table: SimulatedTable,
    out: SimulatedEntry,
    knock_out: BustedEntry,
    winners: list[SimulatedEntry],
) -> bool:
    """Make an offer to a busted entry, pending until the answer; True if made (E-02, E-04)."""
    answer = _offered(course, out)
    if answer is None:
        return False
    out.state = "pending"
    if answer == "reentry":
        table.leave(out.number)
    buys = course.lot.randrange(100) < course.options.buys_again_percent
    takes_ms = course.lot.randrange(course.options.offer_ms) if buys else course.options.offer_ms

    def decide() -> None:
        if course.is_over():
            return
        if buys and answer == "rebuy":
            out.state = "seated"
            _buy_chips(course, out)
        else:
            eliminations.go_out(course, out, knock_out, winners)
            if buys:
                seat_late(course, course.enter(out.user), lost_at=table.number)
        course.follow_up()

    course.later(takes_ms, decide)
    return True


def waits_for_offer(course: SimulationState, table: SimulatedTable) -> bool:
    """Return whether a seat here waits for its offer's answer, at most for the offer's time."""
    return any(course.field.entries[entry].state == "pending" for entry in table.seats.values())


def at_boundary(course: SimulationState, table: SimulatedTable) -> None:
    """Give bought chips, let short stacks re-buy, and merge entries of one player."""
    from tournaments.simulation import merges

    for number in table.seats.values():
        entry = course.field.entries[number]
        entry.chips, entry.owed = entry.chips + entry.owed, 0
        if _wants_more(course, entry):
            _buy_chips(course, entry)
    if course.options.several_at_once:
        merges.when_few(course, entries_open=entries_open(course))


def close_when_done(course: SimulationState) -> None:
    """Fix the pool once nothing can be bought and no offer is open (E-05..E-07)."""
    if course.money.pool is not None:
        return
    live = course.field.in_play()
    if any(entry.state == "pending" for entry in live):
        return
    rebuys = course.options.rebuys
    still_open = entries_open(course) or (
        rebuys is not None and entries.rebuys_open(rebuys, course.standing())
    )
    if still_open and len(live) > 1 and not course.stopping:
        return
    close_sales(course)


def close_sales(course: SimulationState) -> None:
    """Sell the add-on once, then fix the pool; a second call changes nothing."""
    if course.money.pool is not None:
        return
    options = course.options
    if options.add_on and not course.add_on_asked and not course.stopping:
        course.add_on_asked = True
        for entry in course.field.in_play():
            if course.lot.randrange(100) < options.buys_again_percent:
                course.money.buy(entry, options.add_on_price, options.add_on_fee)
                entry.add_ons += 1
                entry.owed += options.add_on_chips
                entry.bought += options.add_on_chips
    course.money.fix(len(course.field.entries), course.lot)


def _offered(course: SimulationState, out: SimulatedEntry) -> str | None:
    """Return the offer for a busted entry: a re-buy at its seat, else a new entry; or None."""
    if course.money.pool is not None or course.stopping:
        return None
    if _may_rebuy(course, out):
        return "rebuy"
    options, field = course.options, course.field
    own = [entry for entry in field.entries.values() if entry.user == out.user]
    live = sum(1 for entry in own if entry.state in ("seated", "pending") and entry is not out)
    try:
        entries.check_entry(
            live=live,
            entered=len(own),
            entries_max=options.entries_max,
            several_at_once=options.several_at_once,
            is_open=entries_open(course),
            is_barred=any(entry.state == "disqualified" for entry in own),
        )
    except Refusal:
        return None
    return "reentry"


def _wants_more(course: SimulationState, entry: SimulatedEntry) -> bool:
    """Return whether a seat with chips re-buys before the next hand (E-04)."""
    if course.options.rebuy_threshold == "zero" or not entry.chips:
        return False
    likely = course.options.buys_again_percent // 2
    return _may_rebuy(course, entry) and course.lot.randrange(100) < likely


def _may_rebuy(course: SimulationState, entry: SimulatedEntry) -> bool:
    rebuys, options = course.options.rebuys, course.options
    if rebuys is None or course.money.pool is not None:
        return False
    try:
        entries.check_rebuy(
            rebuys,
            course.standing(),
            chips=entry.chips,
            starting_stack=options.starting_stack,
            bought=entry.rebuys,
        )
    except Refusal:
        return False
    return True


def _buy_chips(course: SimulationState, entry: SimulatedEntry) -> None:
    options = course.options
    course.money.buy(entry, options.rebuy_price, options.rebuy_fee)
    entry.rebuys += 1
    entry.chips += options.rebuy_chips
    entry.bought += options.rebuy_chips


def _has_own(course: SimulationState, table: SimulatedTable, entry: SimulatedEntry) -> bool:
    sitting = (*table.seats.values(), *table.reserved.values())
    return any(course.field.entries[other].user == entry.user for other in sitting)
