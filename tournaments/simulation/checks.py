"""Invariants of a simulated tournament, asserted during play and at its end."""

from __future__ import annotations

from collections import Counter

from tournaments.simulation.bank import BOUNTY, POOL, TICKETS
from tournaments.simulation.field import IN_PLAY
from tournaments.simulation.state import SimulationState


def check_running(course: SimulationState) -> None:
    """Assert chips in play equal chips bought, one seat for each live entry (invariants 1, 3)."""
    field = course.field
    live = field.in_play()
    chips = sum(entry.chips + entry.owed for entry in live)
    bought = sum(entry.bought for entry in field.entries.values())
    assert chips + field.retired == bought, f"{chips} + {field.retired} chips of {bought}"
    seats = Counter(
        entry
        for table in field.open_tables
        for entry in (*table.seats.values(), *table.reserved.values())
    )
    for entry in live:
        most = 1 if entry.state == "pending" else seats[entry.number]
        assert most == 1, f"entry {entry.number} sits at {seats[entry.number]} seats"
    assert all(field.entries[entry].state in IN_PLAY for entry in seats), (
        "only live entries have seats"
    )
    heads = sum(entry.head for entry in field.entries.values()) + sum(course.nobodys)
    held = course.money.bank[BOUNTY]
    assert heads + sum(course.money.at_end.values()) == held, "the bounty account equals the heads"
    assert course.money.bank.total() == 0, "the ledger sums to zero"


def validate_end(course: SimulationState) -> None:
    """Assert at the end that the pool is paid to the cent, places are given, no bounty is left."""
    money, field = course.money, course.field
    entries = field.entries.values()
    assert money.bank.total() == 0, "the ledger sums to zero"
    assert money.bank[POOL] == 0, f"{money.bank[POOL]} are left in the pool"
    assert money.bank[BOUNTY] == 0, f"{money.bank[BOUNTY]} are left of the bounties"
    tickets = sum(entry.tickets for entry in entries)
    assert money.bank[TICKETS] == tickets, "the liability equals the tickets won"
    if course.options.cancel:
        return
    assert not any(entry.state in IN_PLAY for entry in entries), "no entry is left in play"
    given = sorted(entry.place for entry in entries)
    due = 1
    for place, times in sorted(Counter(given).items()):
        assert place == due, f"place {place} was given where {due} was due"
        due += times
    paid = sum(entry.prize for entry in entries)
    kept = money.pool is not None and course.options.format_rules.pays_tickets
    assert paid == money.pool or (kept and not course.options.winners_cash), "the pool is paid"
