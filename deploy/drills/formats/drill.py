"""Play every format once in one room, several side by side, and judge each report."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
from django.utils import timezone

from accounts.models import User
from accounts.users import bots
from deploy.cluster import headless
from deploy.cluster.room import Room
from deploy.drills.formats import exporting, ring_runs, verdicts
from deploy.drills.formats.ring_runs import RingRun
from deploy.drills.formats.run import FormatRun, quick
from deploy.drills.ring_part import RingPart
from deploy.processes import programs
from tables.ring.models import RingGame
from tournaments.monitor import audit_watch

STARTS_AFTER_S = 30.0
"""Usual seconds until a scheduled tournament starts, in which its bots register."""
LOOK_EVERY_S = 0.5
REPORT_WITHIN_S = 20.0
"""Seconds a swarm gets to write its report after the end."""


@dataclass(slots=True)
class RunningFormat:
    """Run in play: its tournament, its swarm, and the deadlines of both."""

    run: FormatRun
    tournament: int
    report: Path
    began_s: float
    over_s: float = 0.0

    @property
    def swarm(self) -> str:
        """Name of the process of its bots."""
        return f"swarm_{self.run.name}"


@dataclass
class Formats:
    """Drill on one room; reports go to a folder, one file per run.

    One swarm plays all ring games while tournaments are played, several side by side.
    """

    room: Room
    runs: list[FormatRun]
    rings: list[RingRun]
    side_by_side: int
    folder: Path
    seed: int = 1
    export: Path | None = None
    """Prepared folder of all hands, with a folder for each run."""
    starts_after_s: float = STARTS_AFTER_S
    reports: dict[str, dict[str, Any]] = field(default_factory=dict)
    _playing: list[RunningFormat] = field(default_factory=list)
    _bots: int = 0
    _tournaments: dict[str, int] = field(default_factory=dict)
    _targets: dict[str, tuple[int, int]] = field(default_factory=dict)
    _next_look_s: float = 0.0
    _found: set[str] = field(default_factory=set)

    def run(self) -> int:
        """Play all runs, write their reports, print the table; return 0 without violations."""
        self.room.start_second_workers()
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("*.json"):
            old.unlink()
        led_to = {run.leads_to for run in self.runs}
        waiting = deque(run for run in self.runs if run.name not in led_to)
        games = [ring_runs.open_run(ring) for ring in self.rings]
        began_s, part = time.monotonic(), self._begin_rings(games)
        self.room.run(lambda: self._step(waiting))
        give_up_s = time.monotonic() + self.room.options.within_s
        self.room.run(lambda: ring_runs.all_played(games) or time.monotonic() > give_up_s)
        ended = part.end(self.room.options.within_s)
        self._judge_rings(games, ended, time.monotonic() - began_s)
        if self.export is not None:
            ring_games = {ring.name: game.pk for ring, game in zip(self.rings, games, strict=True)}
            total = exporting.export(self.export, self._tournaments, ring_games)
            self.room.terminal.say(f"{total} hands written to {self.export}")
        names = [*(run.name for run in self.runs), *(ring.name for ring in self.rings)]
        ordered = {name: self.reports[name] for name in names}
        self.room.terminal.say(verdicts.table(ordered))
        wrong = [f"{name}: {one}" for name, said in ordered.items() for one in said["violations"]]
        wrong += [*sorted(self._found), *self.room.take_defects()]
        for one in wrong:
            self.room.terminal.say(f"NOT RIGHT: {one}")
        return 1 if wrong else 0

    def _begin_rings(self, games: list[RingGame]) -> RingPart:
        """Start the swarm that plays all ring games."""
        bots = len(games) * ring_runs.BOTS_PER_GAME
        headless.clear_histories(self._ring_history)
        part = RingPart(self.room, games, bots, self.seed, self._ring_history)
        part.begin(self._next_bots(bots))
        return part

    def _step(self, waiting: deque[FormatRun]) -> bool:
        """Check every tournament in play; return whether all runs are done."""
        now_s = time.monotonic()
        if now_s < self._next_look_s:
            return False
        self._next_look_s = now_s + LOOK_EVERY_S
        for playing in list(self._playing):
            if self._is_done(playing, now_s):
                self._playing.remove(playing)
                self._judge(playing, now_s)
                if playing.run.leads_to:
                    waiting.appendleft(self._run_of(playing.run.leads_to))
        while waiting and len(self._playing) < self.side_by_side:
            self._begin(waiting.popleft())
        return not waiting and not self._playing

    def _run_of(self, name: str) -> FormatRun:
        return next(run for run in self.runs if run.name == name)

    def _begin(self, run: FormatRun) -> None:
        tournament, first = self._targets.get(run.name) or self._offer(run)
        self._tournaments[run.name] = tournament
        sessions = self.room.layout.run / f"{run.name}.jsonl"
        headless.sessions_of_bots(sessions, run.players, first)
        path = self.room.layout.run / f"{run.name}.swarm.json"
        playing = RunningFormat(run, tournament, path, time.monotonic())
        arguments = [
            *("--players", str(run.players), "--think", "fast", "--sessions", str(sessions)),
            *("--tournament", str(tournament), "--seed", str(self.seed)),
            *("--history", str(self._history(run))),
            *("--habits", msgspec.json.encode(run.habits).decode()),
        ]
        headless.clear_histories(self._history(run))
        how = programs.swarm(self.room.layout, arguments, path)
        log = self.room.layout.logs / f"{playing.swarm}.log"
        self.room.supervisor.start([replace(how, name=playing.swarm, log=log)])
        self._playing.append(playing)
        self.room.terminal.say(f"{run.name}: tournament {tournament}")

    @property
    def _ring_history(self) -> Path:
        return self.room.layout.home / "history" / "ring_games"

    def _history(self, run: FormatRun) -> Path:
        """Return the folder of the histories of a run's bots."""
        return self.room.layout.home / "history" / run.name

    def _next_bots(self, count: int) -> int:
        """Return the number of the first of `count` bots that play nowhere else."""
        first, self._bots = self._bots, self._bots + count
        return first

    def _offer(self, run: FormatRun, first: int | None = None) -> tuple[int, int]:
        """Create the tournament of a run and its target; return it with the number of its first
        bot.
        """
        if first is None:
            first = self._next_bots(run.players)
            _mark_pros(first, run)
        offer = {"name": run.name, **quick(), **run.offer}
        if run.leads_to:
            target, _ = self._offer(self._run_of(run.leads_to), first)
            self._targets[run.leads_to] = target, first
            offer["target"] = target
        if offer.get("start") == "scheduled":
            starts_at = timezone.now() + timedelta(seconds=self.starts_after_s)
            offer["starts_at"] = starts_at.isoformat()
        asked = replace(
            self.room.options, players=run.players, seats=run.seats, think="fast", offer=offer
        )
        return headless.create(asked, run.password).pk, first

    def _is_done(self, playing: RunningFormat, now_s: float) -> bool:
        """Return whether the tournament is over with its bots' reports written, or timed out."""
        if now_s - playing.began_s > self.room.options.within_s:
            return True
        if not playing.over_s:
            if not headless.is_over(playing.tournament):
                return False
            playing.over_s = now_s
        return playing.report.exists() or now_s - playing.over_s > REPORT_WITHIN_S

    def _judge(self, playing: RunningFormat, now_s: float) -> None:
        run = playing.run
        self.room.supervisor.retire(playing.swarm)
        told = json.loads(playing.report.read_text()) if playing.report.exists() else {}
        report = headless.finished_report(
            self.room, playing.tournament, told, now_s - playing.began_s
        )
        headless.add_histories(report, self._history(run))
        if looked := audit_watch.last():
            self._found |= {f"auditor: {finding}" for finding in looked.findings}
        report["line"] = run.name
        report["wanted"] = dict(run.wants)
        report["violations"] += verdicts.missing(run, report)
        self._write(report)

    def _judge_rings(self, games: list[RingGame], ended: dict[str, Any], run_s: float) -> None:
        """Write a report for each ring game; what concerns all of them is a finding of the room."""
        if not games:
            return
        headless.add_histories(ended, self._ring_history)
        self._found |= {f"ring games: {violation}" for violation in ended["violations"]}
        for ring, game in zip(self.rings, games, strict=True):
            self._write(ring_runs.report(ring, game, run_s))

    def _write(self, report: dict[str, Any]) -> None:
        name = report["line"]
        self.reports[name] = report
        (self.folder / f"{name}.json").write_text(json.dumps(report, indent=2) + "\n")
        wrong = report["violations"]
        said = f"NOT RIGHT: {wrong[0]}" if wrong else "all right"
        self.room.terminal.say(f"{name}: {said} after {report['run_s']:.0f} s")


def _mark_pros(first: int, run: FormatRun) -> None:
    """Give the PRO mark to the first bots of a run, as an operator does (N-03)."""
    pros: Iterable[User] = bots.create(first + run.players)[first : first + run.pros]
    User.objects.filter(pk__in=[user.pk for user in pros]).update(is_pro=True)
