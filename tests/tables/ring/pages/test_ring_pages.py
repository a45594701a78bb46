"""Pages of ring games: lobby, sitting down, the seat's panel, waiting list, privacy."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.ledger.transfers import held_by
from accounts.models import User
from tables.models import Table
from tables.ring.models import RakeTable, RingSession, WaitingPlayer
from tables.ring.pages import lobby
from tables.ring.sessions import sit_down
from tests.tables.ring.pages.floor import BALANCE, LEAST, MOST, player, ring_game, seated
from tests.tournaments.api.asking import by_session, refused

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def _page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


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
    assert "Anna" in page and page.count(">Sit here<") == 5


def test_german_pages_of_a_game_write_heads_and_the_rake_in_german(client: Client) -> None:
    table = RakeTable.objects.create(name="Low")
    table.rows.create(basis_points=250, maximum=300)
    game = ring_game(rake_table=table)
    client.cookies["django_language"] = "de"
    page = _page(client, "/ring/")
    assert ">Spieler<" in page and ">Ø Pot<" in page and ">Hände/Std.<" in page
    assert "2,5 %" in _page(client, f"/ring/{game.pk}/")


@pytest.mark.rule("X-03")
@pytest.mark.parametrize(("sit_out_ms", "words"), [(0, "without a limit"), (900_000, "15 minutes")])
def test_the_page_of_a_game_says_how_long_a_seat_is_kept(
    client: Client, sit_out_ms: int, words: str
) -> None:
    page = _page(client, f"/ring/{ring_game(sit_out_ms=sit_out_ms).pk}/")
    assert re.search(rf"A seat is kept for</th>\s*<td[^>]*>{words}</td>", page)


@pytest.mark.rule("A-01")
@pytest.mark.parametrize(
    ("typed", "amount", "code"),
    [
        ("39.99", LEAST - 1, "buy_in_too_small"),
        ("100.01", MOST + 1, "buy_in_too_large"),
        ("", "", "invalid_request"),
        ("10.555", 10.5, "invalid_request"),
        ("-1", -1, "invalid_request"),
    ],
)
def test_a_wrong_buy_in_is_refused_and_changes_nothing(
    client: Client, typed: str, amount: object, code: str
) -> None:
    game = ring_game()
    user = player("Anna")
    client.force_login(user)
    page = client.post(f"/ring/{game.pk}/sit", {"amount": typed}, headers=HTMX).content.decode()
    assert 'aria-describedby="amount-wrong"' in page
    said = by_session(client, f"/ring-games/{game.pk}/sessions", {"amount": amount})
    refused(said, 400 if code == "invalid_request" else 409, code)
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
    again = {"amount": LEAST, "table": table.pk}
    refused(by_session(client, f"/ring-games/{game.pk}/sessions", again), 409, "seated_already")


@pytest.mark.rule("A-03")
@pytest.mark.parametrize(("least", "typed"), [(LEAST, "150,00"), (MOST, "150.00")])
def test_a_player_who_comes_back_is_asked_for_the_stack_that_left(
    client: Client, least: int, typed: str
) -> None:
    game = ring_game(buy_in_min=least)
    user = seated(game, "Anna")
    left = {"state": "left", "coming": 0, "left_with": 150_00, "ended_at": timezone.now()}
    RingSession.objects.update(**left)
    client.force_login(user)
    usual = {"amount": MOST}
    said = by_session(client, f"/ring-games/{game.pk}/sessions", usual)
    refused(said, 409, "return_too_small")
    assert said.json()["allowed"] == {"least": 150_00, "most": 150_00}
    dialog = _page(client, f"/ring/{game.pk}/sit")
    assert "You left this game with 150.00 a short time ago" in dialog
    assert 'type="hidden" name="amount" value="150.00"' in dialog
    client.post(f"/ring/{game.pk}/sit", {"amount": typed}, headers=HTMX)
    assert RingSession.objects.get(state="arriving").coming == 150_00


def test_a_taken_seat_is_refused_and_nothing_is_paid(client: Client) -> None:
    game = ring_game()
    seated(game, "Anna")
    taken = RingSession.objects.get()
    user = player("Bert")
    client.force_login(user)
    place = {"amount": LEAST, "table": taken.table_id, "seat": taken.seat}
    refused(by_session(client, f"/ring-games/{game.pk}/sessions", place), 409, "seat_taken")
    assert held_by(user) == BALANCE


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


def test_the_quick_seat_leads_to_no_other_game_of_the_same_stakes(client: Client) -> None:
    holdem, omaha = ring_game(), ring_game(name="Omaha", variant="omaha", limit="pot_limit")
    seated(omaha, "Anna")
    client.force_login(player("Bert"))
    page = unescape(_page(client, "/ring/"))
    quick = re.findall(r'gold" href="/ring/(\d+)/sit"[^>]*>(.*?)</a>', page)
    assert dict(quick) == {
        str(holdem.pk): "0.50 / 1.00 <small>No-Limit Hold'em</small>",
        str(omaha.pk): "0.50 / 1.00 <small>Pot-Limit Omaha</small>",
    }


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
    waiting = f"/ring-games/{game.pk}/waiting"
    refused(by_session(client, waiting, {}), 409, "seat_free")
    seated(game, "Bert")
    assert "Wait for a seat" in _page(client, "/ring/")
    said = by_session(client, waiting, {}).json()
    assert said["code"] == "waiting" and said["message"].startswith("You are on the waiting list")
    assert client.get("/ring/rows.json").json()["waiting"] == [game.pk]
    assert "Leave the waiting list" in _page(client, "/ring/")
    page = client.post(f"/ring/{game.pk}/wait", {"give_up": "1"}, follow=True).content.decode()
    assert "You are no longer on the waiting list." in page
    assert not WaitingPlayer.objects.exists()
    assert by_session(client, waiting, {}).status_code == 200
    assert by_session(client, waiting, method="DELETE").json()["code"] == "gave_up"
    assert not WaitingPlayer.objects.exists()


@pytest.mark.rule("R-01")
def test_a_seat_held_for_a_waiting_player_is_free_for_nobody_else(client: Client) -> None:
    game = ring_game(seats_max=2)
    seated(game, "Anna")
    table, carl = Table.objects.get(director="ring", game=game.pk), player("Carl")
    until = timezone.now() + timedelta(minutes=1)
    offer = {"offered_table": table, "offered_seat": 2, "offered_until": until}
    WaitingPlayer.objects.create(game=game, user=carl, **offer)
    pages = ("/ring/", f"/ring/{game.pk}/", f"/ring/tables/{table.pk}/panel/")
    client.force_login(player("Dora"))
    for address in pages:
        page = _page(client, address)
        assert "Wait for a seat" in page and f"/ring/{game.pk}/sit" not in page, address
    assert "held for the waiting list" in _page(client, f"/ring/{game.pk}/")
    [row] = client.get("/ring/rows.json").json()["games"]
    assert (row["free"], row["waiting"]) == (0, 1)
    waiting = f"/ring-games/{game.pk}/waiting"
    assert by_session(client, waiting, {}).status_code == 200
    client.force_login(carl)
    for address in pages:
        assert "Take the seat" in _page(client, address), address


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
    top_up = f"/ring/sessions/{session.pk}/top_up"
    for typed in ("60.01", "all"):
        page = client.post(top_up, {"amount": typed}, headers=HTMX).content.decode()
        assert 'aria-describedby="amount-wrong"' in page and held_by(user) == BALANCE - LEAST
    client.post(top_up, {"amount": "20"}, headers=HTMX)
    said = by_session(client, f"/ring-sessions/{session.pk}/top-ups", {"amount": 40_00}).json()
    assert (said["code"], said["balance"]) == ("top_up", BALANCE - MOST)
    assert client.post(f"/ring/sessions/{session.pk}/dance").status_code == 404
    dance = {"choice": "dance", "on": True}
    choices = f"/ring-sessions/{session.pk}/choices"
    refused(by_session(client, choices, dance), 400, "invalid_request")
    said = by_session(client, choices, {"choice": "auto", "on": False}).json()
    assert (said["code"], said["message"]) == ("auto", "Automatic top-up is off.")
    session.refresh_from_db()
    assert not session.auto_top_up


def test_a_straddle_is_not_offered_where_the_game_has_none(client: Client) -> None:
    game = ring_game(straddle=False)
    client.force_login(seated(game, "Anna"))
    session = RingSession.objects.get()
    assert "ring-straddle" not in _page(client, f"/ring/tables/{session.table_id}/panel/")
    wish = {"choice": "straddle", "on": True}
    refused(by_session(client, f"/ring-sessions/{session.pk}/choices", wish), 409, "no_straddle")


@pytest.mark.rule("H-07")
@pytest.mark.parametrize("stud", [False, True])
def test_a_seat_waits_for_the_big_blind_where_there_is_one(client: Client, stud: bool) -> None:
    bring_in = {"variant": "stud", "limit": "fixed_limit", "bring_in": 25, "small_bet": 50,
                "ante": 5, "ante_kind": "per_seat"}  # fmt: skip
    no_blinds = {"small_blind": 0, "big_blind": 0, "straddle": False}
    game = ring_game(**(bring_in | no_blinds if stud else {}))
    for name in ("Anna", "Ben", "Cleo"):
        client.force_login(seated(game, name))
    RingSession.objects.update(state="seated", coming=0)
    panel = _page(client, f"/ring/tables/{RingSession.objects.all()[0].table_id}/panel/")
    for words in ("You wait for the big blind.", "ring-post", "ring-skip"):
        assert (words in panel) is not stud, words
    # Its words are what it does: pressed, it would say the contrary of what is so.
    assert "aria-pressed" not in panel.partition('id="ring-post"')[2].partition(">")[0]


def test_the_session_of_another_player_is_out_of_reach(client: Client) -> None:
    seated(ring_game(), "Anna")
    session = RingSession.objects.get()
    client.force_login(player("Bert"))
    assert client.post(f"/ring/sessions/{session.pk}/leave").status_code == 404
    own = f"/ring-sessions/{session.pk}"
    refused(by_session(client, own, method="DELETE"), 404, "not_found")
    refused(by_session(client, f"{own}/top-ups", {"amount": 1}), 404, "not_found")
    choice = {"choice": "auto", "on": True}
    refused(by_session(client, f"{own}/choices", choice), 404, "not_found")
    before = RingSession.objects.values().get(pk=session.pk)
    client.logout()
    assert client.post(f"/ring/sessions/{session.pk}/leave").status_code == 302
    refused(by_session(client, own, method="DELETE"), 401, "invalid_token")
    assert RingSession.objects.values().get(pk=session.pk) == before
    assert not before["leaving"] and not before["auto_top_up"]


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
    sat = by_session(client, f"/ring-games/{game.pk}/sessions", given)
    assert sat.status_code == 201 and sat.json()["coming"] == 50_00
    assert "Anna" in _page(client, f"/ring/{game.pk}/")
    client.force_login(player("Bert"))
    assert "Anna" not in _page(client, f"/ring/{game.pk}/")
    assert client.get(f"/tables/{table.pk}/").status_code == 404


def test_a_private_game_of_the_room_is_watched_by_staff_with_the_right(client: Client) -> None:
    game = ring_game(password="a secret word")
    sit_down.sit(player("Anna"), game.pk, amount=MOST, password="a secret word")
    table = Table.objects.get(director="ring", game=game.pk)
    floor = User.objects.create(name="Floor", is_staff=True)
    client.force_login(floor)
    assert client.get(f"/tables/{table.pk}/").status_code == 404
    right = Permission.objects.get(codename="view_ringgame", content_type__app_label="ring")
    floor.user_permissions.add(right)
    assert client.get(f"/tables/{table.pk}/").status_code == 200
    assert "Anna" in _page(client, f"/ring/{game.pk}/")


@pytest.mark.rule("R-01")
def test_a_stranger_waits_for_no_seat_of_a_private_game(client: Client) -> None:
    game = ring_game(password="a secret word", seats_max=2)
    for name in ("Anna", "Bert"):
        sit_down.sit(player(name), game.pk, amount=MOST, password="a secret word")
    client.force_login(player("Cleo"))
    wait, waiting = f"/ring/{game.pk}/wait", f"/ring-games/{game.pk}/waiting"
    assert f'hx-get="{wait}"' in _page(client, f"/ring/{game.pk}/")
    asked = client.get(wait, headers=HTMX).content.decode()
    assert 'name="password"' in asked and "password-wrong" not in asked
    wrong = client.post(wait, {"password": "guess"}, headers=HTMX).content.decode()
    assert 'aria-describedby="password-wrong"' in wrong and "The password is wrong." in wrong
    refused(by_session(client, waiting, {}), 409, "wrong_password")
    assert not WaitingPlayer.objects.exists()
    assert by_session(client, waiting, {"password": "a secret word"}).status_code == 200
    by_session(client, waiting, method="DELETE")
    joined = client.post(wait, {"password": "a secret word"}, headers=HTMX)
    assert joined.status_code == 200 and WaitingPlayer.objects.get().user.name == "Cleo"
