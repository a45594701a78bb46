"""Restore of a dump taken during play: data and pictures are consistent, and play goes on."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import psycopg
import pytest

from deploy.embedded.binaries import postgres_directory
from tests.config.files.drawn_pictures import drawn
from tests.deploy.living import CALM_MS, Living, are_complete

PLAYERS, SEATS = 4, 2
SOON_S = 60.0
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


def _upload_picture(living: Living, number: int) -> str:
    """Upload a picture as one of the room's players; return its address."""
    player = json.loads(living.sessions.read_text().splitlines()[number])
    with httpx.Client(base_url=living.layout.url, cookies={"sessionid": player["session"]}) as web:
        web.get("/account/picture/").raise_for_status()
        token, file = web.cookies["csrftoken"], {"picture": ("face.png", drawn("PNG"))}
        sent = web.post("/account/picture/", data={"csrfmiddlewaretoken": token}, files=file)
        assert sent.status_code == 302, sent.text
        found = re.search(r"/pictures/[0-9a-f]{32}[.]webp", web.get("/account/picture/").text)
    assert found is not None
    return found[0]


def _make_club_with_picture(living: Living, number: int) -> str:
    """Make a club of one of the room's players and upload its picture; return the address."""
    player = json.loads(living.sessions.read_text().splitlines()[number])
    with httpx.Client(base_url=living.layout.url, cookies={"sessionid": player["session"]}) as web:
        web.get("/clubs/new/").raise_for_status()
        form = {"csrfmiddlewaretoken": web.cookies["csrftoken"]}
        typed = {"name": "River Rats", "colour": "#112233", "second_colour": "#445566"}
        assert web.post("/clubs/new/", data=form | typed).status_code == 302
        sent = web.post(
            "/clubs/river-rats/picture/", data=form, files={"picture": ("a.png", drawn("PNG"))}
        )
        assert sent.status_code == 302, sent.text
        found = re.search(
            r"/clubs/river-rats/pictures/[0-9a-f]{32}[.]webp", web.get("/clubs/river-rats/").text
        )
    assert found is not None
    return found[0]


def test_a_room_goes_back_to_a_dump_and_plays_on(living: Living, tmp_path: Path) -> None:
    tournament = living.offer(players=PLAYERS, seats=SEATS, calm_ms=CALM_MS)
    bots = living.send_bots(tournament, PLAYERS)
    living.wait(lambda: living.state_of(tournament) == "running", 20.0, "it starts")
    living.wait(living.goes_on(tournament), 20.0, "it is played")
    before = _hands(living, tournament)
    address_of_picture = living.layout.url + _upload_picture(living, 0)
    picture = httpx.get(address_of_picture, timeout=SOON_S).content
    address_of_crest = living.layout.url + _make_club_with_picture(living, 0)
    crest = httpx.get(address_of_crest, timeout=SOON_S).content
    servers = living.layout.servers().postgres
    dump, address = tmp_path / "room.dump", servers.owner_url
    _run("pg_dump", "-Fc", "--no-owner", "-f", str(dump), servers.url)
    dumped = _hands(living, tournament)
    files, kept = living.layout.home / "files", tmp_path / "files"
    shutil.copytree(files, kept)
    later = living.layout.url + _upload_picture(living, 1)
    living.wait(lambda: _hands(living, tournament) >= dumped + 4, 20.0, "it goes on")
    for name in WORKERS:
        living.kill(name)
    shutil.rmtree(files)
    with psycopg.connect(address) as owner:
        owner.execute("DROP SCHEMA public CASCADE")
        owner.execute("CREATE SCHEMA public")
    _run(
        "pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction",
        "-d", address, str(dump),
    )  # fmt: skip
    shutil.copytree(kept, files)
    living.room.flushall()
    living.prepare()
    restored = _hands(living, tournament)
    assert before <= restored <= dumped, "the state is of a moment during the dump"
    living.wait(lambda: _hands(living, tournament) > restored, 20.0, "hands are dealt again")
    again = httpx.get(address_of_picture, timeout=SOON_S)
    assert (again.status_code, again.headers["Content-Type"]) == (200, "image/webp")
    assert again.content == picture and len(picture) > 100
    assert httpx.get(address_of_crest, timeout=SOON_S).content == crest and len(crest) > 100
    assert httpx.get(later, timeout=SOON_S).status_code == 404, "it was uploaded after the dump"
    living.end_calm(tournament)
    living.wait(lambda: living.state_of(tournament) == "finished", 90.0, "it is over")
    living.supervisor.retire(bots.name)
    report = json.loads(living.manage("report", str(tournament)))
    assert report["violations"] == []
    assert report["chips_counted"] == report["chips_sold"]
    assert report["pool"] == report["paid"] == PLAYERS * 10_00
    assert are_complete(report["places"], PLAYERS)
    assert living.manage("audit") == "no violation\n"
