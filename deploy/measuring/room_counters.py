"""Counters of a room and the usage of each of its processes, at one moment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection

from config import redis
from deploy.measuring.histograms import Spans, counts_of, spans_of
from deploy.measuring.processes import Usage, since, usages
from deploy.processes.supervisor import Supervisor
from tables.fairness.cutting import CutState
from tables.models import Hand


@dataclass(frozen=True, slots=True)
class CounterReading:
    """Monotonic counters at one moment."""

    usage: Mapping[str, Usage]
    hands: int
    room_commands: int
    room_scripts: int
    broker_messages: int
    transactions: int
    machine_busy: tuple[int, int]
    lateness: Spans
    balancer: Spans
    cuts: Mapping[str, int]
    """Seats dealt in since the start, by the state of their pledge at the deal."""
    cut_waits: Spans

    @classmethod
    def now(cls, supervisor: Supervisor, numbers: Path) -> CounterReading:
        """Read processes, PostgreSQL, both Redis servers and the `numbers` of the room."""
        names = supervisor.restarts()
        leaders = {name: pid for name in names if (pid := supervisor.pid(name)) is not None}
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT xact_commit + xact_rollback FROM pg_stat_database"
                " WHERE datname = current_database()"
            )
            transactions = int(cursor.fetchone()[0])
        room: Any = redis.room()
        stats = redis.infos(room, "commandstats")
        scripts = sum(one.get("cmdstat_evalsha", {"calls": 0})["calls"] for one in stats)
        bells: Any = redis.broker().info("commandstats")
        return cls(
            usage=usages(leaders),
            hands=Hand.objects.count(),
            room_commands=sum(
                int(one["total_commands_processed"]) for one in redis.infos(room, "stats")
            ),
            room_scripts=int(scripts),
            broker_messages=int(bells.get("cmdstat_lpush", {"calls": 0})["calls"]),
            transactions=transactions,
            machine_busy=_machine(),
            lateness=spans_of(numbers, "room_deadline_lateness_seconds"),
            balancer=spans_of(numbers, "room_balancer_seconds"),
            cuts=counts_of(numbers, "room_cuts_total", "state"),
            cut_waits=spans_of(numbers, "room_cut_wait_seconds"),
        )


def difference(before: CounterReading, after: CounterReading, seconds: float) -> dict[str, Any]:
    """Return the differences between two readings, in the form of the report."""
    used = since(before.usage, after.usage)
    hands = max(1, after.hands - before.hands)
    busy, total = (b - a for a, b in zip(before.machine_busy, after.machine_busy, strict=True))
    return {
        "deadlines_late": after.lateness.since(before.lateness),
        "balancer": after.balancer.since(before.balancer),
        "hands_per_s": round((after.hands - before.hands) / seconds, 2),
        "pledges": _pledges(before, after),
        "cores": {name: round(one.cpu_s / seconds, 3) for name, one in used.items()},
        "memory_mb": {name: round(one.memory_bytes / 2**20, 1) for name, one in used.items()},
        "machine_busy": round(busy / max(1, total), 3),
        "machine_cores": os.cpu_count(),
        "redis_commands_per_hand": round((after.room_commands - before.room_commands) / hands, 1),
        "redis_scripts_per_hand": round((after.room_scripts - before.room_scripts) / hands, 1),
        "transactions_per_hand": round((after.transactions - before.transactions) / hands, 1),
    }


def _pledges(before: CounterReading, after: CounterReading) -> dict[str, Any]:
    """Return what became of the pledges between two readings, and the time added to a hand.

    `late` are those whose seed was not there at the deal; `share` is None when none was called.
    """
    counts = {
        state.name: after.cuts.get(state.name.lower(), 0) - before.cuts.get(state.name.lower(), 0)
        for state in CutState
    }
    in_time = counts[CutState.OPENED.name]
    late = counts[CutState.SILENT.name] + counts[CutState.LATE.name]
    called = in_time + late
    return {
        "called": called,
        "in_time": in_time,
        "late": late,
        "share": round(in_time / called, 5) if called else None,
        "seats_without": counts[CutState.NO_PLEDGE.name],
        "added_to_hand": after.cut_waits.since(before.cut_waits),
    }


def _machine() -> tuple[int, int]:
    """Return the busy ticks of all cores and all ticks (Linux)."""
    words = Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    ticks = [int(word) for word in words]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)
