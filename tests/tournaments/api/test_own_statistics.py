"""The own statistics by the API: those of the page, of the token's user alone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tables.ring.models import RingSession
from tables.statistics.counters import NAMES
from tables.statistics.models import PlayerCounts
from tests.tables.ring.room import cast as ring_cast
from tests.tournaments.api.asking import ROOT, get, refused, token
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.queries.figures import results

ADDRESS = "/statistics"


@pytest.fixture
def user(house: Redis) -> User:
    """A player with three finished hands of a tournament."""
    return User.objects.get(pk=PlayedHands(3).records[0].seats[0].user)


def test_a_user_reads_the_figures_of_the_own_page(user: User) -> None:
    answer = get(ADDRESS, token(user, "hands:own"))
    assert answer.status_code == 200
    told = answer.json()
    [row] = PlayerCounts.objects.filter(user=user)
    [game] = told["games"]
    assert game["counters"] == {name: getattr(row, name) for name in NAMES}
    assert told["counters"] == game["counters"] | {"net": 0}
    assert told["counters"]["hands"] == 3
    assert (game["variant"], game["stakes"]) == (row.variant, "")
    assert told["tournaments"]["entries"] == 0, "the tournament is not over"
    assert (told["ring_stays"], told["ring_profit"]) == (0, 0)
    page = Client()
    page.force_login(user)
    assert page.get("/account/statistics/").context["hand_figures"]


def test_chips_of_tournaments_are_not_added_to_money(user: User) -> None:
    PlayerCounts.objects.filter(user=user).update(net=500)
    PlayerCounts.objects.create(
        director="ring", game=ring_cast.game().pk, user=user, variant="holdem", hands=2, net=-20
    )
    told = get(ADDRESS, token(user, "hands:own")).json()
    assert {one["counters"]["net"] for one in told["games"]} == {500, -20}
    assert (told["counters"]["hands"], told["counters"]["net"]) == (5, -20)


def test_sums_are_of_all_stays(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "RESULTS_MAX", 1)
    game = ring_cast.game()
    for left_with in (1_500, 800):
        RingSession.objects.create(
            game=game, user=user, name=user.name, state="left", bought=1_000,
            left_with=left_with, ended_at=timezone.now(),
        )  # fmt: skip
    told = get(ADDRESS, token(user, "hands:own")).json()
    assert (told["ring_stays"], told["ring_profit"]) == (2, 300)


def test_others_read_their_own_empty_figures(user: User) -> None:
    stranger = User.objects.create_user("Stranger")
    told = get(ADDRESS, token(stranger, "hands:own"), user=str(user.pk)).json()
    assert told["games"] == [] and set(told["counters"].values()) == {0}


def test_the_route_wants_a_token_with_the_right(user: User) -> None:
    refused(get(ADDRESS, ""), 401, "invalid_token")
    refused(get(ADDRESS, token(user, "watch", "wallet", "play")), 403, "missing_scope")
    session = Client()
    session.force_login(user)
    assert session.get(f"{ROOT}{ADDRESS}").status_code == 401
