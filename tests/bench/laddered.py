"""Ladder of duplicate deals over sockets: python -m tests.bench.laddered SETS [REPORT.json].

Starts a research room of its own, in which bots of the client package, each a process with a token,
enter the Sit & Gos of a ladder. Each Sit & Go is played once from every seat with the same cards.
Prints the ladder, and ends with code 1 when seats, seeds or places do not follow from the rules.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec

from config.environment import HOME
from tests.deploy.cluster.living import Living

STYLES = ("shover", "caller", "folder")
EXAMPLE = HOME / "client" / "examples" / "ladder.py"
SET_WITHIN_S = 120.0
LEVEL_HANDS = 4
"""Hands of a level, after which the blinds double."""


class ResearchRoom(Living):
    """Room that is marked as a research room before its first process starts."""

    def prepare(self) -> None:
        """Prepare the database, then mark it."""
        super().prepare()
        self.manage("research_mark", "--yes")


class SetGame(msgspec.Struct, frozen=True):
    """A game of a duplicate set: its seed, decks by hand, and seats and places by user."""

    duplicates: int
    shift: int
    seed: int
    decks: list[str]
    seats: dict[int, int]
    places: dict[int, int]


class LadderBots:
    """Processes of the example of the client package, one for each token."""

    def __init__(self, room: Living, ladder: int, sets: int, styles: Sequence[str]) -> None:
        tokens = room.layout.run / "ladder-tokens"
        room.operate("bot_tokens", str(tokens), *styles)
        self.tokens = tokens.read_text().split()
        environment = {"PYTHONPATH": str(HOME / "client"), "PATH": "/usr/bin:/bin"}
        self.processes = [
            subprocess.Popen(
                [sys.executable, str(EXAMPLE), room.layout.url, token, str(ladder), str(sets), how],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for token, how in zip(self.tokens, styles, strict=True)
        ]

    def are_done(self) -> bool:
        """Return whether every bot has ended."""
        return all(process.poll() is not None for process in self.processes)

    def outputs(self) -> list[str]:
        """Return what the bots that ended with an error said."""
        ended = [(process, process.communicate()[0]) for process in self.processes]
        return [text for process, text in ended if process.returncode != 0]

    def stop(self) -> None:
        """End the bots that are left."""
        for process in self.processes:
            process.kill()
            process.wait()


@contextmanager
def research_room() -> Iterator[ResearchRoom]:
    """Run a research room in a folder that is deleted at the end."""
    home = Path(tempfile.mkdtemp(prefix="room-laddered-"))
    home.chmod(0o711)
    made = ResearchRoom(home)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(home, ignore_errors=True)


def play_sets(
    room: Living, sets: int, styles: Sequence[str] = STYLES, *, level_hands: int = LEVEL_HANDS
) -> dict[str, Any]:
    """Let bots play so many duplicate sets; return the report, with what is `wrong`."""
    ladder = int(room.operate("ladder", str(len(styles)), str(level_hands)))
    swarm = LadderBots(room, ladder, sets, styles)
    try:
        room.wait(swarm.are_done, sets * SET_WITHIN_S, "the bots end")
        failed = swarm.outputs()
    finally:
        swarm.stop()
    assert not failed, failed
    games, table = read_games(room, ladder), _table(room, ladder, swarm.tokens[0])
    return {
        "sets": len(games) // len(styles),
        "ladder": [
            {name: row[name] for name in ("name", "mu", "sigma", "games", "wins", "mean_place")}
            for row in table["items"]
        ],
        "faults": sum(
            row[kind] for row in table["items"] for kind in ("time_outs", "crashes", "missed")
        ),
        "hands": sum(len(game.decks) for game in games),
        "wrong": [*wrong_sets(games, len(styles)), *wrong_places(games, table["items"])],
    }


def read_games(room: Living, ladder: int) -> list[SetGame]:
    """Close a ladder and return the games of the sets that it has rated, in order."""
    return msgspec.json.decode(room.operate("sets", str(ladder)), type=list[SetGame])


def wrong_sets(games: Sequence[SetGame], players: int) -> list[str]:
    """Return which sets were not played once from every seat with one seed."""
    found = []
    for key in sorted({game.duplicates for game in games}):
        own = [game for game in games if game.duplicates == key]
        seeds = {game.seed for game in own}
        if [game.shift for game in own] != list(range(players)) or len(seeds) != 1:
            found.append(f"set {key}: shifts {[game.shift for game in own]}, {len(seeds)} seeds")
        if any(len(set(decks)) > 1 for decks in zip(*(game.decks for game in own), strict=False)):
            found.append(f"set {key}: other cards by number of the hand")
        for user in own[0].seats:
            taken = Counter(game.seats.get(user) for game in own)
            if set(taken) != set(own[0].seats.values()) or max(taken.values()) > 1:
                found.append(f"set {key}: user {user} sat at {dict(taken)}")
    return found


def wrong_places(games: Sequence[SetGame], ladder: Sequence[dict[str, Any]]) -> list[str]:
    """Return the bots whose mean place is not that of all their games, one seat as another."""
    found = []
    for row in ladder:
        places = [game.places[row["id"]] for game in games]
        mean = sum(places) / max(1, len(places))
        if abs(mean - row["mean_place"]) > 1e-9:
            found.append(f"{row['name']}: mean place {row['mean_place']}, played {places}")
    return found


def _table(room: Living, ladder: int, token: str) -> dict[str, Any]:
    """Return the table of a ladder as the HTTP API gives it to a bot."""
    address = f"{room.layout.url}/api/v1/ladders/{ladder}/table"
    asked = Request(address, headers={"Authorization": f"Bearer {token}"})
    with urlopen(asked, timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def main(sets: int, path: Path | None) -> int:
    """Play the sets, print the ladder, and return 1 when something is wrong."""
    with research_room() as room:
        report = play_sets(room, sets)
    for row in report["ladder"]:
        print(
            f"{row['name']:<16} mu {row['mu']:6.2f}  sigma {row['sigma']:5.2f}"
            f"  mean place {row['mean_place']:.2f}"
        )
    print(f"{report['sets']} sets, {report['hands']} hands, {report['faults']} faults")
    print(*report["wrong"], sep="\n")
    if path:
        path.write_text(json.dumps(report, indent=2) + "\n")
    return int(bool(report["wrong"]))


if __name__ == "__main__":
    named = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    sys.exit(main(int(sys.argv[1]), named))
