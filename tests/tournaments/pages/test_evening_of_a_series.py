"""Series, the list of tournaments and steps for many, as an organiser reads of them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tests.tournaments.admin.steps import step
from tests.tournaments.cast import offer, open_offer, started
from tournaments.admin import step_pages
from tournaments.models import Tournament
from tournaments.running import operations
from tournaments.schedule import making

ENDS = "The series ends here: no next tournament is made."


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def weekly() -> Tournament:
    """An open tournament that repeats each week."""
    starts_at = timezone.now() + timedelta(days=1)
    made = offer(start="scheduled", starts_at=starts_at, repeats=True, repeat_every_s=604_800)
    return operations.open(made.pk)


def says(boss: Client, tournament: Tournament, name: str) -> list[bool]:
    """Return whether the pages of a step say that the series ends: the cockpit's, the admin's."""
    asked = reverse("cockpit_step", args=[tournament.pk, name]), step(name, tournament)
    return [ENDS in boss.get(page).content.decode() for page in asked]


@pytest.mark.rule("T-12")
def test_the_page_of_a_cancellation_says_that_the_series_ends(boss: Client) -> None:
    tournament = weekly()
    assert says(boss, tournament, "cancel") == [True, True]
    assert says(boss, tournament, "start") == [False, False]
    assert says(boss, open_offer(), "cancel") == [False, False], "it repeats nothing"
    assert making.follow(tournament) is not None
    assert says(boss, tournament, "cancel") == [False, False], "the next one is there"


def test_the_list_of_an_organiser_counts_players_by_state(boss: Client) -> None:
    played = started(3)
    open_offer(players_max=9)
    over = started(2)
    operations.cancel(over.pk, reason="rain")
    page = boss.get(reverse("organise")).content.decode()
    cells = re.findall(r'data-label="Players">(.*?)</td>', page)
    assert sorted(re.sub("<[^>]*>", " ", cell).split() for cell in cells) == [
        ["0", "/", "9"],
        ["2"],
        ["3", "of", "3"],
    ], played


def test_a_step_for_more_tournaments_than_an_address_holds_is_refused(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_pages, "CHOSEN_MAX", 2)
    numbers = [open_offer().pk for _ in range(3)]
    listed = reverse("admin:tournaments_tournament_changelist")
    form = {"action": "cancel_chosen", "select_across": "1", "_selected_action": numbers}
    answer = boss.post(listed, form, follow=True)
    assert "at most 2 tournaments" in answer.content.decode()
    form |= {"select_across": "0", "_selected_action": numbers[:2]}
    answer = boss.post(listed, form)
    ids = f"?ids={numbers[0]},{numbers[1]}"
    assert answer.headers["Location"] == reverse("admin:tournaments_step", args=["cancel"]) + ids
