"""Data sets of bots: hands that pokerkit plays, a data card, and nothing of people."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pokerkit import HandHistory
from redis import Redis

from tables.models import Hand
from tests.tournaments.cast import Arena, started
from tournaments.bot_ladder.dataset import CARD
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def _played(**fields: object) -> Tournament:
    tournament = started(3, players_max=3, **fields)
    Arena(tournament.pk, 2).run()
    tournament.refresh_from_db()
    return tournament


def _dataset(out: Path, *words: str) -> str:
    printed = StringIO()
    call_command("dataset", "--out", str(out), *words, stdout=printed)
    return printed.getvalue()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_hands_of_bots_are_written_twice_with_their_card(house: Redis, tmp_path: Path) -> None:
    tournament, _people = _played(bots="only"), _played()
    hands = Hand.objects.filter(table__game=tournament.pk).count()
    assert _dataset(tmp_path) == f"{hands} hands of 1 tournaments written\n"
    histories = [
        history
        for path in (tmp_path / "phh").rglob("*.phhs")
        for history in HandHistory.loads_all(path.read_text())
    ]
    lines = [
        json.loads(line)
        for path in (tmp_path / "ndjson").rglob("*.ndjson")
        for line in path.read_text().splitlines()
    ]
    assert len(histories) == len(lines) == hands > 0
    assert {line["event"] for line in lines} == {tournament.name}
    assert "??" not in json.dumps(lines)
    card = (tmp_path / CARD).read_text()
    assert f"{hands} hands of 1 finished" in card and f"| holdem no_limit | {hands} |" in card


def test_the_data_card_tells_the_first_and_the_last_day(house: Redis, tmp_path: Path) -> None:
    tournament = _played(bots="only")
    hands = Hand.objects.filter(table__game=tournament.pk).order_by("number")
    assert hands.count() > 2
    # As if the second hand were the last one of the tournament, at a table with a smaller number.
    ended = hands[0].finished_at + timedelta(days=3)
    Hand.objects.filter(pk=hands[1].pk).update(finished_at=ended)
    _dataset(tmp_path)
    assert f"to\n{ended:%Y-%m-%d} (UTC)" in (tmp_path / CARD).read_text()


def test_tournaments_of_people_and_running_ones_are_refused(house: Redis, tmp_path: Path) -> None:
    people, running = _played(), started(2, bots="only")
    for number, why in ((people.pk, "not for bots alone"), (running.pk, "not finished"), (0, "no")):
        with pytest.raises(CommandError, match=why):
            _dataset(tmp_path / "out", "--tournament", str(number))
    assert not (tmp_path / "out").exists()
    (tmp_path / "kept").write_text("kept")
    with pytest.raises(CommandError, match="is not empty"):
        _dataset(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
