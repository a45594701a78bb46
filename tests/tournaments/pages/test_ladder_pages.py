"""Pages, files, API and admin of ladders show ratings with owners and faults, to everybody."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.bots import owning
from tests.tournaments.api.asking import get, token
from tests.tournaments.bot_ladder.room import ladder, over, template
from tests.tournaments.club_scene import person
from tournaments.bot_ladder.models import BotLadder, RatedBot
from tournaments.bot_ladder.settled import rate_finished

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(room: Redis) -> BotLadder:
    """A ladder with three rated games: the owned bot-deep before the room's bot-a."""
    deep = owning.make(person("Olga"), "deep")
    made = template()
    board = ladder(made, name="Night ladder")
    for names in ((deep.name, "bot-a"), (deep.name, "bot-a"), ("bot-a", deep.name)):
        over(made, *names)
    assert rate_finished(board.pk) == 3
    RatedBot.objects.filter(user=deep).update(decisions=90, time_outs=7, crashes=3, missed=5)
    return BotLadder.objects.get()


def _text(address: str) -> str:
    answer = Client().get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def _csv(address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(_text(address))))


def test_anybody_reads_the_table_with_owner_rating_and_faults(board: BotLadder) -> None:
    assert "Night ladder" in _text("/ladders/")
    page = _text(f"/ladders/{board.pk}/")
    assert page.index("bot-deep") < page.index("bot-a<")
    assert "Olga" in page and "the room" in page and "3 rated tournaments" in page
    first, second = _csv(f"/ladders/{board.pk}/table.csv")
    assert (first["rank"], first["name"], first["owner"]) == ("1", "bot-deep", "Olga")
    assert [first[name] for name in ("games", "wins", "decisions")] == ["3", "2", "90"]
    assert [first[name] for name in ("time_outs", "crashes", "missed")] == ["7", "3", "5"]
    assert float(first["mean_place"]) == pytest.approx(4 / 3)
    assert (second["rank"], second["owner"]) == ("2", "")
    assert float(first["mu"]) > 25 > float(second["mu"])


def test_a_bot_has_a_page_with_the_graph_and_file_of_its_ratings(board: BotLadder) -> None:
    deep = RatedBot.objects.get(user__name="bot-deep")
    page = _text(f"/ladders/{board.pk}/bots/{deep.user_id}/")
    assert page.count('<polyline class="curve"') == page.count('<polygon class="band"') == 1
    rows = _csv(f"/ladders/{board.pk}/bots/{deep.user_id}/games.csv")
    assert [(row["game"], row["place"]) for row in rows] == [("1", "1"), ("2", "1"), ("3", "2")]
    assert float(rows[1]["mu"]) > float(rows[0]["mu"]) > float(deep.mu) - 5
    assert float(rows[2]["mu"]) == deep.mu
    for missing in (f"/ladders/{board.pk}/bots/999999/", "/ladders/999999/"):
        assert Client().get(missing).status_code == 404


@pytest.mark.parametrize("part", ["", "games.csv"])
def test_the_course_of_a_bot_reads_names_of_tournaments_and_no_levels(
    board: BotLadder, part: str
) -> None:
    deep = RatedBot.objects.get(user__name="bot-deep")
    with CaptureQueriesContext(connection) as seen:
        _text(f"/ladders/{board.pk}/bots/{deep.user_id}/{part}")
    large = '"tournaments_tournament"."structure"'
    assert not any(large in query["sql"] for query in seen)


def test_the_api_gives_what_the_pages_show(board: BotLadder) -> None:
    text = token(person("Ann"), "watch")

    def asked(address: str) -> Any:
        answer = get(address, text)
        assert answer.status_code == 200, answer.content
        return answer.json()

    (listed,) = asked("/ladders")["items"]
    assert listed == {"id": board.pk, "name": "Night ladder", "is_open": True, "rated": 3}
    table = asked(f"/ladders/{board.pk}/table")
    assert (table["ladder"], table["bots"]) == (listed, 2)
    deep = table["items"][0]
    assert (deep["rank"], deep["name"], deep["owner"]) == (1, "bot-deep", "Olga")
    assert (deep["games"], deep["wins"], deep["crashes"], deep["missed"]) == (3, 2, 3, 5)
    assert asked(f"/ladders/{board.pk}/table?page=2")["items"] == []
    course = asked(f"/ladders/{board.pk}/bots/{deep['id']}")
    assert [row["game"] for row in course["items"]] == [3, 2, 1]
    assert course["items"][0]["mu"] == deep["mu"] and course["next"] == ""
    for number in (999_999, 2**70):
        assert get(f"/ladders/{board.pk}/bots/{number}", text).status_code == 404
        assert get(f"/ladders/{number}/table", text).status_code == 404


def test_staff_make_ladders_of_templates_for_bots_alone(room: Redis) -> None:
    staff = Client()
    staff.force_login(person("Rita", is_staff=True, is_superuser=True))
    good, people = template(), template("People", bots="allowed")
    private, large = template("Private"), template("Large", players_min=2, players_max=1_001)
    private.password = "hash"
    private.save()
    for wrong in (people, private, large):
        fields = {"name": "Night", "templates": [good.pk, wrong.pk], "is_open": "on"}
        answer = staff.post("/admin/bot_ladder/botladder/add/", fields)
        assert answer.status_code == 200 and f"“{wrong.name}” opens others" in str(
            answer.content.decode()
        )
    assert not BotLadder.objects.exists()
    fields = {"name": "Night", "templates": [good.pk], "is_open": "on"}
    assert staff.post("/admin/bot_ladder/botladder/add/", fields).status_code == 302
    made = BotLadder.objects.get()
    assert list(made.templates.all()) == [good]
    delete = f"/admin/bot_ladder/botladder/{made.pk}/delete/"
    BotLadder.objects.update(rated=1)
    assert staff.get(delete).status_code == 403
    for listing in ("botladder", "ratedgame", "ratedbot"):
        assert staff.get(f"/admin/bot_ladder/{listing}/").status_code == 200
