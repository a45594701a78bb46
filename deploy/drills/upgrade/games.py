"""Tournaments of bots in an upgrade drill, each offered and played by the code of one release."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deploy.cluster import headless
from deploy.drills.upgrade.mixed_room import MixedRoom, run_by
from deploy.drills.upgrade.releases import Release
from deploy.processes import programs
from tables.fairness.leaves import Fate, FateReason
from tables.models import Hand, SealedDeck, Table
from tournaments.locks import DIRECTOR
from tournaments.monitor import report as reports

OFFER = """
import json, sys
from pathlib import Path
import django
django.setup()
from deploy.cluster import headless
from deploy.cluster.room import ClusterOptions
asked = json.load(sys.stdin)
headless.sessions_of_bots(Path(asked["sessions"]), asked["players"], asked["first"])
print(headless.create(ClusterOptions(players=asked["players"], seats=asked["seats"])).pk)
"""
"""Program that offers a tournament and logs its bots in, with the functions of its own release."""


@dataclass(frozen=True, slots=True)
class Game:
    """Tournament of a drill: the release that offered it, its bots' report and histories."""

    tournament: int
    release: str
    swarm: Path
    history: Path


class Games:
    """Tournaments of a room, enough of which are in play at any time."""

    def __init__(self, room: MixedRoom, history: Path, at_once: int) -> None:
        self._room = room
        self._history = history
        self._at_once = at_once
        self.all: list[Game] = []

    def keep_playing(self, release: Release) -> None:
        """Offer tournaments by a release until enough of them are not over."""
        while len(self._playing()) < self._at_once:
            self._offer(release)

    def hands(self) -> int:
        """Return the number of settled hands."""
        games = [game.tournament for game in self.all]
        return Hand.objects.filter(table__director=DIRECTOR, table__game__in=games).count()

    def are_over(self) -> bool:
        """Return whether every tournament ended and its bots have reported."""
        return not self._playing() and all(game.swarm.exists() for game in self.all)

    def judged(self) -> list[dict[str, Any]]:
        """Return the findings about each tournament; `violations` of each is empty if all is
        right.
        """
        return [_judged(game) for game in self.all]

    def _playing(self) -> list[Game]:
        return [game for game in self.all if not headless.is_over(game.tournament)]

    def _offer(self, release: Release) -> None:
        room, options, number = self._room, self._room.options, len(self.all)
        name = f"swarm-{number}"
        history, sessions = self._history / name, room.layout.run / f"{name}.sessions"
        history.mkdir(parents=True, exist_ok=True)
        headless.clear_histories(history)
        asked = {
            "sessions": str(sessions),
            "players": options.players,
            "seats": options.seats,
            "first": number * options.players,  # a bot has one history
        }
        said = room.run_in(release, ["-c", OFFER], given=json.dumps(asked))
        tournament = int(said.split()[-1])
        report = room.layout.run / f"{name}.json"
        arguments = [
            *("--players", str(options.players), "--think", options.think),
            *("--sessions", str(sessions), "--history", str(history)),
            *("--tournament", str(tournament), "--seed", str(number + 1)),
        ]
        how = run_by(programs.swarm(room.layout, arguments, report), release)
        room.supervisor.start([replace(how, name=name, log=room.layout.logs / f"{name}.log")])
        self.all.append(Game(tournament, release.name, report, history))


def _judged(game: Game) -> dict[str, Any]:
    said = json.loads(game.swarm.read_text()) if game.swarm.exists() else {}
    played = reports.build(game.tournament, said)
    found: dict[str, Any] = {
        "tournament": game.tournament,
        "offered_by": game.release,
        "state": played["state"],
        "hands": played["hands"],
        "actions": played["actions"],
        "paid": played["paid"],
        "pool": played["pool"],
        "void": _void(game.tournament),
        "violations": list(played["violations"]),
    }
    headless.add_histories(found, game.history)
    if not reports.is_right(played):
        found["violations"].append("the tournament did not end, or does not add up")
    if not said:
        found["violations"].append("its bots ended without a report")
    if found["void"]:
        found["violations"].append(f"{len(found['void'])} hands are void")
    return found


def _void(tournament: int) -> list[str]:
    """Return the hands that ended void while they were played."""
    tables = Table.objects.filter(director=DIRECTOR, game=tournament)
    rows = SealedDeck.objects.filter(fate=Fate.VOID_IN_PLAY, table__in=tables)
    named = rows.order_by("table", "hand").values_list("table", "hand", "reason")
    return [
        f"table {table} hand {hand}: {FateReason(reason).name.lower()}"
        for table, hand, reason in named
    ]
