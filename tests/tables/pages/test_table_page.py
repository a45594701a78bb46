"""Page of a table: it is written with what it would ask for at first."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from redis import Redis

from accounts.faces import faces
from accounts.models import User
from accounts.player_notes import notes
from tables.models import Seat, Table
from tests.tournaments.cast import started
from tournaments.models import Tournament
from tournaments.rows import sells_between_hands

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def servers(room: Redis, broker: Redis) -> None:
    """Redis for the bells of a start."""


def _page(client: Client, tournament: Tournament) -> str:
    table = Table.objects.get(game=tournament.pk)
    return client.get(f"/tables/{table.pk}/", secure=True).content.decode()


def test_the_page_of_a_table_has_the_faces_of_who_sits_there(client: Client) -> None:
    tournament = started(3)
    first, second, third = Seat.objects.order_by("user").values_list("user", flat=True)
    faces.set_country(User.objects.get(pk=first), "SE")
    User.objects.exclude(pk=second).update(is_bot=False)
    words = _page(client, tournament)
    known = re.search(r'<script id="seated-faces"[^>]*>(.*?)</script>', words)
    assert known is not None
    assert json.loads(known[1]) == {
        "users": [first, second, third],
        "faces": [{"user": first, "country": "SE"}, {"user": second, "bot": True}],
    }


def test_only_the_page_of_a_player_with_notes_asks_for_them(client: Client) -> None:
    tournament = started(3)
    writer, other = User.objects.filter(pk__in=Seat.objects.values("user")).order_by("pk")[:2]
    assert " data-notes" not in _page(client, tournament), "nobody is logged in"
    client.force_login(writer)
    assert " data-notes" not in _page(client, tournament)
    notes.write_note(writer, other, text="calls wide", colour="")
    assert " data-notes" in _page(client, tournament)
    client.force_login(other)
    assert " data-notes" not in _page(client, tournament), "notes are their writer's alone"


@pytest.mark.parametrize(("changed", "sells"), [({}, False), ({"rebuys_open": True}, True)])
def test_the_page_of_a_table_says_whether_a_hand_may_change_what_is_sold(
    client: Client, changed: dict[str, bool], sells: bool
) -> None:
    """E-04: only then the page asks for more than its rank after a hand."""
    tournament = started(3)
    Tournament.objects.filter(pk=tournament.pk).update(**changed)
    assert (" data-sells" in _page(client, tournament)) is sells
    assert sells_between_hands(tournament.pk) is sells
    assert sells_between_hands(tournament.pk + 1) is False
