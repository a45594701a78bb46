"""Whole room with its real processes, for tests that kill them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
from redis import Redis

from config import clock
from config.environment import HOME, kept_secret
from deploy.embedded import ports
from deploy.processes import programs
from deploy.processes.layout import Layout
from deploy.processes.supervisor import Supervisor
from tables.dealer.state import TableState
from tables.history.clients.check import check_folder
from tables.records import month_keys
from tables.store.hidden_states import decode_open
from tests import prepared
from tests.redis_answers import entries_of, events_of
from tests.tables.gateway.wire_document import judge_histories

OPERATE = Path(__file__).with_name("operate.py")
SERVERS = ("postgres", "room", "broker")
CALM_MS = 600_000
"""Length of a first level that a test ends when it has seen enough."""
SLOWER = 4.0
"""Factor by which a machine may be slower than the reference."""
ACTED = {"folded", "checked", "called", "bet", "raised"}


class Living:
    """Processes of a room under a supervisor; `wait` tends to them."""

    def __init__(self, home: Path) -> None:
        found = ports.several(dict.fromkeys(("web", *SERVERS)))
        self.layout = Layout(home, found, frozenset(SERVERS))
        self.listening = ports.listen(found["web"])
        self.said: list[str] = []
        self.supervisor = Supervisor(self.said.append)
        self.room = Redis.from_url(self.layout.servers().room.url, socket_timeout=20)
        self._swarms = 0

    def start(self) -> None:
        """Start servers, tables, web and workers, each ready before the next."""
        prepared.copy(self.layout.servers().postgres)
        self.start_servers()
        self.prepare()
        self.start_processes()
        self.operate("sessions", str(self.sessions), "12")

    def start_servers(self) -> None:
        """Start the three servers; the database has no tables yet."""
        self.supervisor.start(programs.servers(self.layout))

    def start_processes(self) -> None:
        """Start web and workers of a room that is prepared."""
        webs = programs.webs(self.layout, self.listening)
        self.supervisor.start([*webs, *programs.workers(self.layout)])

    def stop(self) -> None:
        """Stop every process and remove the servers' files."""
        self.supervisor.stop()
        self.listening.close()
        shutil.rmtree(self.layout.servers().room.place, ignore_errors=True)

    @property
    def sessions(self) -> Path:
        """Return the log-in sessions of twelve bots."""
        return self.layout.run / "sessions.jsonl"

    def manage(self, *arguments: str) -> str:
        """Run a command of the room as its operator; return its output."""
        return self._run(str(HOME / "manage.py"), *arguments)

    def manage_as_owner(self, *arguments: str) -> str:
        """Run a command with the address of the database's owner; return its output."""
        owner = {"DATABASE_OWNER_URL": self.layout.servers().postgres.owner_url}
        return self._run(str(HOME / "manage.py"), *arguments, **owner)

    def prepare(self) -> None:
        """Make the keys, migrate as the owner of the database, and grant the runtime role."""
        kept_secret(self.layout.home / "deck_key")
        for name in ("record_key", "own_key"):
            month_keys.make(self.layout.home / name, month_keys.month_of(clock.now_ms()))
        self.manage_as_owner("prepare", "--database")

    def operate(self, *arguments: str) -> str:
        """Run an operation of `tests.deploy.cluster.operate` in a process of its own."""
        return self._run(str(OPERATE), *arguments)

    def offer(self, **how: object) -> int:
        """Open a Sit & Go; return its id."""
        return int(self.operate("offer", json.dumps(how)))

    def send_bots(self, tournament: int, players: int, sessions: Path | None = None) -> Bots:
        """Start bots for a tournament; they are supervised like every process."""
        self._swarms += 1
        who = sessions or self.sessions
        return Bots(self, f"swarm{self._swarms}", tournament, players, who)

    def wait(
        self, holds: Callable[[], Any], within_s: float, what: str, *, tending: bool = True
    ) -> float:
        """Tend to the processes until a condition holds; return the seconds it took.

        `within_s` is meant for a fast and otherwise idle machine.
        """
        began_s, slower = time.monotonic(), 1.0
        while not holds():
            slower = max(slower, patience())
            waited_s = time.monotonic() - began_s
            assert waited_s < within_s * slower, f"{what}: {waited_s:g} s\n{self.last_words()}"
            if tending:
                self.supervisor.tend()
            time.sleep(0.05)
        return time.monotonic() - began_s

    def last_words(self) -> str:
        """Return the last output of supervisor and processes, for the report of a failed test."""
        logs = sorted(self.layout.logs.glob("*.log"))
        tails = [f"== {log.name}\n{log.read_text()[-1_500:]}" for log in logs]
        return "\n".join([*self.said[-10:], *tails])

    def kill(self, name: str) -> None:
        """Kill -9 a process; it is not restarted before the next `wait`."""
        kept_pid = self.supervisor.pid(name)
        assert kept_pid is not None, f"{name} was running"
        self.supervisor.kill(name)
        give_up_s = time.monotonic() + 60
        while self.supervisor.pid(name) is not None:
            assert time.monotonic() < give_up_s, f"{name} survived kill -9"
            time.sleep(0.01)

    def sql(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Query PostgreSQL from outside the room."""
        with psycopg.connect(self.layout.servers().postgres.url, connect_timeout=20) as connection:
            return connection.execute(query, values).fetchall()

    def state_of(self, tournament: int) -> str:
        """Return the stored state of a tournament; empty while PostgreSQL is away."""
        try:
            rows = self.sql("SELECT state FROM tournaments_tournament WHERE id = %s", tournament)
        except psycopg.OperationalError:
            return ""
        return str(rows[0][0])

    def open_tables(self, tournament: int) -> dict[int, int]:
        """Return the open tables of a tournament with their numbers of settled hands."""
        rows = self.sql(
            "SELECT id, hand FROM tables_table WHERE game = %s AND status = 'open'", tournament
        )
        return dict(rows)

    def goes_on(self, tournament: int) -> Callable[[], bool]:
        """Return a check that every open table started and settled a new hand, or closed."""
        before = self.open_tables(tournament)
        assert before, "a tournament is being played"

        def played() -> bool:
            try:
                now = self.open_tables(tournament)
            except psycopg.OperationalError:
                return False
            return all(now.get(table, hand + 2) >= hand + 2 for table, hand in before.items())

        return played

    def end_calm(self, tournament: int) -> None:
        """End the calm level of a tournament, so that the blinds begin to rise."""
        self.sql(
            "UPDATE tournaments_tournament SET started_ms = started_ms - %s WHERE id = %s"
            " RETURNING id",
            CALM_MS,
            tournament,
        )

    def states(self, tables: Iterable[int]) -> list[TableState]:
        """Return the states of tables in the room's Redis."""
        raw: list[Any] = [self.room.hget(f"{{0}}:table:{table}", "state") for table in tables]
        return [decode_open(state) for state in raw if state is not None]

    def sockets(self, tables: Iterable[int]) -> dict[int, dict[int, str]]:
        """Return each table's seated players with the token of the controlling socket."""
        found = {}
        for state in self.states(tables):
            held: Any = self.room.hgetall(f"{{0}}:table:{state.table}:tabs")
            users = [str(seat.user).encode() for seat in state.seats]
            found[state.table] = {int(user): held.get(user, b"").decode() for user in users}
        return found

    def head(self, table: int) -> str:
        """Return the id of the newest event of a table."""
        newest, _ = entries_of(self.room, f"{{0}}:table:{table}:events")[-1]
        return newest.decode()

    def has_acted(self, table: int, after: str) -> bool:
        """Return whether a player acted in time at a table since an event."""
        told = events_of(self.room, f"{{0}}:table:{table}:events", after=after)
        kinds = [json.loads(event)["type"] for event in told]
        late = {number + 1 for number, kind in enumerate(kinds) if kind == "timed_out"}
        return any(kind in ACTED and number not in late for number, kind in enumerate(kinds))

    def epochs(self, tournament: int) -> dict[int, int]:
        """Return the epochs of all tables a tournament ever had."""
        rows = self.sql("SELECT id, epoch FROM tables_table WHERE game = %s", tournament)
        return dict(rows)

    def _run(self, *arguments: str, **more: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, **self.layout.environment(), **more},
            cwd=HOME,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


class Bots:
    """Swarm that plays one tournament."""

    def __init__(
        self, living: Living, name: str, tournament: int, players: int, sessions: Path
    ) -> None:
        self.living = living
        self.name = name
        self.tournament = tournament
        self.report = living.layout.run / f"{name}.json"
        self.histories = living.layout.run / f"{name}-histories"
        arguments = [
            *("--players", str(players), "--think", "fast", "--history", str(self.histories)),
            *("--sessions", str(sessions), "--tournament", str(tournament)),
        ]
        how = programs.swarm(living.layout, arguments, self.report)
        living.supervisor.start([replace(how, name=name)])

    def finish(self, within_s: float) -> dict[str, Any]:
        """Wait for the end of the tournament; return its report with the bots' findings.

        Inconsistent histories count as violations.
        """
        living = self.living
        over = "the tournament is over"
        living.wait(lambda: living.state_of(self.tournament) == "finished", within_s, over)
        living.wait(self.report.exists, 15.0, "the bots noticed the end")
        living.supervisor.retire(self.name)
        built = living.manage("report", str(self.tournament), "--swarm", str(self.report))
        report = dict(json.loads(built))
        verdict = check_folder(self.histories)
        assert verdict.fates["took_effect"] > 0
        assert {"act", "table_events", "user_events"} <= judge_histories(self.histories)
        return {**report, "violations": [*report["violations"], *verdict.violations]}


def are_complete(places: list[dict[str, Any]], entries: int) -> bool:
    """Return whether places 1 to `entries` were given once each, or with ties: 1, 2, 3, 3, 5."""
    given = [row["place"] for row in places]
    return [1 + given.index(place) for place in given] == given and len(given) == entries


def patience() -> float:
    """Return the factor by which this machine is slower than a fast and idle one.

    The factor bounds a failure; recovery times are judged by their measurement.
    """
    return SLOWER * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
