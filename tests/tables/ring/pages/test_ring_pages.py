"""Pages of ring games: lobby, sitting down, the seat's panel, waiting list, privacy."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.ledger.transfers import held_by
from tables.models import Table
from tables.ring.models import RingSession, WaitingPlayer
from tables.ring.pages import lobby
from tables.ring.sessions import sit_down
from tests.tables.ring.pages.floor import BALANCE, LEAST, MOST, player, ring_game, seated

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}
HTMX = {"HX-Request": "true"}


def _page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def _post(client: Client, address: str, **fields: object) -> dict[str, Any]:
    answer = client.post(address, fields, headers=JSON)
    said: dict[str, Any] = answer.json()
    assert (answer.status_code == 200) == said["ok"], said
    return said


@pytest.mark.rule("R-01")
def test_the_lobby_lists_a_game_with_stakes_players_and_waiting(client: Client) -> None:
    game = ring_game(jackpots=("bad_beat",))
    seated(game, "Anna")
    page = _page(client, "/ring/")
    for words in ("Evening game", "No-Limit Hold&#x27;em", "0.50 / 1.00", "40.00–100.00", "1 / 6"):
        assert words in page
    assert "AVG POT" in page and "H/HR" in page and "PLRS" in page
    assert "Bad beat jackpot" in page
    assert 'href="/ring/"' in _page(client, "/"), "a tab of the lobby leads to the ring games"
    page = _page(client, f"/ring/{game.pk}/")
    assert "Anna" in page and page.count("Sit here") == 5


@pytest.mark.rule("A-01")
@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (LEAST - 1, "buy_in_too_small"),
        (MOST + 1, "buy_in_too_large"),
        ("", "bad_amount"),
        ("10.5", "bad_amount"),
        (-1, "bad_amount"),
    ],
)
def test_a_wrong_buy_in_is_refused_and_changes_nothing(
    client: Client, amount: object, code: str
) -> None:
    game = ring_game()
    user = player("Anna")
    client.force_login(user)
    said = _post(client, f"/ring/{game.pk}/sit", amount=amount)
    assert said["code"] == code and said["balance"] == BALANCE
    assert not RingSession.objects.exists() and held_by(user) == BALANCE


@pytest.mark.rule("A-01")
def test_a_buy_in_that_the_account_does_not_cover_is_refused_beside_the_amount(
    client: Client,
) -> None:
    game = ring_game()
    user = player("Anna", 30_00)
    client.force_login(user)
    answer = client.post(f"/ring/{game.pk}/sit", {"amount": "40.00"}, headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 200 and 'aria-describedby="amount-wrong"' in page
    assert "30.00" in page and 'value="40.00"' in page
    assert not RingSession.objects.exists() and held_by(user) == 30_00


@pytest.mark.rule("A-01", "A-03")
def test_sitting_down_pays_and_leads_to_the_table(client: Client) -> None:
    game = ring_game()
    user = player("Anna")
    client.force_login(user)
    table = Table.objects.get(director="ring", game=game.pk)
    dialog = _page(client, f"/ring/{game.pk}/sit?table={table.pk}&seat=3")
    assert "table 1, seat 3" in dialog and 'value="100.00"' in dialog
    fields = {"amount": "80,50", "table": table.pk, "seat": 3}
    answer = client.post(f"/ring/{game.pk}/sit", fields, headers=HTMX)
    assert answer["HX-Redirect"] == f"/tables/{table.pk}/"
    session = RingSession.objects.get()
    assert (session.seat, session.coming, held_by(user)) == (3, 80_50, BALANCE - 80_50)
    page = _page(client, f"/tables/{table.pk}/")
    assert 'data-chips="money"' in page and f'data-ring="{game.pk}"' in page
    assert "80.50" in _page(client, "/ring/in-play/")
    said = _post(client, f"/ring/{game.pk}/sit", amount=LEAST, table=table.pk)
    assert said["code"] == "seated_already"


def test_a_taken_seat_is_refused_and_nothing_is_paid(client: Client) -> None:
    game = ring_game()
    seated(game, "Anna")
    taken = RingSession.objects.get()
    user = player("Bert")
    client.force_login(user)
    place = {"table": taken.table_id, "seat": taken.seat}
    said = _post(client, f"/ring/{game.pk}/sit", amount=LEAST, **place)
    assert said["code"] == "seat_taken" and said["balance"] == BALANCE


def test_rows_tell_scripts_games_sessions_and_waits(client: Client) -> None:
    game = ring_game(seats_max=2)
    anna = seated(game, "Anna")
    client.force_login(anna)
    rows = client.get("/ring/rows.json").json()
    [row] = rows["games"]
    assert (row["game"], row["free"], row["state"]) == (game.pk, 1, "open")
    assert (row["buy_in_min"], row["buy_in_max"]) == (LEAST, MOST)
    [own] = rows["sessions"]
    assert (own["game"], own["coming"], own["leaving"]) == (game.pk, MOST, False)
    assert (rows["offers"], rows["waiting"]) == ([], [])


@pytest.mark.parametrize("address", ["/ring/rows.json", "/ring/"])
def test_many_games_need_no_more_queries_than_one(client: Client, address: str) -> None:
    game = ring_game(jackpots=("bad_beat",))
    anna = seated(game, "Anna")
    client.force_login(anna)
    client.get(address)
    lobby.shared_games.forget()
    with CaptureQueriesContext(connection) as one:
        client.get(address)
    for number in range(9):
        sit_down.sit(anna, ring_game(name=f"G{number}", jackpots=("bad_beat",)).pk, amount=LEAST)
    lobby.shared_games.forget()
    with CaptureQueriesContext(connection) as ten:
        answer = client.get(address)
    if address.endswith("json"):
        assert [row["players"] for row in answer.json()["games"]] == [1] * 10
    assert 0 < len(ten) == len(one), [query["sql"] for query in ten]


@pytest.mark.rule("R-01")
def test_a_player_waits_for_a_full_game_and_gives_up(client: Client) -> None:
    game = ring_game(seats_max=2)
    seated(game, "Anna")
    user = player("Carl")
    client.force_login(user)
    assert _post(client, f"/ring/{game.pk}/wait")["code"] == "seat_free"
    seated(game, "Bert")
    assert "Wait for a seat" in _page(client, "/ring/")
    assert _post(client, f"/ring/{game.pk}/wait")["ok"]
    assert client.get("/ring/rows.json").json()["waiting"] == [game.pk]
    assert "Leave the waiting list" in _page(client, "/ring/")
    assert _post(client, f"/ring/{game.pk}/wait", give_up=1)["ok"]
    assert not WaitingPlayer.objects.exists()


@pytest.mark.rule("H-09", "A-03")
def test_the_panel_of_a_seat_switches_and_tops_up(client: Client) -> None:
    game = ring_game()
    user = seated(game, "Anna", LEAST)
    client.force_login(user)
    session = RingSession.objects.get()
    for name in ("Ben", "Cleo"):
        seated(game, name)
    for action, field in (
        ("straddle", "straddles"),
        ("auto", "auto_top_up"),
        ("post", "posts_now"),
        ("skip", "skips_big_blind"),
    ):
        address = f"/ring/sessions/{session.pk}/{action}"
        page = client.post(address, {"on": "1"}, headers=HTMX).content.decode()
        assert f'id="ring-{action}"' in page and 'aria-pressed="true"' in page
        session.refresh_from_db()
        assert getattr(session, field)
    assert "60.00" in _page(client, f"/ring/sessions/{session.pk}/top_up")
    said = _post(client, f"/ring/sessions/{session.pk}/top_up", amount=60_01)
    assert said["code"] == "top_up_too_large" and said["balance"] == BALANCE - LEAST
    said = _post(client, f"/ring/sessions/{session.pk}/top_up", amount=60_00)
    assert said["ok"] and said["balance"] == BALANCE - MOST
    assert client.post(f"/ring/sessions/{session.pk}/dance", headers=JSON).status_code == 404


def test_a_straddle_is_not_offered_where_the_game_has_none(client: Client) -> None:
    game = ring_game(straddle=False)
    client.force_login(seated(game, "Anna"))
    session = RingSession.objects.get()
    assert "ring-straddle" not in _page(client, f"/ring/tables/{session.table_id}/panel/")
    said = _post(client, f"/ring/sessions/{session.pk}/straddle", on=1)
    assert said["code"] == "no_straddle"


def test_the_session_of_another_player_is_out_of_reach(client: Client) -> None:
    seated(ring_game(), "Anna")
    session = RingSession.objects.get()
    client.force_login(player("Bert"))
    answer = client.post(f"/ring/sessions/{session.pk}/leave", headers=JSON)
    assert answer.status_code == 404
    session.refresh_from_db()
    assert not session.leaving
    client.logout()
    assert client.post(f"/ring/sessions/{session.pk}/leave", headers=JSON).status_code == 401


def test_a_private_game_shows_its_players_to_nobody_else(client: Client) -> None:
    game = ring_game(password="a secret word")
    table = Table.objects.get(director="ring", game=game.pk)
    anna = player("Anna")
    client.force_login(anna)
    wrong = client.post(
        f"/ring/{game.pk}/sit", {"amount": "50", "password": "guess"}, headers=HTMX
    ).content.decode()
    assert 'aria-describedby="password-wrong"' in wrong and held_by(anna) == BALANCE
    given = {"amount": 50_00, "password": "a secret word"}
    assert _post(client, f"/ring/{game.pk}/sit", **given)["ok"]
    assert "Anna" in _page(client, f"/ring/{game.pk}/")
    client.force_login(player("Bert"))
    assert "Anna" not in _page(client, f"/ring/{game.pk}/")
    assert client.get(f"/tables/{table.pk}/").status_code == 404
