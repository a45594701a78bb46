"""Swarms of a load run: sessions dealt out to them, their pace, and what each wrote down."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from deploy.cluster import headless
from deploy.cluster.room import Room
from deploy.measuring.swarm_notes import Seen, seen_between
from deploy.processes import programs

PLAYERS_PER_ADDRESS = 20_000
"""Below the ports of one address, about 28,000 on Linux."""


def address_of(first_player: int) -> str:
    """Return the loopback address of a swarm by the number of its first player."""
    return f"127.0.0.{1 + first_player // PLAYERS_PER_ADDRESS}"


class LoadSwarms:
    """The swarms of one load run; all read their pace from one file of orders."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._orders = room.layout.run / "orders"
        self._courses: list[Path] = []
        self._orders.unlink(missing_ok=True)

    def share_sessions(self, players: int, swarms: int) -> list[tuple[Path, int]]:
        """Log the players in; return a file of sessions for each swarm, and how many it has."""
        every = self._room.layout.run / "sessions.jsonl"
        headless.sessions_of_bots(every, players)
        lines = every.read_text().splitlines(keepends=True)
        shares = []
        for number in range(swarms):
            path = every.with_name(f"sessions{number}.jsonl")
            own = lines[number::swarms]
            path.touch(mode=0o600)
            path.write_text("".join(own))
            shares.append((path, len(own)))
        return shares

    def start(self, name: str, arguments: list[str]) -> None:
        """Start one swarm under a name."""
        run = self._room.layout.run
        course = run / f"{name}.course.jsonl"
        course.unlink(missing_ok=True)
        self._courses.append(course)
        more = ["--course", str(course), "--orders", str(self._orders)]
        how = programs.swarm(self._room.layout, [*arguments, *more], run / f"{name}.json")
        self._room.supervisor.start([replace(how, name=name)])

    def set_pace(self, faster: float) -> None:
        """Let all bots play this many times as fast as people."""
        self._orders.write_text(str(faster))

    def seen(self, began_at: float, ended_at: float) -> Seen:
        """Return what all swarms noted between two times."""
        return seen_between(self._courses, began_at, ended_at)

    def end(self) -> dict[str, Any]:
        """Retire every swarm; return their reports by name."""
        together: dict[str, Any] = {}
        for course in self._courses:
            name = course.name.partition(".")[0]
            self._room.supervisor.retire(name)
            path = course.with_name(f"{name}.json")
            if path.exists():
                together[name] = json.loads(path.read_text())
        return together
