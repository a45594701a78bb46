"""Pages of rapid pools: lobby, joining, the place in the pool, privacy (R-03)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from accounts.ledger.transfers import held_by
from tables.ring.models import RingGame, RingSession
from tests.tables.ring.pages.floor import BALANCE, LEAST, MOST, player, ring_game, seated
from tests.tournaments.api.asking import by_session, get, refused, token

pytestmark = [pytest.mark.django_db, pytest.mark.rule("R-03")]

HTMX = {"HX-Request": "true"}


def _pool(**terms: object) -> RingGame:
    return ring_game(**({"rapid": True, "straddle": False, "name": "Quick evening"} | terms))


def _page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_the_lobby_leads_into_a_pool_that_is_never_full(client: Client) -> None:
    game = _pool(seats_max=2)
    for name in ("Anna", "Ben", "Cleo"):
        seated(game, name)
    page = _page(client, "/ring/")
    assert "Rapid" in page and f'href="/ring/pools/{game.pk}/"' in page and ">Join</a>" in page
    assert client.get(f"/ring/{game.pk}/").headers["Location"] == f"/ring/pools/{game.pk}/"
    page = _page(client, f"/ring/pools/{game.pk}/")
    assert "Longest wait for a full hand" in page and "4 players in the pool" in page
    [row] = client.get("/ring/rows.json").json()["games"]
    assert (row["rapid"], row["players"], row["waiting"]) == (True, 3, 0)
    assert row["free"] >= 1
    [row] = get("/ring-games", token(player("Dora"), "watch")).json()["items"]
    assert row["free"] >= 1
    assert client.get(f"/ring/pools/{ring_game().pk}/").status_code == 404


def test_joining_pays_and_leads_to_the_place_in_the_pool(client: Client) -> None:
    game, user = _pool(), player("Anna")
    client.force_login(user)
    assert "another table for every hand" in _page(client, f"/ring/{game.pk}/sit")
    answer = client.post(f"/ring/{game.pk}/sit", {"amount": "50"}, headers=HTMX)
    assert answer.headers["HX-Redirect"] == f"/ring/pools/{game.pk}/"
    assert held_by(user) == BALANCE - 50_00
    page = _page(client, f"/ring/pools/{game.pk}/")
    assert "My place in the pool" in page and "50.00" in page
    assert "Hands begin with 4 players; 1 is here." in page or "50.00 come before" in page
    assert ">Join</a>" not in page
    assert "Quick evening" in _page(client, "/ring/in-play/")
    page = client.post(f"/ring/{game.pk}/sit", {"amount": "50"}, headers=HTMX).content.decode()
    assert 'aria-describedby="amount-wrong"' in page
    address = f"/ring-games/{game.pk}"
    again = by_session(client, f"{address}/sessions", {"amount": 50_00})
    refused(again, 409, "in_pool_already")
    refused(by_session(client, f"{address}/waiting", {}), 409, "seat_free")


def test_the_panel_sits_out_tops_up_and_leaves(client: Client) -> None:
    game = _pool()
    user = seated(game, "Anna", LEAST)
    client.force_login(user)
    session = RingSession.objects.get()
    address = f"/ring/sessions/{session.pk}"
    page = client.post(f"{address}/sit_out", {"on": "1"}, headers=HTMX).content.decode()
    assert "I am back" in page and "You sit out" in page
    page = client.post(f"{address}/sit_out", {"on": "0"}, headers=HTMX).content.decode()
    assert "I am back" not in page
    own = f"/ring-sessions/{session.pk}"
    refused(by_session(client, f"{own}/top-ups", {"amount": MOST}), 409, "top_up_too_large")
    assert held_by(user) == BALANCE - LEAST
    said = by_session(client, f"{own}/top-ups", {"amount": MOST - LEAST}).json()
    assert (said["code"], said["balance"]) == ("top_up", BALANCE - MOST)
    choice = {"choice": "straddle", "on": True}
    refused(by_session(client, f"{own}/choices", choice), 409, "no_straddle")
    assert "Leave the pool" in _page(client, f"{address}/leave")
    left = client.post(f"{address}/leave", {"next": f"/ring/pools/{game.pk}/"})
    assert left.headers["Location"] == f"/ring/pools/{game.pk}/"
    assert "You leave after this hand." in _page(client, f"/ring/pools/{game.pk}/panel/")


def test_a_private_pool_shows_its_hands_to_its_players_alone(client: Client) -> None:
    game = _pool(password="secret")
    user = player("Anna")
    client.force_login(user)
    sessions = f"/ring-games/{game.pk}/sessions"
    refused(by_session(client, sessions, {"amount": MOST}), 409, "wrong_password")
    assert held_by(user) == BALANCE
    page = _page(client, f"/ring/pools/{game.pk}/")
    assert "private" in page and "waits for players" not in page
    body = {"amount": MOST, "password": "secret"}
    assert by_session(client, sessions, body).status_code == 201
    assert "waits for players" in _page(client, f"/ring/pools/{game.pk}/")


@pytest.mark.parametrize("rapid", [False, True])
def test_the_page_of_a_paused_game_says_that_it_closes_and_is_closed(
    client: Client, rapid: bool
) -> None:
    game = ring_game(rapid=rapid, straddle=False, jackpots=())
    address = f"/ring/pools/{game.pk}/" if rapid else f"/ring/{game.pk}/"
    RingGame.objects.update(frozen=True)
    assert " · Paused" in _page(client, address) and " · Paused" in _page(client, "/ring/")
    RingGame.objects.update(state=RingGame.State.CLOSING)
    for page in (_page(client, address), _page(client, "/ring/")):
        assert " · closing" in page and "Paused" not in page
    RingGame.objects.update(state=RingGame.State.CLOSED)
    page = _page(client, address)
    assert " · closed" in page and " · closing" not in page and "Paused" not in page


def test_a_pool_counts_those_who_may_be_dealt_in_toward_its_first_hand(client: Client) -> None:
    game = _pool()
    anna, *_others, away = (seated(game, name) for name in ("Anna", "Ben", "Cleo", "Dora"))
    ready = {"stack": MOST, "coming": 0, "due_at": None}
    RingSession.objects.update(**ready, ready_at=timezone.now())
    client.force_login(anna)
    address = f"/ring/pools/{game.pk}/"
    assert "Your next hand begins in a moment." in _page(client, address)
    out = RingSession.objects.filter(user=away)
    out.update(ready_at=None, absent_since=timezone.now())
    for part in (address, f"/ring/pools/{game.pk}/panel/"):
        assert "Hands begin with 4 players; 3 are here." in _page(client, part)
