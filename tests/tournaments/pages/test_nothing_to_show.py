"""Pages leave out what a tournament lacks: money once cancelled, tables before the start."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from tests.tournaments.cast import Arena, open_offer, shove, started
from tournaments.models import Tournament
from tournaments.running import operations


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def page(client: Client, route: str, tournament: Tournament) -> str:
    """Return a page of a tournament."""
    answer = client.get(reverse(route, args=[tournament.pk]))
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.parametrize("route", ["tournament", "clock", "cockpit"])
def test_a_cancelled_tournament_shows_no_prize_pool_and_no_paid_places(
    boss: Client, route: str
) -> None:
    tournament = open_offer(buy_in=1_000, guarantee=50_000)
    assert "<dt>Prize pool</dt>" in page(boss, route, tournament)
    operations.cancel(tournament.pk, reason="no room")
    tournament.refresh_from_db()
    shown = page(boss, route, tournament)
    assert "Cancelled" in shown or "cancelled" in shown
    for words in ("Prize pool</dt>", "Places paid", "Payouts</h2>", "500.00"):
        assert words not in shown, words


@pytest.mark.parametrize("route", ["lobby", "organise"])
def test_lists_show_a_dash_for_the_prize_pool_of_a_cancelled_tournament(
    boss: Client, route: str
) -> None:
    tournament = open_offer(buy_in=1_000, guarantee=50_000)
    assert "500.00" in boss.get(reverse(route)).content.decode()
    operations.cancel(tournament.pk, reason="no room")
    shown = boss.get(reverse(route)).content.decode()
    assert tournament.name in shown and "500.00" not in shown and "guaranteed" not in shown
    cell = re.search(r'<td[^>]* data-label="Prize pool"[^>]*>(.*?)</td>', shown)
    assert cell is not None and cell[1] == "–"


def test_the_clock_counts_tables_and_an_average_only_in_play(boss: Client) -> None:
    ahead, played = page(boss, "clock", open_offer()), page(boss, "clock", started(3))
    for words in ("<dt>Average</dt>", "<dt>Tables</dt>"):
        assert words not in ahead and words in played


def test_the_clock_of_a_finished_tournament_shows_the_podium_in_place_of_leaders(
    boss: Client,
) -> None:
    tournament = started(3)
    assert "Podium" not in page(boss, "clock", tournament)
    arena = Arena(tournament.pk)
    arena.choose = shove
    arena.run()
    shown = page(boss, "clock", tournament)
    first = tournament.entries.get(place=1)
    assert f"<li><span>1. {first.name}</span>" in shown
    assert "<dt>Players</dt><dd>3</dd>" in shown
    for words in ("Chip leaders", "Play has not begun"):
        assert words not in shown, words


def test_the_clock_of_a_cancelled_tournament_does_not_say_that_play_has_yet_to_begin(
    boss: Client,
) -> None:
    tournament = open_offer()
    assert "Play has not begun" in page(boss, "clock", tournament)
    operations.cancel(tournament.pk, reason="no room")
    assert "Play has not begun" not in page(boss, "clock", tournament)


@pytest.mark.parametrize("language", ["en", "de"])
def test_watching_without_an_open_table_says_so(boss: Client, language: str) -> None:
    boss.cookies["django_language"] = language
    tournament = open_offer()
    answer = boss.get(reverse("watch", args=[tournament.pk]), follow=True)
    assert answer.redirect_chain[0][0] == reverse("tournament", args=[tournament.pk])
    words = {"en": "No table is open that", "de": "Kein Tisch ist offen, an dem"}
    assert words[language] in answer.content.decode()
    table = boss.get(reverse("watch", args=[started(3).pk]), follow=True)
    assert words[language] not in table.content.decode()
