"""Spectators are led to the featured table while it is open."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from tables.models import Seat, Table
from tests.tournaments.cast import Arena, open_offer, started
from tournaments import featuring
from tournaments.models import AuditRow, Tournament
from tournaments.queries import show
from tournaments.refusals import NoSuchTable, NotPlayed

WHY = "the local hero"


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def three_tables() -> tuple[Tournament, list[int]]:
    """A running tournament of three tables; the biggest stack sits at the first."""
    tournament = started(6, seats_per_table=2)
    tables = sorted(Arena(tournament.pk).tables())
    rich = Seat.objects.filter(table=tables[0]).first()
    assert rich is not None
    Seat.objects.filter(pk=rich.pk).update(chips=9_000)
    return tournament, tables


def test_the_featured_table_is_watched_until_it_closes(boss: Client, client: Client) -> None:
    tournament, (first, second, _) = three_tables()
    watch = reverse("watch", args=[tournament.pk])
    assert client.get(watch)["Location"] == f"/tables/{first}/"
    page = reverse("admin:tournaments_feature", args=[tournament.pk])
    asked = boss.get(page).content.decode()
    assert "the one with the biggest stack" in asked and f'value="{second}"' in asked
    assert boss.post(page, {"table": second, "reason": WHY}).status_code == 302
    assert client.get(watch)["Location"] == f"/tables/{second}/"
    tab = client.get(f"/tournaments/{tournament.pk}/?tab=tables").content.decode()
    assert tab.partition('id="tab-panel"')[2].count("featured") == 1
    kept = AuditRow.objects.get(action="feature")
    assert (kept.reason, kept.details, str(kept.actor)) == (WHY, {"table": second}, "Boss")
    Table.objects.filter(pk=second).update(status=Table.Status.CLOSED)
    assert client.get(watch)["Location"] == f"/tables/{first}/"


def test_the_featured_table_can_be_reset_to_automatic(boss: Client) -> None:
    tournament, (first, second, _) = three_tables()
    page = reverse("admin:tournaments_feature", args=[tournament.pk])
    boss.post(page, {"table": second, "reason": WHY})
    boss.post(page, {"table": second, "reason": WHY})
    assert AuditRow.objects.filter(action="feature").count() == 1, (
        "a repeated choice changes nothing"
    )
    boss.post(page, {"table": "", "reason": WHY})
    tournament.refresh_from_db()
    assert show.featured_table(tournament) == first
    assert AuditRow.objects.filter(action="feature").count() == 2


def test_a_featured_table_without_reason_or_of_another_tournament_is_refused(boss: Client) -> None:
    tournament, (_, second, _) = three_tables()
    other = Arena(started(2, name="other").pk).tables()[0]
    page = reverse("admin:tournaments_feature", args=[tournament.pk])
    for given in ({"table": second, "reason": ""}, {"table": other, "reason": WHY}):
        assert boss.post(page, given).status_code == 200
    with pytest.raises(NoSuchTable):
        featuring.feature(tournament.pk, other, actor=None, reason=WHY)
    with pytest.raises(NotPlayed):
        featuring.feature(open_offer(name="later").pk, None, actor=None, reason=WHY)
    tournament.refresh_from_db()
    assert tournament.featured_id is None
    assert not AuditRow.objects.filter(action="feature").exists()


def test_featuring_a_table_needs_the_permission_to_run_tournaments(
    house: Redis, client: Client
) -> None:
    tournament, (_, second, _) = three_tables()
    client.force_login(User.objects.create_user("Reader", "a long password", is_staff=True))
    page = reverse("admin:tournaments_feature", args=[tournament.pk])
    assert client.get(page).status_code == 403
    assert client.post(page, {"table": second, "reason": WHY}).status_code == 403
    tournament.refresh_from_db()
    assert tournament.featured_id is None


def test_the_admin_page_of_a_tournament_links_the_form_to_feature_a_table(boss: Client) -> None:
    tournament = started(2)
    page = boss.get(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))
    assert reverse("admin:tournaments_feature", args=[tournament.pk]) in page.content.decode()
