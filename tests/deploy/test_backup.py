"""Restore of a dump taken during play: the data is consistent, and play goes on."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from deploy.embedded.binaries import postgres_directory
from tests.deploy.living import CALM_MS, Living, are_complete

PLAYERS, SEATS = 4, 2
WORKERS = ("web", "play0", "play1", "settle0", "settle1")

pytestmark = pytest.mark.cluster


def _run(program: str, *arguments: str) -> None:
    """Run a program of the embedded PostgreSQL as an operator."""
    path = postgres_directory() / "bin" / program
    done = subprocess.run([path, *arguments], env={**os.environ, "LC_ALL": "C"}, check=False)
    assert done.returncode == 0, program


def _hands(living: Living, tournament: int) -> int:
    query = "SELECT coalesce(sum(hand), 0) FROM tables_table WHERE game = %s"
    return int(living.sql(query, tournament)[0][0])


def test_a_room_goes_back_to_a_dump_and_plays_on(living: Living, tmp_path: Path) -> None:
    tournament = living.offer(players=PLAYERS, seats=SEATS, calm_ms=CALM_MS)
    bots = living.send_bots(tournament, PLAYERS)
    living.wait(lambda: living.state_of(tournament) == "running", 20.0, "it starts")
    living.wait(living.goes_on(tournament), 20.0, "it is played")
    before = _hands(living, tournament)
    servers = living.layout.servers().postgres
    dump, address = tmp_path / "room.dump", servers.owner_url
    _run("pg_dump", "-Fc", "--no-owner", "-f", str(dump), servers.url)
    dumped = _hands(living, tournament)
    living.wait(lambda: _hands(living, tournament) >= dumped + 4, 20.0, "it goes on")
    for name in WORKERS:
        living.kill(name)
    _run(
        "pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction",
        "-d", address, str(dump),
    )  # fmt: skip
    living.room.flushall()
    living.prepare()
    restored = _hands(living, tournament)
    assert before <= restored <= dumped, "the state is of a moment during the dump"
    living.wait(lambda: _hands(living, tournament) > restored, 20.0, "hands are dealt again")
    living.end_calm(tournament)
    living.wait(lambda: living.state_of(tournament) == "finished", 90.0, "it is over")
    living.supervisor.retire(bots.name)
    report = json.loads(living.manage("report", str(tournament)))
    assert report["violations"] == []
    assert report["chips_counted"] == report["chips_sold"]
    assert report["pool"] == report["paid"] == PLAYERS * 10_00
    assert are_complete(report["places"], PLAYERS)
    assert living.manage("audit") == "no violation\n"
