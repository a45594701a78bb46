"""A tournament followed from outside: live feed, chips over time, and search for a player."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.models import User
from accounts.users import bots
from accounts.users.signup import sign_up
from tables.engine.events import Event, Stakes
from tables.models import Hand, Seat
from tables.records import stored
from tests.tournaments import course
from tests.tournaments.cast import open_offer
from tournaments.entries import registration
from tournaments.events.client_events import (
    BreakBegan,
    HandForHandBegan,
    HandForHandEnded,
    LevelBegan,
    Paused,
    PlayerOut,
    TournamentTableClosed,
)
from tournaments.events.unit_of_work import UnitOfWork
from tournaments.models import Announcement, Entry, Tournament
from tournaments.models.tournament import SeenBy
from tournaments.queries import chip_graph, feed, where

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played(house: Redis, room: Redis) -> Tournament:
    """A tournament of six at two tables, played until two are out."""
    tournament = course.offer(6, 3)
    course.fill(tournament)
    course.play(room, tournament, random.Random(3), lambda now: now.left <= 4)
    return tournament


def test_the_feed_lists_events_latest_first(played: Tournament) -> None:
    lines = [line.words for line in feed.feed(played, 50)]
    assert lines[-1] == "The tournament starts: 6 players"
    out = [line for line in lines if " is out, " in line]
    assert [line.rsplit(", ")[-1] for line in out] == ["4 left", "5 left"]
    assert feed.feed(played, 2) == feed.feed(played, 50)[:2]


def test_every_line_of_the_feed_has_a_text(house: Redis) -> None:
    offer = open_offer()
    level = Stakes(small_blind=25, big_blind=50)
    tx = UnitOfWork()
    for event in (
        LevelBegan(2, level, None, None, None, None),
        BreakBegan(1, None),
        Paused("frozen"),
        Paused(""),
        PlayerOut(1, 1, "anna <b>", 3, None, 1_050),
        TournamentTableClosed(7, 2),
        HandForHandBegan(4, 3),
        HandForHandEnded(),
    ):
        tx.tell(offer.member, event)
    with transaction.atomic():
        tx.write()
    assert [line.words for line in feed.feed(offer, 8)] == [
        "Hand for hand is over",
        "Hand for hand begins",
        "Table 2 is closed",
        "anna <b> is out and wins 10.50, 3 left",
        "Paused",
        "Paused: A fault is being mended; all tables go on together.",
        "The break begins",
        "Level 2: 25 / 50",
    ]


def test_the_feed_asks_for_no_names_but_those_of_its_lines(
    house: Redis, django_assert_num_queries: Any
) -> None:
    offer, ann = open_offer(), bots.create(1)[0]
    entry = registration.register(ann, offer)
    _tell(offer, BreakBegan(1, None))
    with django_assert_num_queries(1):
        assert [line.words for line in feed.feed(offer, 8)] == ["The break begins"]
    _tell(offer, PlayerOut(entry.pk, ann.pk, "ann", 3, None, 0))
    User.objects.filter(pk=ann.pk).update(deleted_at=timezone.now())
    Entry.objects.filter(pk=entry.pk).update(name="deleted-1")
    assert feed.feed(offer, 8)[0].words == "deleted-1 is out, 3 left"


def _tell(offer: Tournament, event: Event) -> None:
    tx = UnitOfWork()
    tx.tell(offer.member, event)
    with transaction.atomic():
        tx.write()


def test_the_feed_lists_no_event_before_its_publication(played: Tournament) -> None:
    told = feed.feed(played, 50)
    newest = Announcement.objects.filter(stream=played.member).order_by("-seq")
    numbers = list(newest.values_list("seq", flat=True)[:3])
    newest.filter(seq__in=numbers).update(published=False)
    shorter = feed.feed(played, 50)
    assert shorter == told[-len(shorter) :] if shorter else told == []


def test_the_graph_ends_with_the_stacks_at_the_tables(played: Tournament) -> None:
    leader = Seat.objects.order_by("-chips", "entry").first()
    assert leader is not None
    drawn = chip_graph.graph(played, leader.user)
    assert drawn is not None
    assert drawn.curves[0].mine and len(drawn.curves) <= chip_graph.LEADERS + 1
    stacks = dict(Seat.objects.values_list("name", "chips"))
    assert {curve.name: curve.chips for curve in drawn.curves}.items() <= stacks.items()
    hands = [stored.decode(bytes(raw)) for raw in Hand.objects.values_list("record", flat=True)]
    own = [hand for hand in hands if any(seat.entry == leader.entry for seat in hand.seats)]
    assert len(drawn.curves[0].points.split()) == len(own)
    for point in " ".join(curve.points for curve in drawn.curves).split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= drawn.width and 0 <= y <= drawn.height


def test_no_graph_is_drawn_before_the_first_hand(house: Redis) -> None:
    assert chip_graph.graph(open_offer(), None) is None


def test_the_page_shows_feed_and_graph(played: Tournament, client: Client) -> None:
    page = client.get(f"/tournaments/{played.pk}/").content.decode()
    assert "Live feed" in page and "The tournament starts: 6 players" in page
    page = client.get(f"/tournaments/{played.pk}/?tab=chips").content.decode()
    assert "Chips over time" in page and "<polyline" in page
    empty = client.get(f"/tournaments/{open_offer().pk}/?tab=chips").content.decode()
    assert "No hands are played yet." in empty and "<svg" not in empty.partition("tab-panel")[2]


def test_a_player_is_found_by_the_beginning_of_the_name(house: Redis, client: Client) -> None:
    offer = open_offer(name="Sunday")
    for name in ("Annabel", "anna", "Bert"):
        registration.register(sign_up(name, "correct horse battery"), offer)
    found = where.where("ANNA", None)
    assert [(row.player, row.name, row.table) for row in found] == [
        ("anna", "Sunday", None),
        ("Annabel", "Sunday", None),
    ]
    page = client.get("/players/", {"name": "anna"}).content.decode()
    assert "Annabel" in page and "registered" in page and "Bert" not in page


def test_a_player_at_a_table_is_found_with_a_link_to_it(played: Tournament, client: Client) -> None:
    seat = Seat.objects.order_by("pk").first()
    assert seat is not None
    page = client.get("/players/", {"name": seat.name}).content.decode()
    assert f'href="/tables/{seat.table_id}/"' in page and f"seat {seat.seat}" in page


def test_a_player_on_the_way_to_a_table_is_not_told_as_registered(
    house: Redis, client: Client
) -> None:
    entry = registration.register(sign_up("anna", "correct horse battery"), open_offer())
    for state, words in (("seated", "in play"), ("pending", "may buy again")):
        Entry.objects.filter(pk=entry.pk).update(state=state)
        page = client.get("/players/", {"name": "anna"}).content.decode()
        assert f"<td>{words}</td>" in page and "<td>registered</td>" not in page


@pytest.mark.parametrize("name", ["", "a", "%%", "__", "\x00\x00", "x" * 5_000, "<b>bold</b>"])
def test_an_unknown_name_finds_no_player(house: Redis, client: Client, name: str) -> None:
    registration.register(sign_up("anna", "correct horse battery"), open_offer())
    answer = client.get("/players/", {"name": name})
    assert answer.status_code == 200
    assert "anna" not in answer.content.decode().replace("<b>", "")
    assert "<b>bold" not in answer.content.decode()


@pytest.mark.rule("T-02")
def test_players_of_a_private_tournament_are_shown_only_to_permitted_users(house: Redis) -> None:
    offer = open_offer(password="sesame street")
    Tournament.objects.filter(pk=offer.pk).update(seen_by=SeenBy.ENTERED)
    anna, bert = sign_up("anna", "correct horse battery"), bots.create(1)[0]
    registration.register(anna, offer, "sesame street")
    stranger = User.objects.create(name="stranger")
    assert where.where("anna", anna)
    for outside in (None, bert, stranger):
        assert where.where("anna", outside) == []


@pytest.mark.rule("T-02")
def test_players_of_private_tournaments_hide_no_player_of_another_one(
    house: Redis, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, "FOUND_MAX", 2)
    private, offer = open_offer(password="sesame street"), open_offer(name="Sunday")
    Tournament.objects.filter(pk=private.pk).update(seen_by=SeenBy.ENTERED)
    for name in ("Anna", "Annabel"):
        registration.register(sign_up(name, "correct horse battery"), private, "sesame street")
    annika = sign_up("Annika", "correct horse battery")
    registration.register(annika, offer)
    for asks in (None, annika):
        assert [row.player for row in where.where("ann", asks)] == ["Annika"]
    cut = "type more of the name"
    assert cut not in client.get("/players/", {"name": "ann"}).content.decode()
    registration.register(User.objects.get(name="Anna"), offer)
    assert cut in client.get("/players/", {"name": "ann"}).content.decode()
