"""Attacks on a room's front door with players beside, measured: `manage.py attack`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Sum

from accounts.ledger.kinds import WELCOME
from accounts.models import Posting
from config import limits
from config.door.lanes import PROGRAMS_AT_ONCE, STREAM_THREADS
from config.environment import HOME
from deploy.cluster import headless
from deploy.cluster.room import Room
from deploy.drills.attackers import ATTACKS
from deploy.measuring.processes import usages
from deploy.measuring.swarm_notes import seen_between
from deploy.processes.asking import PolledAnswer
from tables.models import Table
from tournaments.locks import DIRECTOR
from tournaments.models import Tournament

P99_MAX_MS = 150.0
WEB_MAX_MB = 600.0
JOIN_MAX_S = 300.0
CALM = "(calm)"
LOOK_EVERY_S = 0.5
CALM_S = 2.0
"""Pause after each attack whose effect on the players' latencies is judged."""
COLUMNS = (
    "attack",
    "p99_ms",
    "to_calm",
    "decisions",
    "web_mb",
    "web_cores",
    "load",
    "connections",
    "answers",
)


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """Attacks to run, their duration in s, their size (1.0 is full size), and what is judged.

    `timed` judges the players' p99, which is meaningful only on a quiet machine.
    """

    attacks: Sequence[str]
    seconds: float
    size: float
    faster: float
    timed: bool
    report: Path | None


class WebUsageWatch:
    """Sampling thread for peak memory, PostgreSQL sessions and processor time of web."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._over = threading.Event()
        self.memory_bytes = 0
        self._began_s = self._ended_s = time.monotonic()
        self._cpu_s: list[float] = []
        self.connections = 0
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop sampling."""
        self._over.set()
        self._thread.join()

    def cores(self) -> float:
        """Return how many cores web kept busy on average."""
        if len(self._cpu_s) < 2:
            return 0.0
        return (self._cpu_s[-1] - self._cpu_s[0]) / (self._ended_s - self._began_s)

    def _look(self) -> None:
        try:
            while not self._over.wait(LOOK_EVERY_S):
                pid = self._room.supervisor.pid("web")
                if pid is not None:
                    used = usages({"web": pid})["web"]
                    self.memory_bytes = max(self.memory_bytes, used.memory_bytes)
                    self._note(used.cpu_s)
                with connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'web'"
                    )
                    self.connections = max(self.connections, int(cursor.fetchone()[0]))
        finally:
            connection.close()

    def _note(self, cpu_s: float) -> None:
        self._ended_s = time.monotonic()
        if not self._cpu_s:
            self._began_s = self._ended_s
        self._cpu_s.append(cpu_s)


class Attack:
    """Run of attacks, one after the other, on a room with players at tables."""

    def __init__(self, room: Room, plan: AttackPlan) -> None:
        self._room = room
        self._plan = plan
        self._course = room.layout.run / "swarm.course.jsonl"

    def run(self) -> int:
        """Seat the players, attack, print the table; return 0 when every goal was met."""
        self._let_in()
        rows = [self._measure(CALM)]
        rows += [self._measure(name) for name in self._plan.attacks]
        _compare(rows)
        self._room.supervisor.retire("swarm")
        path = self._room.swarm_report
        swarm = json.loads(path.read_text()) if path.exists() else {}
        report = {
            "players": self._room.options.players,
            "rows": rows,
            "violations_seen": swarm.get("violations_seen", -1),
            "restarts": self._room.supervisor.restarts(),
        }
        report["missed"] = missed = _missed(report, timed=self._plan.timed)
        if self._plan.report:
            self._plan.report.write_text(json.dumps(report, indent=2) + "\n")
        self._room.terminal.say(table(rows))
        self._room.terminal.say("\n".join(["MISSED:", *missed]) if missed else "all goals met")
        return 1 if missed else 0

    def _let_in(self) -> None:
        """Seat all players in one tournament of one long level."""
        levels = [{"type": "level", "small_blind": 50, "big_blind": 100, "lasts_ms": 3_600_000}]
        offer = {"structure": levels, "structure_name": "attack", "starting_stack": 20_000}
        options = replace(self._room.options, offer=offer)
        tournament = headless.create(options).pk
        orders = self._room.layout.run / "orders"
        orders.write_text(str(self._plan.faster))
        self._course.unlink(missing_ok=True)
        self._room.start_swarm(
            [
                *headless.swarm_arguments(self._room),
                *("--tournament", str(tournament), "--connects", "40"),
                *("--course", str(self._course), "--orders", str(orders)),
            ]
        )
        asked = PolledAnswer(lambda: _all_play(tournament, options.players), False, LOOK_EVERY_S)
        give_up_s = time.monotonic() + JOIN_MAX_S
        self._room.run(lambda: asked.answer or time.monotonic() > give_up_s)
        asked.close()
        self._wait(self._plan.seconds / 2)

    def _measure(self, name: str) -> dict[str, Any]:
        """Attack for a while; return the players' latencies, web's usage and the answers."""
        money = _welcomed()
        watch, began_at = WebUsageWatch(self._room), time.time()
        attacking = None if name == CALM else self._start(name)
        self._wait(self._plan.seconds)
        ended_at = time.time()
        watch.end()
        answers = {} if attacking is None else _told(attacking)
        seen = seen_between([self._course], began_at, ended_at)
        row = {
            "attack": name,
            "p99_ms": seen.latency.summary()["p99"],
            "decisions": seen.counts["decisions"],
            "timed_out": seen.counts["timed_out"],
            "web_mb": round(watch.memory_bytes / 2**20, 1),
            "web_cores": round(watch.cores(), 2),
            "load": round(os.getloadavg()[0], 1),
            "connections": watch.connections,
            "welcomed_cents": _welcomed() - money,
            "answers": answers,
        }
        self._room.terminal.say(json.dumps(row))
        if self._plan.timed:  # the next attack is measured in a room that is calm again
            self._wait(CALM_S)
        return row

    def _start(self, name: str) -> subprocess.Popen[str]:
        near, plan = self._room.layout.near, self._plan
        size, seconds = str(plan.size), str(plan.seconds)
        command = [sys.executable, "-m", "deploy.drills.attackers", name, near, size, seconds]
        return subprocess.Popen(command, cwd=HOME, stdout=subprocess.PIPE, text=True)

    def _wait(self, seconds: float) -> None:
        until_s = time.monotonic() + seconds
        self._room.run(lambda: time.monotonic() >= until_s)


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows as a Markdown table, as in docs/security.md."""
    cells = [COLUMNS, *([_cell(row[name]) for name in COLUMNS] for row in rows)]
    widths = [max(3, *(len(line[n]) for line in cells)) for n in range(len(COLUMNS))]
    lines = [
        " | ".join(word.ljust(width) for word, width in zip(line, widths, strict=True))
        for line in cells
    ]
    lines.insert(1, " | ".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in lines)


def _compare(rows: Sequence[dict[str, Any]]) -> None:
    """Add the difference of each row's p99 to the calm one's."""
    calm = rows[0]["p99_ms"]
    for row in rows:
        row["to_calm"] = round(row["p99_ms"] / calm, 2) if calm and row["p99_ms"] else None


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in sorted(value.items())) or "-"
    return "-" if value is None else str(value)


def _told(attacking: subprocess.Popen[str]) -> dict[str, int]:
    try:
        said, _ = attacking.communicate(timeout=30)
        return dict(json.loads(said))
    except (subprocess.TimeoutExpired, ValueError):
        attacking.kill()
        attacking.wait()
        return {"attacker failed": 1}


def _all_play(tournament: int, players: int) -> bool:
    entrants = Tournament.objects.values_list("entrants", flat=True).get(pk=tournament)
    tables = Table.objects.filter(director=DIRECTOR, game=tournament)
    return entrants >= players and tables.exists() and not tables.filter(hand=0).exists()


def _welcomed() -> int:
    """Return the play money credited to newcomers so far, in cents."""
    given = Posting.objects.filter(transfer__kind=WELCOME, amount__gt=0)
    return int(given.aggregate(sum=Sum("amount"))["sum"] or 0)


def _missed(report: dict[str, Any], *, timed: bool) -> list[str]:
    """Return every missed goal as a sentence."""
    found = []
    threads = settings.PAGES_AT_ONCE + settings.PASSWORD_HASHES_AT_ONCE + STREAM_THREADS
    sessions = threads + PROGRAMS_AT_ONCE + limits.PROBES_AT_ONCE + limits.SOCKET_DATABASE_THREADS
    gifts = settings.WELCOMES_PER_ADDRESS_PER_DAY * limits.PLAY_MONEY_WELCOME_CENTS
    for row in report["rows"]:
        name, answers = row["attack"], row["answers"]
        if timed and (row["p99_ms"] is None or row["p99_ms"] >= P99_MAX_MS):
            found.append(f"{name}: players' p99 was {row['p99_ms']} ms, not below {P99_MAX_MS}")
        if not row["decisions"]:
            found.append(f"{name}: no decisions were made")
        if not 0 < row["web_mb"] < WEB_MAX_MB:
            found.append(f"{name}: web took {row['web_mb']} MB, not below {WEB_MAX_MB}")
        if row["connections"] > sessions:
            found.append(f"{name}: web had {row['connections']} connections, above {sessions}")
        if row["welcomed_cents"] > gifts:
            found.append(f"{name}: {row['welcomed_cents']} cents were given, above {gifts}")
        if answers.get("500") or answers.get("attacker failed"):
            found.append(f"{name}: {_cell(answers)}")
        if name != CALM and not answers:
            found.append(f"{name}: nothing was answered")
    if report["violations_seen"]:
        found.append(f"players saw {report['violations_seen']} violations")
    found += [f"{name} restarted {n} times" for name, n in report["restarts"].items() if n]
    return found


def named(names: str) -> list[str]:
    """Return the attacks of a comma-separated list, all for an empty one; raise ValueError."""
    wanted = [name.strip() for name in names.split(",") if name.strip()] or list(ATTACKS)
    if unknown := [name for name in wanted if name not in ATTACKS]:
        raise ValueError(f"no such attacks: {', '.join(unknown)}; there are {', '.join(ATTACKS)}")
    return wanted
