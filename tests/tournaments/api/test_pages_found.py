"""Pages of long lists: whole and in order, and found by an index however long the room exists."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.models import Posting, User
from config import limits
from tables.models import Hand, Table
from tables.records import hand_months
from tests.plans import whole_reads
from tests.tournaments.api.asking import get, token
from tests.tournaments.bot_ladder.room import ladder, over, template
from tests.tournaments.cast import open_offer
from tests.tournaments.club_scene import person
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.api.shared import forget_answers
from tournaments.bot_ladder import settled
from tournaments.bot_ladder.models import RatedBot
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db

ROWS = limits.API_ROWS_PER_PAGE * 2 + 10


@pytest.fixture
def ann(house: Redis) -> User:
    return person("Ann")


@pytest.fixture
def large(ann: User) -> Tournament:
    """A tournament with many entries and tables, and a later one with some of each."""
    first, later = (open_offer(name=name, players_max=ROWS) for name in ("First", "Later"))
    for made, count in ((first, ROWS), (later, 3)):
        Tournament.objects.filter(pk=made.pk).update(entrants=count, left=count)
        numbers = range(1, count + 1)
        Entry.objects.bulk_create(
            Entry(tournament=made, user=ann, name="Ann", number=number, state=Entry.State.OUT)
            for number in numbers
        )
        Table.objects.bulk_create(
            Table(director="tournament", game=made.pk, number=number, seats_max=6)
            for number in numbers
        )
    return first


@pytest.mark.parametrize("listing", ["results", "tables"])
def test_pages_of_a_large_tournament_repeat_nothing_and_leave_nothing_out(
    large: Tournament, ann: User, listing: str
) -> None:
    text, cursor, numbers = token(ann, "watch"), "", list[int]()
    while True:
        page = get(f"/tournaments/{large.pk}/{listing}", text, cursor=cursor).json()
        numbers += [row["number"] for row in page["items"]]
        cursor = page["next"]
        if not cursor:
            break
    assert numbers == list(range(ROWS, 0, -1))


@pytest.mark.parametrize(
    ("listing", "table"), [("results", "tournaments_entry"), ("tables", "tables_table")]
)
def test_rows_of_later_tournaments_are_not_read_for_a_page(
    large: Tournament, ann: User, listing: str, table: str
) -> None:
    text, address = token(ann, "watch"), f"/tournaments/{large.pk}/{listing}"
    cursor = get(address, text).json()["next"]
    forget_answers()
    assert whole_reads(lambda: get(address, text), table, sorts=False) == []
    assert whole_reads(lambda: get(address, text, cursor=cursor), table, sorts=False) == []


def test_a_page_of_the_wallet_reads_the_movements_of_that_page(ann: User) -> None:
    text = token(ann, "wallet")
    assert whole_reads(lambda: get("/wallet", text), Posting._meta.db_table, sorts=False) == []


def test_games_of_other_bots_are_not_read_for_a_page_of_a_bot(ann: User) -> None:
    made = template()
    rated = ladder(made)
    for _ in range(2):
        over(made, "bot-a", "bot-b")
    assert settled.rate_ladders() == 2
    bot = RatedBot.objects.filter(ladder=rated).first()
    assert bot is not None
    text, address = token(ann, "watch"), f"/ladders/{rated.pk}/bots/{bot.user_id}"
    games = [row["game"] for row in get(address, text).json()["items"]]
    assert games == [2, 1]
    found = whole_reads(lambda: get(address, text), "bot_ladder_ratedresult", sorts=False)
    assert found == []


def test_hands_that_others_played_later_are_not_read_for_those_of_a_tournament(
    house: Redis,
) -> None:
    played, empty = PlayedHands(3), open_offer()
    assert hand_months.last_key("tournament", empty.pk) == 0
    text, last = token(person("Wanda"), "watch"), Hand.objects.latest("pk").pk
    PlayedHands(2)
    assert Hand.objects.latest("pk").pk > last
    for route in ("hands", "hands/export"):
        forget_answers()
        with CaptureQueriesContext(connection) as asked:
            answer = get(f"/tournaments/{played.tournament.pk}/{route}", text)
        assert answer.status_code == 200
        pages = [one["sql"] for one in asked if '"tables_hand"."record"' in one["sql"]]
        assert len(pages) == 1 and f'"tables_hand"."id" <= {last}' in pages[0]
    rows = get(f"/tournaments/{played.tournament.pk}/hands", text).json()["items"]
    assert [row["number"] for row in rows] == [3, 2, 1]


def test_a_page_of_a_table_reads_the_hands_of_that_page(house: Redis) -> None:
    played = PlayedHands(3)
    text, address = token(person("Wanda"), "watch"), f"/tables/{played.table}/hands"
    assert [row["number"] for row in get(address, text).json()["items"]] == [3, 2, 1]
    found = whole_reads(lambda: get(address, text), "tables_hand", by="table_id", sorts=False)
    assert found == []
