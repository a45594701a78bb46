"""Ring games of a drill with their swarm: played, closed after it, and judged."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.db import close_old_connections

from deploy.cluster import headless
from deploy.cluster.room import TEND_S, Room
from deploy.drills import ring_games
from deploy.processes import programs
from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tables.ring.models.session import LIVE
from tables.ring.money import DIRECTORS
from tables.ring.monitor import audit
from tables.ring.sessions import operating
from tables.store import keys

SWARM = "ring_swarm"
_REASON = "end of the drill"


class RingPart:
    """Ring games and the swarm of bots that plays at their tables; without games there is none."""

    def __init__(
        self, room: Room, games: Sequence[RingGame], bots: int, seed: int, history: Path
    ) -> None:
        self._room = room
        self._games = list(games)
        self._bots = bots
        self._seed = seed
        self._history = history
        self._report_path = room.layout.run / f"{SWARM}.json"

    @property
    def tables(self) -> frozenset[str]:
        """Return the names of the tables: one of a single player rightly has no next event."""
        games = [game.pk for game in self._games]
        found = Table.objects.filter(director__in=DIRECTORS, game__in=games)
        return frozenset(keys.table(number) for number in found.values_list("pk", flat=True))

    def begin(self, first: int) -> None:
        """Start the swarm, whose bots are numbered from `first`; it plays until it is retired."""
        if not self._games:
            return
        sessions = self._room.layout.run / f"{SWARM}.jsonl"
        headless.sessions_of_bots(sessions, self._bots, first)
        arguments = [
            *("--players", str(self._bots), "--ring", "100%"),
            *("--sessions", str(sessions), "--history", str(self._history)),
            *("--think", "fast", "--leave", "0", "--seed", str(self._seed)),
        ]
        how = programs.swarm(self._room.layout, arguments, self._report_path)
        log = self._room.layout.logs / f"{SWARM}.log"
        # Stopped bots write a report too; the games go on and need them.
        running = replace(how, name=SWARM, log=log, ended=lambda: False)
        self._room.supervisor.start([running])

    def end(self, within_s: float) -> dict[str, Any]:
        """Close the games after their hands, retire the swarm and return figures and violations.

        A player who is still at a table after `within_s` is a violation.
        """
        if not self._games:
            return {}
        close_old_connections()  # PostgreSQL may have been restarted
        for game in self._games:
            operating.close_after_hand(None, game.pk, _REASON)
        left = self._wait_for_players(within_s)
        self._room.supervisor.retire(SWARM)
        violations = [f"ring game: {name} still sits at a table" for name in left]
        violations += [*audit.violations(), *self._seen_by_bots()]
        return {**ring_games.figures(self._games), "violations": violations}

    def _seen_by_bots(self) -> list[str]:
        """Return the violations in the swarm's report; a swarm killed at its end has none."""
        path = self._report_path
        said: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        return list(said.get("violations", []))

    def _wait_for_players(self, within_s: float) -> list[str]:
        """Return who still sits at a table in the end."""
        give_up_s = time.monotonic() + within_s
        seated = RingSession.objects.filter(game__in=self._games, state__in=LIVE)
        while seated.exists() and time.monotonic() < give_up_s:
            self._room.supervisor.tend()
            time.sleep(TEND_S)
        return list(seated.values_list("name", flat=True))
