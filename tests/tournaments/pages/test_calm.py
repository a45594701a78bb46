"""Time after which the page of a tournament is read again, by its field and its state."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from redis import Redis

from tests.tournaments.cast import started
from tournaments.models import Tournament


@pytest.mark.parametrize(
    ("state", "entrants", "calm_ms"),
    [
        ("registering", 4, 1_500),
        ("registering", 200, 40_000),
        ("registering", 3_000, 600_000),
        ("running", 60, 1_500),
        ("running", 3_000, 60_000),
    ],
)
def test_a_field_that_waits_reads_its_page_less_often_than_one_that_plays(
    house: Redis, client: Client, state: str, entrants: int, calm_ms: int
) -> None:
    tournament = started(4)
    Tournament.objects.filter(pk=tournament.pk).update(
        state=state, entrants=entrants, players_max=10_000
    )
    page = client.get(f"/tournaments/{tournament.pk}/").content.decode()
    found = re.search(r'id="tab-panel"[^>]* data-calm="(\d+)"', page)
    assert found is not None and int(found[1]) == calm_ms
