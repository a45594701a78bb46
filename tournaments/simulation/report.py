"""The report of a simulated tournament, with the fields of a real tournament's report."""

from __future__ import annotations

from typing import Any

import msgspec

from tournaments.simulation.bank import FEES, POOL, TICKETS
from tournaments.simulation.state import SimulationState


def build(course: SimulationState, seed: int, violations: list[str]) -> dict[str, Any]:
    """Build the report as a JSON object; money in cents, `duration_s` virtual."""
    field, money = course.field, course.money
    entries = list(field.entries.values())
    live = field.in_play()
    counted = sum(entry.chips + entry.owed for entry in entries) + field.retired
    return {
        "seed": seed,
        "options": msgspec.to_builtins(course.options),
        "finished": course.is_over() and not violations,
        "players": len({entry.user for entry in entries}),
        "entries": len(entries),
        "left": len(live),
        "rebuys": sum(entry.rebuys for entry in entries),
        "add_ons": sum(entry.add_ons for entry in entries),
        "left_with_stack": course.left_with_stack,
        "merged": sum(entry.state == "merged" for entry in entries),
        "seats_per_table": course.options.seats_per_table,
        "tables_opened": field.opened,
        "tables_closed": field.opened
        if course.is_over()
        else field.opened - len(field.open_tables),
        "moves": field.moves,
        "hands": field.hands,
        "actions": course.actions,
        "commands_rejected": 0,
        "chips_sold": sum(entry.bought for entry in entries),
        "chips_counted": counted,
        "pool": money.pool,
        "overlay": money.overlay,
        "paid": sum(entry.prize for entry in entries),
        "pool_left": money.bank[POOL],
        "fees": money.bank[FEES],
        "bounties": sum(entry.bounties_won for entry in entries),
        "tickets": money.bank[TICKETS],
        "ledger_sum": money.bank.total(),
        "places": [
            {"place": entry.place, "player": f"{entry.user}#{entry.number}", "prize": entry.prize}
            for entry in sorted(entries, key=lambda entry: (entry.place, entry.number))
            if entry.place
        ],
        "levels_reached": course.level().number,
        "duration_s": course.now_ms / 1_000,
        "restarts": 0,
        "told": course.told,
        "violations": violations,
    }
