"""The report of a tournament has every field of the contract, counted from stored rows."""

from __future__ import annotations

import json
import random
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from redis import Redis

from tables.models import Hand, Table
from tables.records import stored
from tests.tournaments import course
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State
from tournaments.monitor import report

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

CONTRACT = (
    *("players", "entries", "seats_per_table", "tables_opened", "tables_closed", "moves", "hands"),
    *("actions", "commands_rejected", "chips_sold", "chips_counted", "pool", "paid", "fees"),
    *("ledger_sum", "places", "levels_reached", "duration_s", "action_to_stream_ms", "restarts"),
    "violations",
)
PLAYERS = 5


@pytest.fixture
def finished(room: Redis) -> Tournament:
    """A tournament of five at tables of three, played to its end."""
    tournament = course.offer(players=PLAYERS, seats=3)
    course.fill(tournament)
    course.play(room, tournament, random.Random(5), until=lambda t: t.state == State.FINISHED)
    return tournament


@pytest.mark.rule("Z-04")
def test_the_report_of_a_finished_tournament_adds_up(finished: Tournament) -> None:
    swarm = {
        "think": "fast",
        "commands_rejected": 3,
        "refusals": {"stale_command": 3},
        "action_to_stream_ms": {"count": 9, "p50": 4.0, "p99": 12.0, "max": 20.0},
        "reconnects": 1,
        "violations": [],
    }
    built = report.build(finished.pk, swarm_report=swarm, restarts={"play0": 2, "web": 1})
    assert set(CONTRACT) <= built.keys()
    assert (built["players"], built["entries"], built["seats_per_table"]) == (PLAYERS, PLAYERS, 3)
    assert built["tables_opened"] == built["tables_closed"] == Table.objects.count() >= 2
    assert built["hands"] == Hand.objects.count()
    kept = [stored.decode(bytes(hand.record)) for hand in Hand.objects.all()]
    assert built["actions"] == sum(len(hand.actions) for hand in kept)
    assert built["chips_sold"] == built["chips_counted"] == PLAYERS * 1_000
    assert built["pool"] == built["paid"] == PLAYERS * course.BUY_IN
    assert built["fees"] == PLAYERS * course.FEE
    assert built["ledger_sum"] == 0
    given = [row["place"] for row in built["places"]]
    assert given == [1 + given.index(place) for place in given], "each place once except ties"
    assert len(given) == PLAYERS
    assert sum(row["prize"] for row in built["places"]) == built["pool"]
    assert built["restarts"] == 3
    assert built["commands_rejected"] == 3
    assert built["action_to_stream_ms"]["p99"] == 12.0
    assert built["violations"] == []
    assert built["finished"]
    assert report.is_right(built)
    json.dumps(built)


def test_violations_seen_by_bots_are_in_the_report(finished: Tournament) -> None:
    built = report.build(finished.pk, swarm_report={"violations": ["table:1 1-7: gap"]})
    assert built["violations"] == ["table:1 1-7: gap"]
    assert not report.is_right(built)


def test_an_unpaid_prize_makes_the_report_fail(finished: Tournament) -> None:
    last = Entry.objects.filter(tournament=finished, prize=0).first()
    assert last is not None
    Entry.objects.filter(pk=last.pk).update(prize=100)
    built = report.build(finished.pk)
    assert built["paid"] == built["pool"]
    assert any("won 100 and was paid 0" in line for line in built["violations"])
    with pytest.raises(CommandError, match="the pool account holds 0"):
        call_command("report", finished.pk, stdout=StringIO())


def test_a_report_of_bots_that_is_no_json_is_refused(db: None, tmp_path: Path) -> None:
    (tmp_path / "swarm.json").write_text("cut sho")
    with pytest.raises(CommandError, match="--swarm is no report"):
        call_command("report", "1", "--swarm", str(tmp_path / "swarm.json"))


def test_a_running_tournament_has_an_intermediate_report(room: Redis) -> None:
    tournament = course.offer(players=4, seats=4)
    course.fill(tournament)
    course.play(room, tournament, random.Random(5), until=lambda _: Hand.objects.count() > 0)
    built = report.build(tournament.pk)
    assert not built["finished"]
    assert built["chips_counted"] == 4_000
    assert built["paid"] == 0
    assert built["action_to_stream_ms"] == {"p50": None, "p99": None, "max": None}
    assert not report.is_right(built)
