"""Chaos run: tournaments and ring games of bots under constant faults, and its findings."""

from __future__ import annotations

import json
import random
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections
from redis.exceptions import RedisError

from deploy.cluster import headless
from deploy.cluster.room import TEND_S, Room
from deploy.drills import chaos_report, ring_games
from deploy.drills.chaos_plan import ChaosPlan, ChaosRecord
from deploy.drills.ring_part import RingPart
from deploy.faults.harming import Harming
from deploy.faults.schedule import CLUSTER_WEIGHTS, WEIGHTS, Harm, schedule
from deploy.measuring.pulse import Fault, Pulse
from deploy.processes import programs

WATCHED_S = 3.0
"""Least time in s to watch a fault, which ends when all tables had a recent event."""
STEADY_S = 1.0
LOOK_EVERY_S = 1.0
STATUS_EVERY_S = 15.0


@dataclass
class ChaosSlot:
    """Slot of one tournament in play; the next one follows when it is over."""

    sessions: Path
    swarm: str = ""
    tournament: int | None = None
    offering: Future[int] | None = None
    looking: Future[bool] | None = None
    look_at_s: float = 0.0


class Chaos:
    """Chaos run on one room."""

    def __init__(self, room: Room, wanted: ChaosPlan) -> None:
        self._room = room
        self._wanted = wanted
        self._chance = random.Random(wanted.seed)  # nosec B311
        servers = room.layout.servers()
        self._harming = Harming(room.supervisor, self._chance, servers.room.place)
        self._weights = CLUSTER_WEIGHTS if servers.nodes else WEIGHTS
        games = ring_games.open_games(wanted.ring, room.options.seats, "fast")
        self._ring = RingPart(room, games, wanted.ring, wanted.seed, wanted.history)
        self._pulse = Pulse(
            settings.ROOM_REDIS_URL, shards=settings.SHARDS, but_for=self._ring.tables
        )
        self._watched: list[Fault] = []
        self._told = ChaosRecord()
        self._next_status_s = 0.0
        # Queries to PostgreSQL run in a thread: a frozen server must not block the thaw.
        self._desk = ThreadPoolExecutor(1)

    def run(self) -> int:
        """Inject faults and play for the planned time, finish, report; return 0 without
        violations.
        """
        wanted = self._wanted
        headless.clear_histories(wanted.history)
        seats = [self._seat(number) for number in range(wanted.tournaments)]
        harms = schedule(
            self._chance,
            per_minute=wanted.per_minute,
            worker_kills_per_s=wanted.worker_kills_per_s,
            duration_s=wanted.minutes * 60,
            weights=self._weights,
        )
        self._ring.begin(wanted.tournaments * wanted.players)
        began_s = time.monotonic()
        self._play(seats, list(harms), began_s)
        self._told.injected_s = time.monotonic() - began_s
        self._harming.finish()
        self._room.terminal.say("no more faults; the tournaments play to their end")
        self._end(seats)
        self._told.ring = self._ring.end(wanted.within_s)
        self._pulse.close()
        close_old_connections()  # this connection belongs to a PostgreSQL that has been restarted
        self._told.defects = self._room.take_defects()
        report = chaos_report.build(self._room.supervisor, wanted, self._told)
        if wanted.report:
            wanted.report.write_text(json.dumps(report, indent=2) + "\n")
        self._room.terminal.say(chaos_report.verdict(report))
        return 1 if report["violations"] else 0

    def _seat(self, number: int) -> ChaosSlot:
        path = self._room.layout.run / f"sessions{number}.jsonl"
        first = number * self._wanted.players
        headless.sessions_of_bots(path, self._wanted.players, first)
        return ChaosSlot(path)

    def _play(self, seats: list[ChaosSlot], harms: list[Harm], began_s: float) -> None:
        over_s = began_s + self._wanted.minutes * 60
        while time.monotonic() < over_s:
            self._tend(seats, more=True)
            while harms and began_s + harms[0].at_s <= time.monotonic():
                self._harm(harms.pop(0))
            time.sleep(TEND_S / 2)

    def _end(self, seats: list[ChaosSlot]) -> None:
        give_up_s = time.monotonic() + self._wanted.within_s
        while time.monotonic() < give_up_s:
            self._tend(seats, more=False)
            if all(seat.tournament is None and seat.offering is None for seat in seats):
                break
            time.sleep(TEND_S)
        for fault in list(self._watched):
            self._close(fault)
        for seat in seats:
            if seat.swarm:
                self._room.supervisor.retire(seat.swarm)

    def _tend(self, seats: list[ChaosSlot], *, more: bool) -> None:
        self._room.supervisor.tend()
        self._harming.follow_up_due()
        for seat in seats:
            self._look_after(seat, more)
        for fault in list(self._watched):
            self._look_at(fault)
        now_s = time.monotonic()
        if now_s >= self._next_status_s:
            self._next_status_s = now_s + STATUS_EVERY_S
            done = sum(self._told.harms.values())
            self._room.terminal.say(
                f"faults {done}  watched {len(self._watched)}"
                f"  tournaments {len(self._told.tournaments)}"
            )

    # ---- faults ----

    def _harm(self, harm: Harm) -> None:
        fault = self._pulse.begin(harm.name)
        if self._harming.do(harm) is None:
            self._pulse.end(fault)
            self._told.missed += 1
            return
        self._told.harms[harm.name] += 1
        self._watched.append(fault)

    def _look_at(self, fault: Fault) -> None:
        now_s = time.monotonic()
        since_s = now_s - fault.at_s
        if since_s > WATCHED_S and fault.steady(now_s, STEADY_S):
            self._close(fault)
        elif since_s > self._wanted.recovers_s:
            silent = [
                table
                for table, at_s in fault.silent_since_s.items()
                if now_s - at_s > self._wanted.recovers_s / 2
            ]
            if fault.waiting or silent:
                tables = ", ".join(sorted({*fault.waiting, *silent}))
                self._told.unrecovered.append(f"{fault.name}: {tables} after {since_s:.0f} s")
            self._close(fault)

    def _close(self, fault: Fault) -> None:
        self._pulse.end(fault)
        self._watched.remove(fault)
        self._told.faults.append(fault)

    # ---- tournaments ----

    def _look_after(self, seat: ChaosSlot, more: bool) -> None:
        now_s = time.monotonic()
        if seat.tournament is None:
            if seat.offering is not None:
                self._begin(seat)
            elif more and now_s >= seat.look_at_s:
                seat.offering = self._desk.submit(self._offer)
        elif seat.looking is not None:
            if seat.looking.done():
                over, seat.looking = seat.looking.result(), None
                seat.look_at_s = now_s + LOOK_EVERY_S
                if over:
                    self._room.supervisor.retire(seat.swarm)
                    seat.tournament, seat.swarm = None, ""
        elif now_s >= seat.look_at_s:
            seat.looking = self._desk.submit(headless.is_over, seat.tournament)

    def _begin(self, seat: ChaosSlot) -> None:
        assert seat.offering is not None
        if not seat.offering.done():
            return
        try:
            seat.tournament = seat.offering.result()
        except (DatabaseError, RedisError, OSError) as problem:
            self._room.terminal.say(f"no new tournament yet: {problem}"[:120])
            seat.look_at_s = time.monotonic() + LOOK_EVERY_S
            return
        finally:
            seat.offering = None
        number = len(self._told.tournaments)
        self._told.tournaments.append(seat.tournament)
        seat.swarm = f"swarm{number}"
        report = self._room.layout.run / f"{seat.swarm}.json"
        self._told.swarm_reports.append(report)
        arguments = [
            *("--players", str(self._wanted.players), "--think", "fast"),
            *("--as", self._wanted.way),
            *("--sessions", str(seat.sessions), "--history", str(self._wanted.history)),
            *("--tournament", str(seat.tournament), "--seed", str(self._wanted.seed + number)),
        ]
        how = programs.swarm(self._room.layout, arguments, report)
        # Bots that were stopped write a report, too; their tournament still needs bots.
        ended = partial(chaos_report.saw_the_end, report)
        log = self._room.layout.logs / f"{seat.swarm}.log"
        self._room.supervisor.start([replace(how, name=seat.swarm, log=log, ended=ended)])

    def _offer(self) -> int:
        try:
            return int(headless.create(self._room.options).pk)
        finally:
            close_old_connections()
