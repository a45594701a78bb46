"""Pages of a stopped tournament: a stopped clock and the reason."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from redis import Redis

from tests.tournaments.cast import started
from tests.tournaments.running.earlier_start import MINUTE_MS, backdate
from tournaments.models import Tournament
from tournaments.running import operations, tick

pytestmark = pytest.mark.django_db(transaction=True)

UNTIL_BREAK_MS = 45 * MINUTE_MS


@pytest.fixture(autouse=True)
def servers(room: Redis, broker: Redis) -> None:
    """Redis for the bells that the tick rings."""


def page(client: Client, tournament: Tournament, part: str = "") -> str:
    """A page of the tournament for an anonymous visitor."""
    return client.get(f"/tournaments/{tournament.pk}/{part}").content.decode()


def without_feed(shown: str) -> str:
    """The page without its live feed, which keeps reporting earlier events."""
    return re.sub(r'<ol class="feed">.*?</ol>', "", shown, flags=re.DOTALL)


@pytest.mark.rule("L-05")
@pytest.mark.parametrize("part", ["", "clock/"])
def test_a_break_counts_down_unless_the_clock_is_stopped(client: Client, part: str) -> None:
    tournament = started(4)
    tick.tick(tournament.pk)
    backdate(tournament, UNTIL_BREAK_MS)
    tick.tick(tournament.pk)
    shown = page(client, tournament, part)
    assert "data-countdown" in shown and "stopped" not in shown
    operations.pause(tournament.pk, reason="Fire drill")
    shown = page(client, tournament, part)
    assert "data-countdown" not in shown and "stopped" in shown


@pytest.mark.rule("L-05")
@pytest.mark.parametrize("part", ["", "clock/"])
def test_visitors_see_why_a_tournament_is_stopped(client: Client, part: str) -> None:
    tournament = started(4)
    operations.pause(tournament.pk, reason="Fire <b>drill</b>")
    assert "Fire &lt;b&gt;drill&lt;/b&gt;" in page(client, tournament, part)
    operations.resume(tournament.pk, reason="It was none")
    assert "drill" not in without_feed(page(client, tournament, part))
    operations.pause(tournament.pk, reason="Dinner")
    shown = without_feed(page(client, tournament, part))
    assert "Dinner" in shown and "drill" not in shown and "It was none" not in shown


@pytest.mark.rule("T-12")
def test_visitors_see_why_a_tournament_was_cancelled(client: Client) -> None:
    tournament = started(4)
    operations.cancel(tournament.pk, reason="Flood")
    assert "Flood" in page(client, tournament)


@pytest.mark.rule("T-04")
def test_reasons_set_by_the_server_are_shown_in_words(client: Client) -> None:
    tournament = started(4)
    operations.cancel(tournament.pk, reason="too few players")
    assert "Too few players were registered." in page(client, tournament)
