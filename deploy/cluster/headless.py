"""Headless run: one whole tournament of bots through the real cluster, and its report."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import Error as DatabaseError
from django.db import close_old_connections, transaction
from django.utils import timezone
from msgspec.structs import asdict

from accounts.logins import minting
from accounts.users import bots
from config.refusals import marked as _
from deploy.cluster import demo, divided
from deploy.cluster.room import ClusterOptions, Room
from deploy.measuring.shared_files import verify_shared_files
from deploy.processes.asking import PolledAnswer
from tables.history.clients.check import check_folder
from tables.models import Hand
from tables.records import holding
from tournaments.engine.presets import PRESETS
from tournaments.locks import DIRECTOR
from tournaments.models import Structure, Tournament
from tournaments.models.options.cards_up import CardsUp
from tournaments.models.options.formats import Format
from tournaments.models.options.prizes import Methods
from tournaments.models.structure import encoded
from tournaments.models.tournament import Start, State
from tournaments.models.tournament import is_over as ended
from tournaments.monitor import hand_files
from tournaments.monitor import report as reports
from tournaments.refusals import BadSpec
from tournaments.running import operations
from tournaments.schedule import making
from tournaments.schedule import options as offered

FAST_LEVEL_MS = 20_000
HUMAN_LEVEL_MS = 180_000
SWARM_ENDS_WITHIN_S = 30.0
SESSION_HOURS = 24.0 * 14
LOOK_EVERY_S = 0.5
STARTS_AFTER_S = 20
TOLD_WITHIN_S = 60.0
"""Longest wait for the release of the last hand of a run."""


def play(room: Room) -> int:
    """Play to the end and write the report; return 0 without violations."""
    began_s = time.monotonic()
    room.start_second_workers()
    if room.options.history:
        clear_histories(room.options.history)
    tournament = create(room.options)
    if tournament.cards_up != CardsUp.OFF:
        room.start_cards_up()
    room.start_swarm(["--tournament", str(tournament.pk), *swarm_arguments(room)])
    room.terminal.say(f"tournament {tournament.pk}: {room.layout.url}/tournaments/{tournament.pk}/")
    if room.layout.machines.named:
        room.start_web_twin()
    give_up_s = began_s + room.options.within_s
    finished = PolledAnswer(lambda: is_over(tournament.pk), False, LOOK_EVERY_S)
    with ExitStack() as stack:
        cuts = stack.enter_context(divided.partitions(room)) if room.options.cuts else None
        look = cuts.cut_and_heal if cuts else lambda: None
        room.run(lambda: finished.answer or time.monotonic() > give_up_s, look)
    finished.close()
    swarm = _swarm_said(room)
    report = finished_report(room, tournament.pk, swarm, time.monotonic() - began_s)
    if cuts:
        divided.add_partitions(report, room, cuts)
    if room.layout.machines.named:
        _verify_files(room, report)
    if room.options.export:
        export_hands(room, tournament.pk, room.options.export)
    if room.options.report:
        room.options.report.write_text(json.dumps(report, indent=2) + "\n")
    room.terminal.say(_verdict(report))
    return 1 if report["violations"] else 0


def export_hands(room: Room, tournament: int, directory: Path) -> None:
    """Write every hand of the run, with all cards once it is over; wait for the last release."""
    give_up_s = time.monotonic() + TOLD_WITHIN_S
    told = PolledAnswer(lambda: all_told(tournament), False, LOOK_EVERY_S)
    room.run(lambda: told.answer or time.monotonic() > give_up_s)
    told.close()
    hand_files.prepare(directory)
    form, over = room.options.export_format, is_over(tournament)
    holding.hold_record_key()
    total = hand_files.write(tournament, directory, form, all_cards=over)
    room.terminal.say(f"{total} hands written to {directory}")


@transaction.atomic
def create(options: ClusterOptions, password: str = "") -> Tournament:  # nosec B107
    """Create the operator's tournament, else a Sit & Go for exactly the number of bots.

    With a password it is private (T-02); with fast bots it has short levels and pauses. Raises a
    refusal when it cannot be played as offered.
    """
    fast = options.think == "fast"
    level_ms = FAST_LEVEL_MS if fast else HUMAN_LEVEL_MS
    pace = {"hand_pause_ms": 100, "showdown_pause_ms": 200, "street_pause_ms": 0} if fast else {}
    asked = offered.read(options.offer)
    start = asked.get("start", Start.SIT_AND_GO)
    levels = _levels(asked, level_ms)
    wanted: dict[str, Any] = {
        "name": f"{options.players} bots",
        "start": start,
        "seats_per_table": options.seats,
        "buy_in": 10_00,
        "fee": 1_00,
        "bubble_charge_ms": level_ms // 3,
        **_field(options.players, start, asked),
        **pace,
        **asked,
    }
    if wanted.get("format") == Format.SATELLITE:
        wanted.setdefault("target", _target(levels, wanted))
    made = making.create_from_structure(levels, password=password, reason="headless run", **wanted)
    return operations.open(made.pk, reason="headless run")


def _field(players: int, start: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the size of the field; a scheduled tournament starts soon and has space for
    re-entries.
    """
    if start == Start.SIT_AND_GO:
        return {"players_min": players, "players_max": players}
    return {
        "players_min": 2,
        "players_max": players * (1 + asked.get("entries_max", 1)),
        "starts_at": timezone.now() + timedelta(seconds=STARTS_AFTER_S),
    }


def _levels(asked: dict[str, Any], level_ms: int) -> Structure:
    """Return the requested or named levels, else short ones."""
    items, name = asked.pop("structure", None), asked.pop("structure_name", None)
    if items is not None:
        stack = asked.get("starting_stack", 1_500)
        return Structure(name=name or "headless", items=items, starting_stack=stack)
    if name is None:
        return demo.structure(f"headless {level_ms // 1000} s", level_ms=level_ms)
    found = Structure.objects.filter(name=name).first()
    if found is None and name in PRESETS:
        items, stack = encoded(PRESETS[name].structure), PRESETS[name].starting_stack
        found = Structure(name=name, items=items, starting_stack=stack)
    if found is None:
        names = sorted({*PRESETS, *Structure.objects.values_list("name", flat=True)})
        raise BadSpec(
            _("There is no structure of that name. There are: %(names)s."),
            names=names,
            field="structure_name",
        )
    return found


def _target(levels: Structure, satellite: dict[str, Any]) -> Tournament:
    """Return the target of a satellite without one: a tournament of three times its price."""
    made = making.create_from_structure(
        levels,
        name=f"Target of {satellite['name']}",
        start=Start.SCHEDULED,
        starts_at=timezone.now() + timedelta(days=1),
        buy_in=3 * satellite["buy_in"],
        fee=3 * satellite["fee"],
        methods=Methods.BOTH,
        activity=f"target of {satellite['name']}"[:40],
        reason="headless run",
    )
    return operations.open(made.pk, reason="headless run")


def swarm_arguments(room: Room) -> list[str]:
    """Return the swarm's arguments: number of bots, pace, and the sessions minted here."""
    path = room.layout.run / "sessions.jsonl"
    sessions_of_bots(path, room.options.players)
    history = room.options.history
    return [
        *("--players", str(room.options.players), "--think", room.options.think),
        *("--sessions", str(path)),
        *(("--history", str(history)) if history else ()),
    ]


def sessions_of_bots(path: Path, players: int, first: int = 0) -> None:
    """Write a file of log-in sessions for `players` bots, readable by its owner only.

    The oldest `first` bots of the room are skipped.
    """
    from tables.bots.client.connection import Identity
    from tables.bots.client.sessions import write

    minted = minting.mint(bots.create(first + players)[first:], SESSION_HOURS)
    write(path, [Identity(user=user.pk, name=user.name, session=key) for user, key in minted])


def is_over(tournament_id: int) -> bool:
    """Return whether the tournament ended and has paid everything; False without an answer."""
    try:
        return Tournament.objects.filter(ended(), pk=tournament_id).exists()
    except DatabaseError:
        return False
    finally:
        close_old_connections()


def all_told(tournament_id: int) -> bool:
    """Return whether every settled hand was released; False without an answer."""
    held = Hand.objects.filter(table__director=DIRECTOR, table__game=tournament_id)
    try:
        return not held.filter(released_at__gt=timezone.now()).exists()
    except DatabaseError:
        return False
    finally:
        close_old_connections()


def finished_report(
    room: Room, tournament_id: int, swarm: dict[str, Any], duration_s: float
) -> dict[str, Any]:
    """Return the tournament's report with the findings of the supervisor and the swarm."""
    report = reports.build(tournament_id, swarm, room.supervisor.restarts())
    report["killed"] = dict(room.killed)
    report["run_s"] = round(duration_s, 1)
    if room.options.history:
        add_histories(report, room.options.history)
    if not report["finished"]:
        cancelled, limit_s = report["state"] == State.CANCELLED, room.options.within_s
        why = "was cancelled" if cancelled else f"was not finished after {limit_s:g} s"
        report["violations"].append(f"the tournament {why}")
    report["violations"] += room.take_defects()
    if not swarm:
        report["violations"].append("the swarm ended without a report")
    if not report["violations"] and not reports.is_right(report):
        report["violations"].append("chips, money or places do not add up")
    return report


def _verify_files(room: Room, report: dict[str, Any]) -> None:
    """Add to the report how pictures uploaded at one web host are served by the other."""
    player = json.loads((room.layout.run / "sessions.jsonl").read_text().splitlines()[0])
    hosts = (room.layout.near, room.layout.twin)
    report["files"] = verify_shared_files(hosts, player["session"])
    report["violations"] += report["files"]["violations"]


def clear_histories(folder: Path) -> None:
    """Delete the histories of an earlier run, because bots append to them."""
    for old in folder.glob("*.jsonl"):
        old.unlink()


def add_histories(report: dict[str, Any], folder: Path) -> None:
    """Check the bots' histories; each inconsistency is a violation of the run."""
    verdict = asdict(check_folder(folder))
    report["violations"] += verdict.pop("violations")
    report["histories"] = verdict


def _swarm_said(room: Room) -> dict[str, Any]:
    """Wait briefly for the swarm, which notices the end by itself, then stop it."""
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
