"""Void hands: listed with their reason where hands are listed, for those who may see the game."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from redis import Redis

from accounts.models import User
from config import limits
from tables.fairness.leaves import Fate, FateReason
from tables.history import void_hands
from tables.models import SealedDeck, Table
from tables.workers import recovery
from tests.tables import playing
from tests.tournaments.api.asking import get, refused, token
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)

GERMAN = {"accept-language": "de"}


def lost_hand(house: Redis, table: int, reason: FateReason) -> None:
    """Grant the next hand of a table and make it void."""
    recovery.open_tables(house, [table])
    playing.run(house, table)
    epoch = Table.objects.get(pk=table).epoch
    assert recovery.rebuild(house, table, seen_epoch=epoch, reason=reason)


@pytest.fixture
def played(house: Redis) -> PlayedHands:
    """A tournament whose second hand was void once."""
    played = PlayedHands(1)
    lost_hand(house, played.table, FateReason.ENGINE_FAULT)
    [row] = SealedDeck.objects.filter(fate=Fate.VOID_IN_PLAY)
    assert (row.table_id, row.hand) == (played.table, 2)
    return played


def test_pages_list_void_hands_with_their_reason(played: PlayedHands) -> None:
    tab = f"/tournaments/{played.tournament.pk}/?tab=tables"
    for address in (played.address(), tab):
        page = Client().get(address).content.decode()
        assert "Void hands" in page and "A fault of the program stopped the hand." in page
        page = Client(headers=GERMAN).get(address).content.decode()
        assert "Ungültige Hände" in page and "Ein Programmfehler hat die Hand beendet." in page
    Table.objects.update(status=Table.Status.CLOSED)
    assert "Void hands" in Client().get(tab).content.decode()


def test_pages_without_void_hands_do_not_name_them(house: Redis) -> None:
    played = PlayedHands(1)
    for address in (played.address(), f"/tournaments/{played.tournament.pk}/?tab=tables"):
        assert "Void hands" not in Client().get(address).content.decode()


def test_the_api_lists_void_hands_page_by_page(
    house: Redis, played: PlayedHands, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost_hand(house, played.table, FateReason.MISSING_IN_REDIS)
    text = token(User.objects.create_user("Watcher"), "watch")
    wanted = [(2, "missing_in_redis"), (2, "engine_fault")]
    tables = f"/tables/{played.table}/void-hands"
    for address in (tables, f"/tournaments/{played.tournament.pk}/void-hands"):
        rows = get(address, text).json()["items"]
        assert [(row["number"], row["reason"]) for row in rows] == wanted
        assert {row["table"] for row in rows} == {played.table}
    monkeypatch.setattr(limits, "API_ROWS_PER_PAGE", 1)
    page = get(tables, text).json()
    assert len(page["items"]) == 1
    rest = get(tables, text, cursor=page["next"]).json()
    assert (rest["items"][0]["reason"], rest["next"]) == ("engine_fault", "")
    refused(get(tables, text, cursor=page["next"] + "x"), 400, "invalid_cursor")


def test_void_hands_of_a_private_tournament_are_hidden(played: PlayedHands) -> None:
    Tournament.objects.update(password=make_password("sesame"))
    user = User.objects.create_user("Stranger")
    text = token(user, "watch")
    assert Client().get(played.address()).status_code == 404
    for address in (
        f"/tables/{played.table}/void-hands",
        f"/tournaments/{played.tournament.pk}/void-hands",
        "/tables/1000000000/void-hands",
    ):
        refused(get(address, text), 404, "not_found")
        refused(get(address, token(user, "hands:own")), 403, "missing_scope")


def test_every_reason_has_a_sentence() -> None:
    assert set(void_hands.REASONS) == set(FateReason)
