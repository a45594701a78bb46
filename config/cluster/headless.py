"""Plays one whole tournament of bots through the real cluster and writes what came of it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from django.db import Error as DatabaseError
from django.db import close_old_connections

from accounts import bots, sessions
from config.cluster import demo
from config.cluster.asking import Asked
from config.cluster.room import Options, Room
from tournaments import offers, operations
from tournaments import report as reports
from tournaments.models import Tournament
from tournaments.models.tournament import Start, State

FAST_LEVEL_MS = 20_000
HUMAN_LEVEL_MS = 180_000
SWARM_ENDS_WITHIN_S = 30.0
SESSION_HOURS = 24.0 * 14
LOOK_EVERY_S = 0.5


def play(room: Room) -> int:
    """Play to the end and write the report; 0 when all was right."""
    began_s = time.monotonic()
    room.start_second_workers()
    tournament = create(room.options)
    room.start_swarm(["--tournament", str(tournament.pk), *swarm_arguments(room)])
    room.terminal.say(f"tournament {tournament.pk}: {room.layout.url}/tournaments/{tournament.pk}/")
    give_up_s = began_s + room.options.within_s
    finished = Asked(lambda: is_over(tournament.pk), False, LOOK_EVERY_S)
    room.run(lambda: finished.answer or time.monotonic() > give_up_s)
    finished.close()
    swarm = _swarm_said(room)
    report = finished_report(room, tournament.pk, swarm, time.monotonic() - began_s)
    if room.options.report:
        room.options.report.write_text(json.dumps(report, indent=2) + "\n")
    room.terminal.say(_verdict(report))
    return 1 if report["violations"] else 0


def create(options: Options) -> Tournament:
    """A Sit & Go for exactly as many as there are bots, quick when they think fast."""
    fast = options.think == "fast"
    level_ms = FAST_LEVEL_MS if fast else HUMAN_LEVEL_MS
    pace = {"hand_pause_ms": 100, "showdown_pause_ms": 200, "street_pause_ms": 100} if fast else {}
    made = offers.create_from_structure(
        demo.structure(f"headless {level_ms // 1000} s", level_ms=level_ms),
        name=f"{options.players} bots",
        start=Start.SIT_AND_GO,
        players_min=options.players,
        players_max=options.players,
        seats_per_table=options.seats,
        buy_in=10_00,
        fee=1_00,
        bubble_charge_ms=level_ms // 3,
        **pace,
    )
    return operations.open(made.pk, reason="headless run")


def swarm_arguments(room: Room) -> list[str]:
    """How many bots, how they think, and the sessions they come in with, minted now."""
    path = room.layout.run / "sessions.jsonl"
    sessions_of_bots(path, room.options.players)
    return [
        *("--players", str(room.options.players), "--think", room.options.think),
        *("--sessions", str(path)),
    ]


def sessions_of_bots(path: Path, players: int) -> None:
    """Write a file of log-in sessions for `players` bots, readable by its owner only."""
    from tables.swarm.client import Identity
    from tables.swarm.sessions import write

    minted = sessions.mint(bots.create(players), SESSION_HOURS)
    write(path, [Identity(user=user.pk, name=user.name, session=key) for user, key in minted])


def is_over(tournament_id: int) -> bool:
    """Whether the tournament has finished or was cancelled; no answer is no."""
    try:
        state = Tournament.objects.values_list("state", flat=True).get(pk=tournament_id)
    except DatabaseError:
        return False
    finally:
        close_old_connections()
    return state in (State.FINISHED, State.CANCELLED)


def finished_report(
    room: Room, tournament_id: int, swarm: dict[str, Any], duration_s: float
) -> dict[str, Any]:
    """The report of the tournament with what only the supervisor and the swarm know."""
    report = reports.build(tournament_id, swarm, room.supervisor.restarts())
    report["killed"] = dict(room.killed)
    report["run_s"] = round(duration_s, 1)
    if not report["finished"]:
        limit_s = room.options.within_s
        report["violations"].append(f"the tournament was not finished after {limit_s:g} s")
    if not swarm:
        report["violations"].append("the swarm ended without a report")
    if not report["violations"] and not reports.is_right(report):
        report["violations"].append("chips, money or places do not add up")
    return report


def _swarm_said(room: Room) -> dict[str, Any]:
    """The swarm notices the end by itself; wait for its report a little, then take it away."""
    give_up_s = time.monotonic() + SWARM_ENDS_WITHIN_S
    path = room.swarm_report
    room.run(lambda: path.exists() or time.monotonic() > give_up_s)
    room.supervisor.retire("swarm")
    said: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return said


def _verdict(report: dict[str, Any]) -> str:
    wrong = report["violations"]
    if wrong:
        return "\n".join(["NOT RIGHT:", *(f"  {line}" for line in wrong[:20])])
    keys = ("players", "hands", "actions", "moves", "pool", "paid", "restarts", "duration_s")
    return "all right: " + "  ".join(f"{key} {report.get(key)}" for key in keys)
