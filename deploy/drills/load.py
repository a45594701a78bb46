"""Load of many players against a real cluster on this machine, measured: `manage.py load`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db.models import F, QuerySet

from deploy.cluster import headless
from deploy.cluster.room import Room
from deploy.drills import ring_games
from deploy.drills.api_reading import ApiReading
from deploy.drills.load_report import client_figures, goals_met
from deploy.drills.load_swarms import LoadSwarms, address_of
from deploy.measuring.room_counters import CounterReading, difference
from deploy.processes.asking import PolledAnswer
from tables.chance.cut_shares import count_shares
from tables.models import Table
from tables.ring.models import RingGame
from tables.seeds import marking
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import is_over
from tournaments.monitor.audit_memory import WAKE_LOST_AFTER_S, AuditMemory
from tournaments.running import operations

LEVEL_MS = 3_600_000
STACK = 20_000
SETTLING_S = 10.0
"""Seconds between a change of pace and its measurement."""
JOIN_MAX_S = 900.0
"""Seconds that joining may take beyond the time it was given."""
CANCEL_MAX_S = 600.0
KNEE_P99_MS = 250.0
KNEE_STEPS = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
LOOK_EVERY_S = 0.5
RESEARCH_SEED = 7
NOT_THE_ROOM = ("swarm", "spectators", "auditor")
"""Beginnings of the names of processes that are no part of a hand's cost."""


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """Number of players, `ring` of them in ring games, duration, and pace compared with people.

    At least `pool` of the players in ring games are in one rapid pool; with 0 it is no larger than
    the other games. `api` requests a second read the API beside them while it is measured.
    """

    swarms: int
    join_s: float
    steady_s: float
    seconds: float
    faster: float
    knee: bool
    spectators: int
    report: Path | None
    way: str = "browsers"
    """Kind of the players: people's browsers, or programs that only play."""
    ring: int = 0
    pool: int = 0
    chats: int = 0
    """Percent of the hands of a player after which it writes to its table."""
    api: float = 0.0
    research: bool = False
    """Without fair dealing: hands are dealt from a seed, nothing is sealed, cut or logged."""
    cancel: bool = False
    """At the end the tournament is cancelled, and measured until all entries are refunded."""


class Load:
    """Load run on one room."""

    def __init__(self, room: Room, wanted: LoadPlan) -> None:
        self._room = room
        self._wanted = wanted
        self._swarms = LoadSwarms(room)
        self._games: list[RingGame] = []
        self._report: dict[str, Any] = {
            "players": room.options.players,
            "join_s": wanted.join_s,
            "swarms": wanted.swarms,
            "as": wanted.way,
            "research": wanted.research,
        }
        self._tournament = 0

    def run(self) -> int:
        """Let all players join, measure, search the knee if asked; return 0 when the goals were
        met.
        """
        empty = self._look()
        if self._wanted.research:
            marking.mark_room()
        tournament = headless.create(_deep(self._room, self._in_tournament)).pk
        if self._wanted.research:
            marking.give_seed(DIRECTOR, tournament, RESEARCH_SEED)
        options = self._room.options
        self._games = ring_games.open_games(
            self._wanted.ring, options.seats, options.think, self._wanted.pool
        )
        self._tournament = tournament
        self._join(tournament)
        full = self._look()
        sockets = self._room.options.players
        grown = _web_bytes(full) - _web_bytes(empty)
        self._report["web_bytes_per_socket"] = round(grown / sockets)
        # All hands began together; they must drift apart before the measurement shows a steady
        # room.
        self._wait(self._wanted.steady_s)
        self._report["human"] = found = self._measure(self._wanted.faster)
        if self._wanted.spectators:
            self._watch(tournament)
            self._report["watched"] = self._measure(self._wanted.faster)
        if self._wanted.knee:
            self._find_knee(found)
        if self._wanted.cancel:
            self._report["cancelled"] = self._cancel(tournament)
        if self._games:
            self._report["ring"] = self._judge_ring_games()
        self._report["cuts"] = {kind: one.figures() for kind, one in count_shares().items()}
        self._report["swarm"] = self._swarms.end()
        self._report["defects"] = self._room.take_defects()
        self._report["goals"] = goals_met(self._report)
        text = json.dumps(self._report, indent=2)
        if self._wanted.report:
            self._wanted.report.write_text(text + "\n")
        self._room.terminal.say(text)
        return 0 if all(self._report["goals"].values()) else 1

    @property
    def _in_tournament(self) -> int:
        return self._room.options.players - self._wanted.ring

    # ---- joining ----

    def _join(self, tournament: int) -> None:
        """Connect and register all players; play begins when the last seat is taken."""
        shares = self._swarms.share_sessions(self._room.options.players, self._wanted.swarms)
        # A field for slow players would drown in its first minute at the pace of people.
        self._swarms.set_pace(min(1.0, self._wanted.faster))
        began_s = time.monotonic()
        for number, (path, players) in enumerate(shares):
            self._swarms.start(
                f"swarm{number}",
                [
                    *("--players", str(players), "--sessions", str(path)),
                    *("--tournament", str(tournament), "--seed", str(number + 1)),
                    *("--as", self._wanted.way),
                    *("--address", address_of(number * players)),
                    *("--ring", str(_part(self._wanted.ring, number, self._wanted.swarms))),
                    *("--leave", "0", "--think", self._room.options.think),
                    *("--habits", json.dumps({"chats": self._wanted.chats})),
                    *("--connects", str(players / self._wanted.join_s)),
                ],
            )
        self._await(lambda: self._all_joined(tournament), self._wanted.join_s + JOIN_MAX_S)
        joined_s, joined_at = time.monotonic(), time.time()
        self._await(lambda: _all_deal(tournament), JOIN_MAX_S)
        self._report["started"] = self._figures(joined_at)
        self._report["joined_s"] = round(joined_s - began_s, 1)
        self._report["first_hands_s"] = round(time.monotonic() - joined_s, 1)
        self._room.terminal.say(
            f"joined in {self._report['joined_s']} s, first hands after"
            f" {self._report['first_hands_s']} s more"
        )

    def _all_joined(self, tournament: int) -> bool:
        """Return whether all players are registered or have bought in at a ring table."""
        if _registered(tournament) < self._in_tournament:
            return False
        return ring_games.players_seen(self._games) >= self._wanted.ring

    def _watch(self, tournament: int) -> None:
        table = _tables(tournament).filter(status=Table.Status.OPEN).first()
        assert table is not None
        count = str(self._wanted.spectators)
        self._swarms.start("spectators", ["--players", count, "--watch", str(table.pk)])
        self._wait(SETTLING_S + self._wanted.spectators / 150)

    # ---- measuring ----

    def _measure(self, faster: float) -> dict[str, Any]:
        self._swarms.set_pace(faster)
        self._wait(SETTLING_S)
        reading = self._read_api()
        before, began_at = self._look(), time.time()
        self._wait(self._wanted.seconds)
        after, ended_at = self._look(), time.time()
        seen = self._swarms.seen(began_at, ended_at)
        found = {"faster": faster, **client_figures(seen, ended_at - began_at)}
        found |= difference(before, after, ended_at - began_at)
        found["messages_per_decision"] = round(
            (after.broker_messages - before.broker_messages) / max(1, seen.counts["decisions"]), 3
        )
        at_hands = sum(c for name, c in found["cores"].items() if not name.startswith(NOT_THE_ROOM))
        found["cpu_ms_per_hand"] = round(at_hands / max(0.001, found["hands_per_s"]) * 1_000, 1)
        if reading:
            found["api"] = reading.report()
        self._room.terminal.say(json.dumps(found))
        return found

    def _cancel(self, tournament: int) -> dict[str, Any]:
        """Cancel the tournament while all play; return the figures until the last refund."""
        began_at = time.time()
        operations.cancel(tournament, reason="end of the load")
        waiting = Tournament.objects.filter(pk=tournament).exclude(is_over())
        self._await(lambda: not waiting.exists(), CANCEL_MAX_S)
        found = self._figures(began_at)
        entries = Entry.objects.filter(tournament=tournament)
        found["entries"] = entries.count()
        found["refunded"] = entries.filter(state=Entry.State.REFUNDED).count()
        self._room.terminal.say(json.dumps(found))
        return found

    def _figures(self, began_at: float) -> dict[str, Any]:
        """Return what the clients saw from a time on."""
        ended_at = time.time()
        return client_figures(self._swarms.seen(began_at, ended_at), ended_at - began_at)

    def _read_api(self) -> ApiReading | None:
        """Start the clients of the API for one measurement, if there are to be any."""
        if not self._wanted.api:
            return None
        plan, options = self._wanted, self._room.options
        return ApiReading(
            self._room.layout.near, plan.api, plan.seconds, self._tournament, options.players
        )

    def _find_knee(self, found: dict[str, Any]) -> None:
        steps = [found]
        for faster in KNEE_STEPS:
            if (steps[-1]["action_to_event_ms"]["p99"] or 0) > KNEE_P99_MS:
                break
            steps.append(self._measure(faster * self._wanted.faster))
        last = steps[-1]
        busiest = max(last["cores"], key=lambda name: last["cores"][name])
        self._report["knee"] = {
            "steps": steps[1:],
            "passed": (last["action_to_event_ms"]["p99"] or 0) > KNEE_P99_MS,
            "saturates_first": busiest,
            "machine_busy": last["machine_busy"],
        }

    def _judge_ring_games(self) -> dict[str, Any]:
        """Return the figures of the ring games, and what the audit of the whole room finds."""
        audit = AuditMemory(None)
        found = audit.violations(time.monotonic())
        # Some findings need a second look, as the audit's command takes it.
        self._wait(WAKE_LOST_AFTER_S)
        found += audit.violations(time.monotonic())
        return {**ring_games.figures(self._games), "violations": found}

    def _look(self) -> CounterReading:
        return CounterReading.now(self._room.supervisor, self._room.layout.run / "metrics")

    # ---- waiting ----

    def _wait(self, seconds: float) -> None:
        until_s = time.monotonic() + seconds
        self._room.run(lambda: time.monotonic() >= until_s)

    def _await(self, ask: Callable[[], bool], within_s: float) -> None:
        give_up_s = time.monotonic() + within_s
        asked = PolledAnswer(ask, False, LOOK_EVERY_S)
        self._room.run(lambda: asked.answer or time.monotonic() > give_up_s)
        asked.close()


def _deep(room: Room, players: int) -> Any:
    """Return one long level and deep stacks, so that the field keeps its size."""
    levels = [{"type": "level", "small_blind": 50, "big_blind": 100, "lasts_ms": LEVEL_MS}]
    offer = {"structure": levels, "structure_name": "load", "starting_stack": STACK}
    return replace(room.options, players=players, offer=offer)


def _web_bytes(reading: CounterReading) -> int:
    usage = reading.usage.items()
    return sum(used.memory_bytes for name, used in usage if name.startswith("web"))


def _part(count: int, number: int, of: int) -> int:
    """Return part `number` of a count divided as evenly as lines taken in turn."""
    return count // of + (number < count % of)


def _registered(tournament: int) -> int:
    return int(Tournament.objects.values_list("entrants", flat=True).get(pk=tournament))


def _all_deal(tournament: int) -> bool:
    tables = _tables(tournament)
    waiting = tables.filter(granted_hand=F("hand"), hand=0)
    return tables.exists() and not waiting.exists()


def _tables(tournament: int) -> QuerySet[Table]:
    """Return the tables of a tournament: games of other directors have numbers of their own."""
    return Table.objects.filter(director=DIRECTOR, game=tournament)
