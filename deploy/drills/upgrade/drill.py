"""Replace each process of a playing room by the next release, then take each back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from deploy.drills.tending import tend_until
from deploy.drills.upgrade import verdict
from deploy.drills.upgrade.games import Games
from deploy.drills.upgrade.mixed_room import MixedRoom
from deploy.drills.upgrade.pages import OpenPages
from deploy.drills.upgrade.releases import Release, UnfitReleases
from deploy.measuring.log_errors import LogMarks
from deploy.measuring.pulse import Fault, Pulse
from deploy.processes.supervisor import STOP_MAX_S

HANDS_BETWEEN = 20
"""Hands that are settled before the first process is replaced, and before the way back."""

STEADY_S = 2.0
"""Longest silence of a table that goes on."""

STEADY_WITHIN_S = 10.0
"""Time after which a step ends although a table is silent: it may wait for another table."""

GOES_ON_WITHIN_S = 60.0
"""Time after which a table without any event counts as stopped."""

UNDISTURBED_S = 8.0
"""Time in which the silences of an undisturbed room are measured, for comparison."""


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """Limit of a drill in s, the folder of its histories, tournaments in play at any time."""

    within_s: float
    history: Path
    at_once: int


def run_upgrade(room: MixedRoom, plan: UpgradePlan) -> dict[str, Any]:
    """Replace every process there and back while bots play; return the report, times in s."""
    marks = LogMarks(room.layout.logs)
    room.start_others()
    give_up_s = time.monotonic() + plan.within_s
    pulse = Pulse(settings.ROOM_REDIS_URL, shards=settings.SHARDS)
    steps = Steps(room, Games(room, plan.history, plan.at_once), pulse)
    try:
        steps.play_on(room.old, give_up_s)
        steps.measure("nothing", room.old, lambda: _wait(room, UNDISTURBED_S))
        steps.measure("prepare", room.new, lambda: room.prepare(room.new))
        for release in (room.new, room.old):
            for name in room.names():
                steps.replace(name, release)
            steps.play_on(release, give_up_s)
    finally:
        pulse.close()
    tend_until(room, steps.games.are_over, give_up_s)
    report = {
        "from": room.old.name,
        "to": room.new.name,
        "migrations": room.migrations,
        "steps": steps.done,
        "tournaments": steps.games.judged(),
        "errors": marks.errors(),
        "audit": _audit(room),
        "crashes": room.supervisor.take_crashes(),
    }
    return {**report, **verdict.summary(report)}


class Steps:
    """Steps of a drill, each measured by the events of all tables in play."""

    def __init__(self, room: MixedRoom, games: Games, pulse: Pulse) -> None:
        self._room = room
        self._pulse = pulse
        self._pages = OpenPages(room.layout.near)
        self.games = games
        self.done: list[dict[str, Any]] = []

    def play_on(self, release: Release, give_up_s: float) -> None:
        """Let some more hands be settled, in tournaments that a release offers."""
        self.games.keep_playing(release)
        enough = self.games.hands() + HANDS_BETWEEN
        tend_until(self._room, lambda: self.games.hands() >= enough, give_up_s)

    def replace(self, name: str, release: Release) -> None:
        """Replace one process by that of a release."""
        self.games.keep_playing(release)
        stopped: list[float] = []
        program = self._room.program(name, release)
        step = self.measure(
            name, release, lambda: stopped.append(self._room.supervisor.replace(program))
        )
        step["stop_s"] = round(stopped[0], 2)
        step["ready_s"] = round(step["ready_s"] - stopped[0], 2)
        step["killed"] = stopped[0] >= STOP_MAX_S
        if name.startswith("web"):
            step["pages"] = self._pages.find_broken()

    def measure(self, name: str, release: Release, change: Callable[[], Any]) -> dict[str, Any]:
        """Change something, and return the step with the silences of tables since."""
        fault = self._pulse.begin(name)
        began_s = time.monotonic()
        change()
        changed_s = time.monotonic()
        tend_until(self._room, lambda: _goes_on(fault, changed_s), changed_s + GOES_ON_WITHIN_S)
        self._pulse.end(fault)
        step = {
            "process": name,
            "release": release.name,
            "stop_s": None,
            "ready_s": round(changed_s - began_s, 2),
            "tables": len(fault.stood_s),
            "silence_s": round(max(fault.stood_s.values()), 2) if fault.stood_s else None,
            "waiting": sorted(fault.waiting),
            "killed": False,
            "pages": [],
        }
        self.done.append(step)
        said = f"{name} by {release.name}: {step['tables']} tables, silence {step['silence_s']} s"
        self._room.terminal.say(said)
        return step


def _goes_on(fault: Fault, changed_s: float) -> bool:
    """Return whether every table goes on after a change, or only waits for another one."""
    now_s = time.monotonic()
    after_s = now_s - changed_s
    steady = after_s > STEADY_S and fault.steady(now_s, STEADY_S)
    return steady or (after_s > STEADY_WITHIN_S and fault.over)


def _wait(room: MixedRoom, seconds: float) -> None:
    tend_until(room, lambda: False, time.monotonic() + seconds)


def _audit(room: MixedRoom) -> list[str]:
    """Return what the auditor of the old release, which has the last word, finds wrong."""
    try:
        room.run_in(room.old, ["manage.py", "audit"])
    except UnfitReleases as problem:
        return [str(problem)]
    return []
