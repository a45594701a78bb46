"""Hands by the API: own cards and shown ones, after the release, and nobody else's."""

from __future__ import annotations

import importlib
import json
import tomllib
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.models import User
from config import limits
from tables.dealer import record
from tables.engine.events import HoleCardsDealt
from tables.models import Hand
from tables.records import stored
from tests.tournaments.api.asking import get, refused, token
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.models import Tournament


@pytest.fixture
def played(house: Redis) -> PlayedHands:
    return PlayedHands(3)


def player(played: PlayedHands, seat: int = 0) -> User:
    return User.objects.get(pk=played.records[0].seats[seat].user)


def stranger() -> User:
    return User.objects.create_user("Stranger")


def deals(fields: dict[str, list[str]]) -> dict[str, str]:
    """Hole cards of the document by player."""
    lines = [line.split() for line in fields["actions"] if line.startswith("d dh ")]
    return {name: cards for _, _, name, cards in lines}


@pytest.mark.rule("S-03")
def test_own_hands_name_own_cards_and_shown_ones(played: PlayedHands) -> None:
    user = player(played)
    text = token(user, "hands:own")
    rows = get("/hands", text).json()["items"]
    assert [row["number"] for row in rows] == [3, 2, 1]
    for row, kept in zip(rows, reversed(played.records), strict=True):
        assert (row["table"], row["game"]) == (played.table, played.tournament.pk)
        order = kept.setup.positions.dealt
        seat = next(seat for seat in kept.seats if seat.user == user.pk)
        assert row["result"] == seat.chips - seat.chips_before
        own = f"p{order.index(seat.seat) + 1}"
        cards = {
            f"p{order.index(event.seat) + 1}": "".join(event.cards)
            for event in record.replay(kept.setup, kept.actions)
            if isinstance(event, HoleCardsDealt)
        }
        ndjson = get(f"/hands/{row['id']}", text)
        assert ndjson["Content-Type"].startswith("application/x-ndjson")
        fields = json.loads(ndjson.content)
        assert deals(fields) == {name: cards[own] if name == own else "????" for name in cards}
        shown = dict(kept.result.shown)
        actions = "".join(fields["actions"])
        for name, held in cards.items():
            assert (held in actions) == (name == own or order[int(name[1:]) - 1] in shown)
        phh = get(f"/hands/{row['id']}", text, format="phh")
        assert deals(tomllib.loads(phh.content.decode())) == deals(fields)
        ohh = json.loads(get(f"/hands/{row['id']}", text, format="ohh").content)["ohh"]
        assert ohh["hero_player_id"] == seat.seat
        assert ohh["tournament_info"]["tournament_number"] == str(played.tournament.pk)
        told = get(f"/hands/{row['id']}", text, format="pokerstars")
        assert told["Content-Type"] == "text/plain; charset=utf-8"
        assert told.content.decode().startswith("PokerStars Hand #")
        assert f"Dealt to {seat.name} [" in told.content.decode()


def test_public_hands_name_no_cards_that_were_not_shown(played: PlayedHands) -> None:
    text = token(player(played), "watch")
    rows = get(f"/tables/{played.table}/hands", text).json()["items"]
    assert [row["number"] for row in rows] == [3, 2, 1]
    assert {row["result"] for row in rows} == {None}
    assert get(f"/tournaments/{played.tournament.pk}/hands", text).json()["items"] == rows
    fields = json.loads(get(f"/tables/{played.table}/hands/2", text).content)
    assert set(deals(fields).values()) == {"????"}


def test_hands_of_others_are_missing(played: PlayedHands) -> None:
    text = token(stranger(), "hands:own")
    assert get("/hands", text).json()["items"] == []
    for row in Hand.objects.all():
        refused(get(f"/hands/{row.pk}", text), 404, "not_found")


def test_nothing_is_told_before_the_release(played: PlayedHands) -> None:
    Hand.objects.filter(number=3).update(released_at=timezone.now() + timedelta(minutes=1))
    user = player(played)
    text = token(user, "hands:own", "watch")
    tables, key = f"/tables/{played.table}/hands", Hand.objects.get(number=3).pk
    assert len(get("/hands/export", text).content.splitlines()) == 2
    for address in ("/hands", tables, f"/tournaments/{played.tournament.pk}/hands"):
        assert [row["number"] for row in get(address, text).json()["items"]] == [2, 1]
    for address in (f"/hands/{key}", f"{tables}/3", f"{tables}/4"):
        refused(get(address, text), 404, "not_found")
    browser = Client()
    browser.force_login(user)
    assert browser.get(played.address(3)).status_code == 404
    assert played.address(3) not in browser.get(played.address()).content.decode()
    assert played.address(3) not in browser.get(played.address(2)).content.decode()
    Hand.objects.update(released_at=timezone.now())
    assert get(f"/hands/{key}", text).status_code == 200
    assert browser.get(played.address(3)).status_code == 200


def test_hands_are_listed_by_tournament_day_and_page(
    played: PlayedHands, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, day = token(player(played), "hands:own"), timedelta(days=1)
    first = Hand.objects.get(number=1)
    Hand.objects.filter(number=1).update(finished_at=first.finished_at - 2 * day)
    today = first.finished_at.date()

    def numbers(**query: str) -> list[int]:
        return [row["number"] for row in get("/hands", text, **query).json()["items"]]

    assert numbers(tournament=str(played.tournament.pk)) == [3, 2, 1]
    assert numbers(tournament=str(played.tournament.pk + 1)) == []
    assert numbers(since=str(today - day)) == [3, 2]
    assert numbers(until=str(today - day)) == [1]
    monkeypatch.setattr(limits, "API_ROWS_PER_PAGE", 2)
    page = get("/hands", text).json()
    assert [row["number"] for row in page["items"]] == [3, 2]
    assert numbers(cursor=page["next"]) == [1]
    refused(get("/hands", text, cursor=page["next"] + "x"), 400, "invalid_cursor")
    others = token(player(played, 1), "hands:own", "watch")
    refused(get("/hands", others, cursor=page["next"]), 400, "invalid_cursor")
    refused(
        get(f"/tables/{played.table}/hands", others, cursor=page["next"]), 400, "invalid_cursor"
    )


def test_pages_of_hands_are_files(played: PlayedHands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "API_ROWS_PER_PAGE", 2)
    text = token(player(played), "hands:own", "watch")
    rows = get("/hands", text).json()["items"]
    first = get("/hands/export", text, tournament=str(played.tournament.pk))
    assert first["Content-Type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in first.content.splitlines()]
    assert [line["hand"] for line in lines] == [3, 2]
    assert lines == [json.loads(get(f"/hands/{row['id']}", text).content) for row in rows]
    last = get("/hands/export", text, cursor=first["Next-Cursor"], format="phh")
    assert last["Next-Cursor"] == ""
    [(count, fields)] = tomllib.loads(last.content.decode()).items()
    assert (count, fields["hand"]) == ("1", 1)
    documents = get("/hands/export", text, format="ohh").content.decode().split("\n\n")
    assert [bool(document) for document in documents] == [True, True, False]
    public = get(f"/tournaments/{played.tournament.pk}/hands/export", text)
    assert len(public["Next-Cursor"]) > 1
    shown = [json.loads(line) for line in public.content.splitlines()]
    assert {cards for fields in shown for cards in deals(fields).values()} == {"????"}
    assert get("/hands/export", text, until="2000-01-01").content == b""
    refused(get("/hands/export", text, cursor="x"), 400, "invalid_cursor")
    refused(get("/hands/export", token(stranger(), "watch")), 403, "missing_scope")


@pytest.mark.parametrize(
    "query",
    [
        {"since": "yesterday"},
        {"until": "2026-13-01"},
        {"tournament": "0"},
        {"tournament": str(10**30)},
        {"tournament": "x"},
    ],
)
def test_wrong_parameters_are_refused(played: PlayedHands, query: dict[str, str]) -> None:
    refused(get("/hands", token(stranger(), "hands:own"), **query), 400, "invalid_request")


def test_rights_and_forms_are_checked(played: PlayedHands) -> None:
    user, key = player(played), Hand.objects.get(number=1).pk
    own, watch = token(user, "hands:own"), token(user, "watch")
    for address in ("/hands", f"/hands/{key}"):
        refused(get(address, watch), 403, "missing_scope")
    for address in (f"/tables/{played.table}/hands", f"/tables/{played.table}/hands/1"):
        refused(get(address, own), 403, "missing_scope")
    refused(get(f"/hands/{key}", own, format="exe"), 400, "invalid_request")


@pytest.mark.rule("T-02")
def test_hands_of_a_private_tournament_are_those_of_its_players(played: PlayedHands) -> None:
    Tournament.objects.update(password=make_password("sesame"))
    text = token(stranger(), "watch")
    for address in (
        f"/tournaments/{played.tournament.pk}/hands",
        f"/tables/{played.table}/hands",
        f"/tables/{played.table}/hands/1",
        "/tables/1000000000/hands",
    ):
        refused(get(address, text), 404, "not_found")
    assert len(get("/hands", token(player(played), "hands:own")).json()["items"]) == 3


def test_earlier_hands_get_their_players(played: PlayedHands) -> None:
    wanted = list(Hand.objects.order_by("pk").values_list("users", flat=True))
    assert wanted[0] is not None
    assert set(wanted[0]) == {seat.user for seat in played.records[0].seats}
    for hand in Hand.objects.all():
        # Records of those hands were whole.
        whole = record.encode(stored.decode_open(bytes(hand.record)))
        Hand.objects.filter(pk=hand.pk).update(users=None, record=whole)
    migration = importlib.import_module("tables.migrations.0005_users_of_earlier_hands")
    migration.name_users(apps, None)
    assert list(Hand.objects.order_by("pk").values_list("users", flat=True)) == wanted
