"""Report of a chaos run: faults, recovery times, and violations."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from deploy.cluster import headless
from deploy.drills.chaos_plan import ChaosPlan, ChaosRecord
from deploy.measuring.pulse import Fault
from deploy.processes.supervisor import Supervisor
from tournaments.monitor import report as reports

SUMMED = ("hands", "actions", "moves")


def build(supervisor: Supervisor, wanted: ChaosPlan, told: ChaosRecord) -> dict[str, Any]:
    """Return everything about a run as one JSON object; times in seconds unless named otherwise."""
    swarms = [_swarm(path) for path in told.swarm_reports]
    restarts = supervisor.restarts()
    played = [
        reports.build(number, swarm) for number, swarm in zip(told.tournaments, swarms, strict=True)
    ]
    report: dict[str, Any] = {
        "seed": wanted.seed,
        "minutes": wanted.minutes,
        "faults": dict(sorted(told.harms.items())),
        "faults_done": sum(told.harms.values()),
        "faults_without_victim": told.missed,
        "kills": sum(
            n for name, n in told.harms.items() if name.startswith(("kill", "empty", "reset"))
        ),
        "kills_per_s": _rate(told),
        "tournaments": len(played),
        "players": wanted.players * wanted.tournaments,
        **{key: sum(one[key] for one in played) for key in SUMMED},
        "ring": {key: value for key, value in told.ring.items() if key != "violations"},
        "decisions": sum(swarm.get("decisions", 0) for swarm in swarms),
        "recoveries": recoveries(told.faults),
        "restarts": sum(restarts.values()),
        "action_to_stream_ms_max": _slowest(swarms),
        "reconnects": sum(swarm.get("reconnects", 0) for swarm in swarms),
        "violations": [
            *_wrong(played),
            *told.ring.get("violations", ()),
            *(f"not recovered: {one}" for one in told.unrecovered),
            *told.defects,
        ],
    }
    headless.add_histories(report, wanted.history)
    return report


def verdict(report: dict[str, Any]) -> str:
    """Return the report in a few lines for people."""
    every = report["recoveries"].get("all", {})
    lines = [
        f"faults {report['faults_done']}  kills {report['kills']}  hands {report['hands']}"
        f"  tournaments {report['tournaments']}  restarts {report['restarts']}",
        f"ring games {report['ring'] or 'none'}",
        f"actions {report['histories']['fates']}",
        f"longest silence of a table after a fault: {every.get('stood_s')}",
    ]
    wrong = report["violations"]
    head = "all right" if not wrong else f"NOT RIGHT: {len(wrong)} violations"
    return "\n".join([head, *(f"  {line}" for line in lines), *(f"  {one}" for one in wrong[:20])])


def recoveries(faults: Iterable[Fault]) -> dict[str, Any]:
    """Return recovery seconds by kind of fault and of all; the slowest table of a fault counts."""
    by_name: dict[str, list[Fault]] = {}
    for fault in faults:
        for name in ("all", fault.name):
            by_name.setdefault(name, []).append(fault)
    return {
        name: {
            "count": len(some),
            "next_s": spread([max(f.next_s.values()) for f in some if f.next_s]),
            "stood_s": spread([max(f.stood_s.values()) for f in some if f.stood_s]),
        }
        for name, some in sorted(by_name.items())
    }


def spread(values: list[float]) -> dict[str, float | None]:
    """Return p50, p99 and max; None without measurements."""
    if not values:
        return {"p50": None, "p99": None, "max": None}
    ordered = sorted(values)
    at = {share: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99)}
    return {
        "p50": round(at[0.5], 2),
        "p99": round(at[0.99], 2),
        "max": round(ordered[-1], 2),
    }


def saw_the_end(path: Path) -> bool:
    """Return whether the swarm of this report ended because its tournament was over."""
    return bool(_swarm(path).get("over"))


def _wrong(played: list[dict[str, Any]]) -> list[str]:
    wrong = []
    for one in played:
        wrong += one["violations"]
        if not one["finished"]:
            wrong.append(f"tournament {one['tournament']} did not finish")
        elif not one["violations"] and not reports.is_right(one):
            wrong.append(f"tournament {one['tournament']}: chips, money or places do not add up")
    return wrong


def _rate(told: ChaosRecord) -> float:
    kills = sum(n for name, n in told.harms.items() if name.startswith("kill"))
    return round(kills / max(1.0, told.injected_s), 2)


def _swarm(path: Path) -> dict[str, Any]:
    """Return a swarm's report; a swarm that was killed at its very end has none."""
    said: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return said


def _slowest(swarms: list[dict[str, Any]]) -> float | None:
    found = [swarm.get("action_to_stream_ms", {}).get("max") for swarm in swarms]
    return max((one for one in found if one is not None), default=None)
