"""Failover drill: one tournament of bots, one server lost in it, and what that cost."""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings

from deploy.cluster import headless
from deploy.cluster.room import Room
from deploy.drills.failover.losses import Harmed, Loss
from deploy.drills.tending import tend_until
from deploy.measuring.pulse import Fault, Pulse
from deploy.measuring.void_hands import void_by_shard
from deploy.processes import programs
from tables.models import Hand
from tournaments.locks import DIRECTOR
from tournaments.monitor import report as reports

HANDS_BEFORE = 30
"""Hands of a tournament that are settled before a server is lost."""

STEADY_S = 3.0
"""Longest silence of a table that goes on."""

GOES_ON_WITHIN_S = 60.0
"""Silence after a loss from which a table counts as stopped."""


@dataclass(frozen=True, slots=True)
class DrillPlan:
    """Limit of a drill in seconds, and the folder of the bots' histories."""

    within_s: float
    history: Path


def run_drill(room: Room, name: str, lose: Loss, plan: DrillPlan, seed: int) -> dict[str, Any]:
    """Play one tournament with one loss; return its findings, times in seconds."""
    history = plan.history / f"{name}-{seed}"
    history.mkdir(parents=True, exist_ok=True)
    headless.clear_histories(history)
    tournament = headless.create(room.options).pk
    swarm = _send_bots(room, tournament, f"swarm-{name}-{seed}", history)
    give_up_s = time.monotonic() + plan.within_s
    tend_until(room, lambda: _hands(tournament) >= HANDS_BEFORE, give_up_s)
    pulse = Pulse(settings.ROOM_REDIS_URL, shards=settings.SHARDS)
    try:
        fault = pulse.begin(name)
        harmed = lose(room, random.Random(seed))  # nosec B311
        lost_s = time.monotonic()
        tend_until(room, lambda: _goes_on(fault, lost_s), lost_s + GOES_ON_WITHIN_S)
        pulse.end(fault)
    finally:
        pulse.close()
    harmed.mend()
    tend_until(room, lambda: headless.is_over(tournament), give_up_s)
    tend_until(room, swarm.exists, time.monotonic() + headless.SWARM_ENDS_WITHIN_S)
    room.supervisor.retire(swarm.stem)
    found = _findings(tournament, swarm, history, fault, harmed)
    found["violations"] += room.take_defects()
    return found


def _findings(
    tournament: int, swarm: Path, history: Path, fault: Fault, harmed: Harmed
) -> dict[str, Any]:
    said = json.loads(swarm.read_text()) if swarm.exists() else {}
    played = reports.build(tournament, said)
    void = void_by_shard(tournament)
    stood_s = sorted(fault.stood_s.values())
    found: dict[str, Any] = {
        "loss": harmed.what,
        "tournament": tournament,
        "shards": sorted(harmed.shards),
        "tables": len(stood_s),
        "stood_s": {table: round(s, 2) for table, s in sorted(fault.stood_s.items())},
        "went_on_s": round(stood_s[-1], 2) if stood_s else None,
        "void": void,
        "void_elsewhere": sum(n for shard, n in void.items() if shard not in harmed.shards),
        "hands": played["hands"],
        "actions": played["actions"],
        "violations": list(played["violations"]),
    }
    headless.add_histories(found, history)
    if not played["finished"] or not reports.is_right(played):
        found["violations"].append(f"the tournament is {played['state']}, or does not add up")
    if fault.waiting:
        found["violations"].append(f"did not go on: {', '.join(sorted(fault.waiting))}")
    if found["void_elsewhere"]:
        found["violations"].append("hands of other shards are void")
    return found


def _goes_on(fault: Fault, lost_s: float) -> bool:
    """Return whether every table goes on so long after a loss that none does so from before it."""
    now_s = time.monotonic()
    return now_s - lost_s > STEADY_S and fault.steady(now_s, STEADY_S)


def _hands(tournament: int) -> int:
    return Hand.objects.filter(table__director=DIRECTOR, table__game=tournament).count()


def _send_bots(room: Room, tournament: int, name: str, history: Path) -> Path:
    """Start the bots of a tournament; return the file of their report."""
    sessions = room.layout.run / f"{name}.sessions"
    headless.sessions_of_bots(sessions, room.options.players)
    report = room.layout.run / f"{name}.json"
    arguments = [
        *("--players", str(room.options.players), "--think", room.options.think),
        *("--sessions", str(sessions), "--history", str(history)),
        *("--tournament", str(tournament)),
    ]
    how = programs.swarm(room.layout, arguments, report)
    log = room.layout.logs / f"{name}.log"
    room.supervisor.start([replace(how, name=name, log=log)])
    return report
