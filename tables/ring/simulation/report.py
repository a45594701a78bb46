"""Report of simulated ring games as a JSON object, all money in minor units."""

from __future__ import annotations

from typing import Any

from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.simulation.bank import RAKE, jackpot
from tables.ring.simulation.run import RingSimulation


def build_report(run: RingSimulation, violations: list[str]) -> dict[str, Any]:
    """Build the report of a run, whole or broken; `duration_s` is virtual."""
    sums = run.bank.sums
    fed = sum(sums[f"feed:{kind}"] for kind in JACKPOTS)
    return {
        "seed": run.seed,
        "hands": run.hands,
        "tables": [
            {
                "variant": table.terms.variant,
                "limit": table.terms.limit,
                "hands": table.hands,
                "seated": len(table.sessions),
                "waiting": len(table.waiting),
            }
            for table in run.tables
        ],
        "rake": {
            "expected": run.expected_rake,
            "taken": sums["rake"] + fed,
            "attributed": run.attributed,
            "room": run.bank.balances[RAKE],
        },
        "jackpots": {
            kind: {
                "expected": run.expected_feed[kind],
                "fed": sums[f"feed:{kind}"],
                "falls": run.falls[kind],
                "paid": sums[f"paid:{kind}"],
                "room": sums[f"room:{kind}"],
                "pool": run.bank.balances[jackpot(kind)],
            }
            for kind in JACKPOTS
        },
        "bought": sums["buy_in"],
        "cashed_out": sums["cash_out"],
        "freed": dict(sorted(run.freed.items())),
        "refused": dict(sorted(run.refusals.items())),
        "duration_s": run.now_ms / 1_000,
        "ledger_sum": run.bank.total(),
        "violations": violations,
    }
