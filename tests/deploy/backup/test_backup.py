"""Backup taken during play, restored into an empty second room, which then plays on."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.config.files.drawn_pictures import drawn
from tests.deploy.cluster.living import CALM_MS, Living, are_complete

PLAYERS, SEATS = 4, 2
SOON_S = 60.0

pytestmark = pytest.mark.cluster


@pytest.fixture
def second() -> Iterator[Living]:
    """Empty room: servers without tables, no files, no keys, no processes."""
    home = Path(tempfile.mkdtemp(prefix="room-second-"))
    home.chmod(0o711)
    made = Living(home)
    try:
        made.start_servers()
        yield made
    finally:
        made.stop()
        shutil.rmtree(home, ignore_errors=True)


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


def test_a_backup_of_a_playing_room_plays_on_in_an_empty_one(
    living: Living, second: Living, tmp_path: Path
) -> None:
    tournament = living.offer(players=PLAYERS, seats=SEATS, calm_ms=CALM_MS)
    bots = living.send_bots(tournament, PLAYERS)
    living.wait(lambda: living.state_of(tournament) == "running", 20.0, "it starts")
    living.wait(living.goes_on(tournament), 20.0, "it is played")
    before = _hands(living, tournament)
    pictures = [_upload_picture(living, 0), _make_club_with_picture(living, 0)]
    bodies = [httpx.get(living.layout.url + path, timeout=SOON_S).content for path in pictures]
    told = living.manage("backup", str(tmp_path / "backup"))
    assert "stored files: 2 files" in told and "keys:" in told
    dumped = _hands(living, tournament)
    later = _upload_picture(living, 1)
    living.wait(lambda: _hands(living, tournament) >= dumped + 4, 20.0, "it goes on")
    living.end_calm(tournament)
    living.wait(lambda: living.state_of(tournament) == "finished", 90.0, "it ends")
    living.supervisor.retire(bots.name)

    told = second.manage_as_owner("restore", str(tmp_path / "backup"))
    assert "prepare --database" in told
    second.prepare()
    restored = _hands(second, tournament)
    assert before <= restored <= dumped, "the state is of a moment during the backup"
    second.start_processes()
    bots = second.send_bots(tournament, PLAYERS, living.sessions)
    second.wait(lambda: _hands(second, tournament) > restored, 20.0, "hands are dealt again")
    for path, body in zip(pictures, bodies, strict=True):
        again = httpx.get(second.layout.url + path, timeout=SOON_S)
        assert (again.status_code, again.headers["Content-Type"]) == (200, "image/webp")
        assert again.content == body and len(body) > 100
    missing = httpx.get(second.layout.url + later, timeout=SOON_S)
    assert missing.status_code == 404, "it was uploaded after the backup"
    second.end_calm(tournament)
    report = bots.finish(90.0)
    assert report["violations"] == []
    assert report["chips_counted"] == report["chips_sold"]
    assert report["pool"] == report["paid"] == PLAYERS * 10_00
    assert are_complete(report["places"], PLAYERS)
    assert second.manage("audit") == "no violation\n"
