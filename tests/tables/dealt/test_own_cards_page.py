"""Own cards: counted once with the hand after its release, read by their player alone."""

from __future__ import annotations

import csv
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from redis import Redis

from accounts.deletion import deleting
from accounts.models import User
from accounts.users.account_export import zipped
from tables.conduct import recount
from tables.conduct.counting import count_waiting
from tables.conduct.models import UncountedHand
from tables.dealt import rows
from tables.dealt.downloads import as_csv
from tables.dealt.figures import dealt_figures
from tables.dealt.models import DealtDay
from tables.models import Hand
from tables.records import stored as stored_records
from tests.accounts.browsers import browser
from tests.tables.conduct.whole_game import count_all, played
from tests.tournaments.club_scene import person
from tests.tournaments.conftest import house

__all__ = ["house"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_cards_are_counted_once_with_their_hand_and_proved_from_the_records(house: Redis) -> None:
    played()
    assert not DealtDay.objects.exists()
    count_all()
    stored = list(rows.all_rows(date.min).values())
    assert sum(own.hands for own in stored) == sum(hand.players for hand in Hand.objects.all())
    assert sum(sum(own.ranks) for own in stored) == 2 * sum(own.hands for own in stored)
    assert recount.differences() == []
    UncountedHand.objects.create(hand=Hand.objects.order_by("pk")[0].pk)
    assert count_waiting() == 1
    with pytest.raises(CommandError, match="rows differ"):
        call_command("recount_conduct", "--check", stderr=StringIO())
    call_command("recount_conduct", stdout=StringIO())
    assert recount.differences() == []


def test_hands_that_are_still_shown_are_in_no_figure(house: Redis) -> None:
    played()
    Hand.objects.update(released_at="2100-01-01T00:00Z")
    assert count_waiting() == 0 and not DealtDay.objects.exists()


def test_the_page_reads_rows_and_no_hand(house: Redis) -> None:
    played()
    count_all()
    stored = rows.all_rows(date.min)
    user = User.objects.get(pk=max(stored, key=lambda key: (stored[key].hands, key.user)).user)
    sums = rows.by_cards(rows.days_of(user))[2]
    expected = [
        own
        for hand in Hand.objects.all()
        for (key, _), own in dealt_figures(stored_records.decode(bytes(hand.record))).items()
        if key == user.pk
    ]
    assert sums.hands == len(expected)
    Hand.objects.all().delete()
    own = browser(user)
    told = own.get("/account/cards/").content.decode()
    assert f"{sums.hands} finished hands" in told and "<svg" in told
    assert "Too few hands to judge." in told
    page = list(csv.reader(StringIO(own.get("/account/cards.csv").content.decode())))
    assert page[0][:5] == ["day", "cards", "hands", "ranks_2", "ranks_3"]
    assert int(page[1][2]) == sums.hands and all(len(row) == len(page[0]) for row in page)
    answer = own.get("/account/cards.json").json()
    assert answer["sums"][0]["ranks"] == list(sums.ranks)
    assert {test["name"] for test in answer["tests"]} == {"ranks", "suits", "classes", "premium"}


def test_nobody_reads_the_cards_of_another(house: Redis) -> None:
    played()
    count_all()
    stranger = browser(person("Stranger"))
    assert "No hands with cards of yours" in stranger.get("/account/cards/").content.decode()
    assert stranger.get("/account/cards.json").json()["days"] == []
    assert stranger.get("/account/cards.csv").content.decode() == as_csv([])
    for address in ("/account/cards/", "/account/cards.csv", "/account/cards.json"):
        assert Client().get(address).status_code == 302, "log in first"
        assert stranger.post(address).status_code == 405
    assert DealtDay.objects.exists()


def test_cards_are_exported_and_deleted_with_the_account(house: Redis) -> None:
    played()
    count_all()
    first, other = DealtDay.objects.order_by("pk").values_list("user_id", flat=True)[:2]
    user = User.objects.get(pk=first)
    assert b"dealt_cards.csv" in zipped(user)
    deleting.delete(user)
    assert set(DealtDay.objects.values_list("user_id", flat=True)) >= {other}
    assert not DealtDay.objects.filter(user=first).exists()
    assert recount.differences() == [], "a deleted account is not counted again"
