"""Admin of ring games: pages of games, rake tables, jackpots and sessions."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from tables.ring.models import RakeTable, RingGame, RingSession
from tables.ring.queries import mine
from tests.tables.ring.pages import floor

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    """Client of an operator with all rights."""
    client.force_login(User.objects.create_superuser(name="Boss", password="x" * 12))
    return client


@pytest.mark.parametrize("name", ["ringgame", "raketable", "jackpot", "ringsession"])
def test_lists_of_ring_games_open(staff: Client, name: str) -> None:
    floor.seated(floor.ring_game(), "Ada")
    assert staff.get(f"/admin/ring/{name}/").status_code == 200


def test_the_page_of_a_game_in_play_shows_its_terms(staff: Client) -> None:
    game = floor.ring_game()
    page = staff.get(f"/admin/ring/ringgame/{game.pk}/change/")
    assert page.status_code == 200
    assert "Evening game" in page.content.decode()
    assert 'name="buy_in_min"' not in page.content.decode()


def test_a_rake_table_opens_with_its_rows(staff: Client) -> None:
    table = RakeTable.objects.create(name="House")
    table.rows.create(basis_points=250, maximum=300)
    assert staff.get(f"/admin/ring/raketable/{table.pk}/change/").status_code == 200


def test_a_seat_that_is_dealt_in_waits_for_no_blind() -> None:
    game: RingGame = floor.ring_game()
    user = floor.seated(game, "Ada")
    [before] = mine.sessions(user)
    RingSession.objects.update(after_hand=1, after_dealt=True)
    [dealt] = mine.sessions(user)
    assert (before.waits, dealt.waits) == (True, False)
