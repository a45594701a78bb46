"""Parts around the bots: pace, measurements, the session file, the lobby scout."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from config.environment import HOME
from room_client.messages.commands import Subscribe
from tables.bots import tally_file
from tables.bots.client.connection import Identity, Site, chance_of
from tables.bots.client.sessions import read, write
from tables.bots.crowd import Crowd, SwarmPlan
from tables.bots.lobby import Scout
from tables.bots.playing.pace import HUMAN_MEDIAN_S, think_s
from tables.bots.tally import VIOLATIONS_KEPT, Spread, Tally


def test_human_pace_takes_about_six_seconds_and_never_misses_the_deadline() -> None:
    chance = Random(1)
    times = sorted(think_s("human", 15.0, chance) for _ in range(1_000))
    assert HUMAN_MEDIAN_S * 0.8 < times[500] < HUMAN_MEDIAN_S * 1.2
    assert times[-1] <= 13.5
    assert times[0] >= 0.8
    assert think_s("human", 1.0, chance) == 0.0
    assert think_s("fast", 15.0, chance) == 0.0


def test_a_spread_reports_its_percentiles() -> None:
    spread = Spread()
    for ms in range(1, 1_001):
        spread.add(float(ms))
    assert spread.summary() == {"count": 1_000, "p50": 500.1, "p99": 990.1, "max": 1_000.0}


def test_an_empty_spread_reports_no_percentile() -> None:
    assert Spread().summary() == {"count": 0, "p50": None, "p99": None, "max": None}


def test_a_flood_of_violations_is_counted_and_stored_only_in_part() -> None:
    tally = Tally()
    for number in range(VIOLATIONS_KEPT + 50):
        tally.violate([f"violation {number}"])
    report = tally.report()
    assert report["violations_seen"] == VIOLATIONS_KEPT + 50
    assert len(report["violations"]) == VIOLATIONS_KEPT
    json.dumps(report)


_KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from tables.bots import tally_file

async def play() -> None:
    path = Path(sys.argv[1])
    tally = tally_file.load(path)
    asyncio.create_task(tally_file.keep(tally, path))
    tally.counts["decisions"] += 7
    tally.hands.add((1, 1, 3))
    tally.refused["stale_command"] += 1
    tally.measured(12.5)
    await asyncio.sleep(tally_file.EVERY_S * 1.5)
    tally.violate(["a card too many"])
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(play())
"""


def test_the_next_process_continues_the_tally_of_a_killed_swarm(tmp_path: Path) -> None:
    path = tmp_path / "swarm.tally"
    for _ in range(2):
        killed = subprocess.run([sys.executable, "-c", _KILLED, str(path)], cwd=HOME, check=False)
        assert killed.returncode == -signal.SIGKILL
    report = tally_file.load(path).report()
    assert report["decisions"] == 14
    assert report["hands_seen"] == 1, "both processes saw the same hand"
    assert report["refusals"] == {"stale_command": 2}
    assert report["action_to_stream_ms"]["count"] == 2
    assert report["violations"] == ["a card too many"] * report["violations_seen"]
    assert report["violations_seen"] == 2


def test_a_session_file_is_read_back_unchanged_and_only_by_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "sessions.jsonl"
    identities = [Identity(user=n, name=f"bot-{n}", session=f"key{n}") for n in range(3)]
    assert write(path, identities) == 3
    assert path.stat().st_mode & 0o777 == 0o600
    found = read(path, 2)
    assert [(one.user, one.name, one.session) for one in found] == [
        (0, "bot-0", "key0"),
        (1, "bot-1", "key1"),
    ]


@pytest.mark.django_db
def test_sessions_are_minted_for_the_requested_number_of_bots(tmp_path: Path) -> None:
    path = tmp_path / "sessions.jsonl"
    call_command("mint_sessions", players=5, out=path)
    minted = read(path, 10)
    assert len(minted) == 5
    users = User.objects.in_bulk([one.user for one in minted])
    assert all(users[one.user].is_bot and users[one.user].name == one.name for one in minted)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"players": 0}, "--players is from 1"),
        ({"players": -5}, "--players is from 1"),
        ({"hours": 0.0}, "--hours is more than 0"),
        ({"hours": float("nan")}, "--hours is more than 0"),
        ({"hours": 1e9}, "--hours is more than 0"),
        ({"out": "missing/sessions.jsonl"}, "--out is no file"),
        ({"out": "."}, "--out is no file"),
    ],
)
def test_wrong_options_mint_no_session_and_make_no_bot(
    tmp_path: Path, options: dict[str, Any], wrong: str
) -> None:
    given: dict[str, Any] = {"players": 2, "out": "sessions.jsonl"} | options
    with pytest.raises(CommandError, match=wrong):
        call_command("mint_sessions", **given | {"out": tmp_path / given["out"]})
    assert not User.objects.filter(is_bot=True).exists()


def test_a_swarm_without_enough_sessions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sessions.jsonl"
    write(path, [Identity(user=1, name="bot-1", session="key")])
    with pytest.raises(CommandError, match="has only 1 sessions"):
        call_command("swarm", players=2, url="http://127.0.0.1:9", sessions=path, tournament=1)


def _row(tournament: int, **known: object) -> dict[str, object]:
    usual = {
        "tournament": tournament,
        "state": "registering",
        "start": "sit_and_go",
        "entrants": 2,
        "players_max": 6,
        "private": False,
        "name": "more than a bot needs",
    }
    return usual | known


def _told(scout: Scout, message: dict[str, object]) -> list[object]:
    return list(scout.received(msgspec.json.encode(message), 0.0).send)


def test_the_scout_lists_open_and_finished_tournaments() -> None:
    scout = Scout(chance=Random(1), tally=Tally())
    welcome = {"type": "welcome", "protocol": 1, "now_ms": 5}
    assert _told(scout, welcome) == [Subscribe("lobby")]
    rows = [
        _row(1),
        _row(2, entrants=6, full=True),
        _row(3, private=True),
        _row(4, state="running"),
        _row(5, state="finished"),
    ]
    _told(
        scout, {"type": "snapshot", "stream": "lobby", "id": "0-9", "state": {"tournaments": rows}}
    )
    assert [offer.tournament for offer in scout.open_offers()] == [1]
    assert [scout.is_over(number) for number in (1, 4, 5, 6)] == [False, False, True, False]
    changed = {"id": "0-10", "type": "tournament_summary", "summary": _row(4, state="cancelled")}
    _told(scout, {"type": "events", "stream": "lobby", "events": [changed]})
    assert scout.is_over(4)
    assert _told(scout, welcome) == [Subscribe("lobby", after="0-10")]


def test_each_bot_has_its_own_repeatable_seed() -> None:
    one, other = (Identity(user=n, name=f"bot-{n}", session="key") for n in (1, 2))
    assert chance_of(1, one).random() == chance_of(1, one).random()
    assert chance_of(1, one).random() != chance_of(1, other).random()


def test_restarted_bots_with_an_equal_seed_use_other_command_ids() -> None:
    def ids() -> set[str]:
        crowd = Crowd(Site("http://localhost"), [Identity(1, "bot", "key")], SwarmPlan(pace="fast"))
        (_, bot) = crowd.bots[0]
        return {bot.fresh_id() for _ in range(100)}

    first, second = ids(), ids()
    assert len(first) == len(second) == 100
    assert not first & second
    assert all(re.fullmatch("[A-Za-z0-9-]{1,36}", one) for one in first)
