"""Pages of every format from the first registration until the tournament runs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from redis import Redis

from accounts.users import bots
from tests.tournaments.cast import open_offer
from tests.web.tournament_tabs import TABS
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import operations

pytestmark = pytest.mark.django_db(transaction=True)

OFFERS: dict[str, dict[str, Any]] = {
    "freezeout": {"players_max": 4},
    "heads_up": {"players_max": 2, "seats_per_table": 2},
    "spin": {"players_max": 3, "seats_per_table": 3},
    "fifty_fifty": {"players_max": 4, "seats_per_table": 4},
    "double_or_nothing": {"players_max": 4, "seats_per_table": 4},
    "shootout": {"players_max": 4, "seats_per_table": 2},
}


@pytest.mark.rule("F-01")
@pytest.mark.rule("F-02")
@pytest.mark.parametrize("format", OFFERS)
def test_every_tab_shows_the_format_from_the_first_player_to_the_start(
    client: Client, room: Redis, broker: Redis, format: str
) -> None:
    given = OFFERS[format]
    tournament = open_offer(format=format, players_min=given["players_max"], **given)
    assert_shown(client, tournament)
    for user in bots.create(given["players_max"]):
        registration.register(user, tournament)
        assert_shown(client, tournament)
    operations.start(tournament.pk)
    assert_shown(client, tournament)


def assert_shown(client: Client, tournament: Tournament) -> None:
    """Assert that the lobby and every tab of the tournament page answer."""
    assert tournament.name in client.get("/").content.decode()
    for tab in TABS:
        answer = client.get(f"/tournaments/{tournament.pk}/?tab={tab}")
        assert answer.status_code == 200, tab
    assert client.get(f"/tournaments/{tournament.pk}/clock/").status_code == 200
