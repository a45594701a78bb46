"""Own last hands at a table, and the link of a replay: nothing before the hand is released."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tables.models import Hand
from tests.accounts.browsers import browser
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)

TITLE = '<meta property="og:title" content="'


def test_own_hands_are_listed_newest_first_once_they_are_released(house: Redis) -> None:
    played = PlayedHands(3)
    me = User.objects.get(pk=played.records[0].seats[0].user)
    later = timezone.now() + timedelta(hours=1)
    Hand.objects.filter(table=played.table, number=3).update(released_at=later)
    address = f"/tables/{played.table}/hands/mine/"
    page = browser(me).get(address, secure=True).content.decode()
    places = [page.find(f'href="{played.address(number)}"') for number in (2, 1)]
    assert 0 < places[0] < places[1]
    assert played.address(3) not in page, "told after it is shown"
    outsider = User.objects.create_user("Stan", password=None)
    assert "/hands/" not in browser(outsider).get(address, secure=True).content.decode()
    assert browser(None).get(address, secure=True).status_code == 404


def test_hands_of_a_private_tournament_are_listed_for_nobody_else(house: Redis) -> None:
    played = PlayedHands(1)
    Tournament.objects.update(password=make_password("secret"))
    outsider = User.objects.create_user("Stan", password=None)
    for address in (f"/tables/{played.table}/hands/mine/", played.address(1)):
        answer = browser(outsider).get(address, secure=True)
        assert answer.status_code == 404 and TITLE not in answer.content.decode()


def test_the_link_of_a_replay_names_what_everybody_saw(house: Redis) -> None:
    played = PlayedHands(1)
    kept = played.records[0]
    page = browser(None).get(played.address(1), secure=True).content.decode()
    title = page.split(TITLE)[1].split('"')[0]
    assert title == f"{played.tournament.name} · Hand 1 at table 1"
    described = page.split('property="og:description" content="')[1].split('"')[0]
    winner = next(seat.name for seat in kept.seats if seat.name in described)
    assert described.startswith("Pot ") and winner
    assert f'<meta property="og:url" content="https://testserver{played.address(1)}">' in page
    me = User.objects.get(pk=kept.seats[0].user)
    mine = browser(me).get(played.address(1), secure=True).content.decode()
    assert (
        mine.split('property="og:description"')[1][:200]
        == (page.split('property="og:description"')[1][:200])
    ), "the preview is the spectators'"


def test_a_hand_without_its_release_has_no_preview(house: Redis) -> None:
    played = PlayedHands(1)
    later = timezone.now() + timedelta(hours=1)
    Hand.objects.filter(table=played.table).update(released_at=later)
    answer = browser(None).get(played.address(1), secure=True)
    assert answer.status_code == 404 and TITLE not in answer.content.decode()
