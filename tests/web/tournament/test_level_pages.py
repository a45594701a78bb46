"""Hands left of a level by hands, on the pages of a tournament."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from redis import Redis

from tables.models import Table
from tests.tournaments.cast import by_hands
from tournaments.models import Tournament
from tournaments.running import tick

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.rule("L-01")]


def shown(client: Client, tournament: Tournament) -> tuple[str, str]:
    """Hands left of the level on the overview and on the projector page."""
    page = client.get(f"/tournaments/{tournament.pk}/").content.decode()
    wall = client.get(f"/tournaments/{tournament.pk}/clock/").content.decode()
    left = re.search(r"<dt>Next level in</dt><dd>([^<]*)<", page)
    time = re.search(r'<p class="time[^"]*">([^<]*)</p>', wall)
    return left[1].strip() if left else "", time[1].strip() if time else ""


def test_overview_and_projector_count_hands_until_the_last_level(
    client: Client, room: Redis, broker: Redis
) -> None:
    tournament = by_hands(4, hands=10, seats_per_table=2)
    tick.tick(tournament.pk)
    assert shown(client, tournament) == ("at most 10 hands",) * 2
    Table.objects.update(hand=9, granted_hand=9)
    assert shown(client, tournament) == ("at most 1 hand",) * 2
    Tournament.objects.update(stops=["hand_for_hand"], stopped_since_ms=tournament.started_ms)
    assert shown(client, tournament) == ("at most 1 hand",) * 2, "hands go on hand for hand"
    Table.objects.exclude(pk=Table.objects.earliest("pk").pk).update(status="closed")
    assert shown(client, tournament) == ("1 hand",) * 2
    last = len(tournament.levels().items) - 1
    Tournament.objects.update(stops=[], stopped_since_ms=None, told_index=last, mark_index=last)
    assert shown(client, tournament) == ("", "to the end")
