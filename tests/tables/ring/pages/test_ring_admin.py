"""Admin of ring games: pages of games, rake tables, jackpots and sessions."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tables.models import Table
from tables.ring.models import Penalty, RakeTable, RingAuditRow, RingGame, RingSession
from tables.ring.queries import mine
from tables.ring.sessions import sit_down
from tests.tables.ring.pages import floor

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    """Client of an operator with all rights."""
    client.force_login(User.objects.create_superuser(name="Boss", password="x" * 12))
    return client


@pytest.mark.parametrize(
    "name", ["ringgame", "raketable", "jackpot", "ringsession", "penalty", "ringauditrow"]
)
def test_lists_of_ring_games_open(staff: Client, name: str) -> None:
    floor.seated(floor.ring_game(), "Ada")
    assert staff.get(f"/admin/ring/{name}/").status_code == 200


def test_the_page_of_a_game_in_play_shows_its_terms(staff: Client) -> None:
    game = floor.ring_game()
    page = staff.get(f"/admin/ring/ringgame/{game.pk}/change/")
    assert page.status_code == 200
    assert "Evening game" in page.content.decode()
    assert 'name="buy_in_min"' not in page.content.decode()


def test_pages_show_stored_amounts_and_times_with_their_units(staff: Client) -> None:
    game = floor.ring_game(small_blind=75, big_blind=1_50, buy_in_min=87_50, buy_in_max=123_45,
                           action_ms=15_000, rebuy_ms=120_000, hand_pause_ms=1_500)  # fmt: skip
    page = staff.get(f"/admin/ring/ringgame/{game.pk}/change/").content.decode()
    for words in ("0.75", "1.50", "87.50", "123.45", "15 seconds", "2 minutes", "1.5 s"):
        assert f">{words}<" in page, words
    assert not re.search(r">(8750|12345|15000|120000|1500)<", page)
    floor.seated(game, "Ada", 99_50)
    session = RingSession.objects.get()
    RingSession.objects.update(rake_paid=12_34, bank_ms=45_000)
    page = staff.get(f"/admin/ring/ringsession/{session.pk}/change/").content.decode()
    for words in ("99.50", "12.34", "45 seconds"):
        assert f">{words}<" in page, words
    assert not re.search(r">(9950|1234|45000)<", page)


def test_a_rake_table_opens_with_its_rows(staff: Client) -> None:
    table = RakeTable.objects.create(name="House")
    table.rows.create(basis_points=250, maximum=300)
    assert staff.get(f"/admin/ring/raketable/{table.pk}/change/").status_code == 200


@pytest.mark.rule("R-02")
def test_small_blinds_of_a_rake_row_are_typed_in_money(staff: Client) -> None:
    table = RakeTable.objects.create(name="House")
    row = table.rows.create(basis_points=250, maximum=300, small_blind_upto=50)
    page = f"/admin/ring/raketable/{table.pk}/change/"
    shown = staff.get(page).content.decode()
    assert 'name="rows-0-small_blind_upto" value="0.50"' in shown
    assert "-0.01" not in shown and 'value="-1"' not in shown
    typed = {"name": "House", "rows-TOTAL_FORMS": "1", "rows-INITIAL_FORMS": "1"}
    fields = {
        "id": row.pk,
        "table": table.pk,
        "players_min": "2",
        "players_max": "10",
        "small_blind_over": "0,50",
        "small_blind_upto": "10",
        "basis_points": "2.5",
        "minimum": "",
        "maximum": "3",
    }
    typed |= {f"rows-0-{name}": str(value) for name, value in fields.items()}
    assert staff.post(page, typed).status_code == 302
    row.refresh_from_db()
    assert (row.small_blind_over, row.small_blind_upto, row.maximum) == (50, 10_00, 3_00)
    typed |= {"rows-0-small_blind_over": "", "rows-0-small_blind_upto": "-1"}
    refused = staff.post(page, typed)
    assert "small_blind_upto" in refused.context["inline_admin_formsets"][0].formset.errors[0]
    row.refresh_from_db()
    assert row.small_blind_over == 50
    assert staff.post(page, typed | {"rows-0-small_blind_upto": ""}).status_code == 302
    row.refresh_from_db()
    assert (row.small_blind_over, row.small_blind_upto) == (-1, None)


def test_a_seat_that_is_dealt_in_waits_for_no_blind() -> None:
    game: RingGame = floor.ring_game()
    user = floor.seated(game, "Ada")
    [alone] = mine.sessions(user)
    for name in ("Ben", "Cleo"):
        floor.seated(game, name)
    [before] = mine.sessions(user)
    RingSession.objects.update(after_hand=1, after_dealt=True)
    [dealt] = mine.sessions(user)
    assert (alone.waits, before.waits, dealt.waits) == (False, True, False)


def _terms(**wrong: str) -> dict[str, str]:
    """Fields of the form of a new game as a person types them."""
    times = dict.fromkeys(
        (
            *("action_ms", "bank_ms", "disconnect_ms", "sit_out_ms", "rebuy_ms", "return_ms"),
            *("offer_ms", "wait_ms", "hand_pause_ms", "showdown_pause_ms"),
        ),
        "30",
    )
    typed = {
        "name": "Typed game",
        "variant": "holdem",
        "limit": "no_limit",
        "small_blind": "0.50",
        "big_blind": "1,00",
        "ante_kind": "none",
        "seats_max": "6",
        "buy_in_min": "40",
        "buy_in_max": "100.00",
        "tables_min": "1",
        "tables_max": "2",
        "pool_min": "4",
    }
    return typed | times | wrong


@pytest.mark.rule("R-01")
def test_a_game_is_opened_in_money_and_seconds(staff: Client) -> None:
    answer = staff.post("/admin/ring/ringgame/add/", _terms(action_ms="12.5"))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    game = RingGame.objects.get()
    assert (game.small_blind, game.big_blind, game.ante) == (50, 1_00, 0)
    assert (game.buy_in_min, game.buy_in_max, game.action_ms) == (40_00, 100_00, 12_500)
    assert Table.objects.filter(director="ring", game=game.pk).count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"big_blind": "0.20"},
        {"buy_in_min": "200"},
        {"buy_in_max": "much"},
        {"small_blind": "-1"},
        {"seats_max": "11"},
        {"action_ms": "soon"},
        {"action_ms": "0"},
        {"buy_in_max": "1e999999"},
        {"hand_pause_ms": "1e999999"},
        {"tables_min": "3"},
        {"tables_max": "99999"},
        {"pool_min": "99999"},
        {"rapid": "on", "straddle": "on"},
        {"rapid": "on", "pool_min": "1"},
        {"rapid": "on", "wait_ms": "31"},
    ],
)
def test_wrong_terms_open_no_game(staff: Client, wrong: dict[str, str]) -> None:
    answer = staff.post("/admin/ring/ringgame/add/", _terms(**wrong))
    assert answer.status_code == 200 and answer.context["adminform"].form.errors
    assert not RingGame.objects.exists() and not Table.objects.exists()


@pytest.mark.rule("R-01")
def test_the_list_has_live_figures_with_as_many_queries_for_many_games(staff: Client) -> None:
    floor.seated(floor.ring_game(), "Ada")
    pool = floor.ring_game(rapid=True, straddle=False)
    for name in ("Ben", "Cleo"):
        floor.seated(pool, name)
    address = "/admin/ring/ringgame/"
    with CaptureQueriesContext(connection) as few:
        page = staff.get(address).content.decode()
    assert re.findall(r'field-players">(\d+)<', page) == ["2", "1"]
    assert re.findall(r'field-open_tables">(\d+)<', page) == ["1", "1"]
    assert re.findall(r'field-average_pot">(.)<', page) == ["–", "–"]
    for _ in range(5):
        floor.ring_game()
    with CaptureQueriesContext(connection) as many:
        assert staff.get(address).status_code == 200
    assert len(many) <= len(few)


@pytest.mark.rule("R-03")
def test_a_rapid_pool_is_opened_with_its_fair_wait(staff: Client) -> None:
    answer = staff.post("/admin/ring/ringgame/add/", _terms(rapid="on", wait_ms="1.5"))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    game = RingGame.objects.get()
    assert (game.rapid, game.pool_min, game.wait_ms) == (True, 4, 1_500)
    assert Table.objects.filter(director="rapid", game=game.pk).count() == 1
    session = sit_down.sit(floor.player("Ada"), game.pk, amount=50_00)
    assert staff.get(f"/admin/ring/ringsession/{session.pk}/change/").status_code == 200
    typed = {"session": session.pk, "amount": "12", "reason": "Phone"}
    answer = staff.post("/admin/ring/penalty/add/", typed)
    assert list(answer.context["adminform"].form.errors) == ["session"]
    assert not Penalty.objects.exists()


def _session() -> RingSession:
    floor.seated(floor.ring_game(), "Ada")
    return RingSession.objects.get()


@pytest.mark.rule("P-03")
def test_a_penalty_is_ordered_in_the_admin_with_a_reason(staff: Client) -> None:
    session = _session()
    link = f"/admin/ring/penalty/add/?session={session.pk}"
    assert link in staff.get("/admin/ring/ringsession/").content.decode()
    assert str(session.pk) in staff.get(link).content.decode()
    typed = {"session": session.pk, "amount": "12,50", "reason": "Phone"}
    assert staff.post("/admin/ring/penalty/add/", typed).status_code == 302
    penalty = Penalty.objects.get()
    assert (penalty.amount, penalty.reason, str(penalty.by)) == (12_50, "Phone", "Boss")
    row = RingAuditRow.objects.get()
    assert (row.action, row.actor, row.reason) == ("penalty", penalty.by, "Phone")
    for page in (f"penalty/{penalty.pk}/change/", "penalty/", "ringauditrow/"):
        shown = staff.get(f"/admin/ring/{page}")
        assert shown.status_code == 200 and "Phone" in shown.content.decode()
    assert "12.50" in staff.get("/admin/ring/penalty/").content.decode()


def _token(staff: Client) -> str:
    page = staff.get("/admin/ring/penalty/add/").content.decode()
    [token] = re.findall(r'name="token" value="(\w{22})"', page)
    return str(token)


@pytest.mark.rule("P-03")
def test_a_penalty_whose_form_is_sent_again_is_ordered_once(staff: Client) -> None:
    session = _session()
    typed = {"session": session.pk, "amount": "60", "reason": "Phone", "token": _token(staff)}
    for _ in range(2):  # as after the browser's way back, with the stack for one alone
        assert staff.post("/admin/ring/penalty/add/", typed).status_code == 302
    assert Penalty.objects.count() == RingAuditRow.objects.count() == 1
    typed |= {"amount": "40", "token": _token(staff)}
    assert staff.post("/admin/ring/penalty/add/", typed).status_code == 302
    assert Penalty.objects.count() == 2


@pytest.mark.rule("P-03")
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"amount": "0"}, "amount"),
        ({"amount": "-3"}, "amount"),
        ({"amount": "100.01"}, "amount"),
        ({"amount": "1e400"}, "amount"),
        ({"amount": "all"}, "amount"),
        ({"reason": " "}, "reason"),
        ({"session": "7"}, "session"),
    ],
)
def test_wrong_penalties_are_refused_beside_their_field(
    staff: Client, wrong: dict[str, str], field: str
) -> None:
    typed = {"session": _session().pk, "amount": "12", "reason": "Phone"} | wrong
    answer = staff.post("/admin/ring/penalty/add/", typed)
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field]
    assert not Penalty.objects.exists() and not RingAuditRow.objects.exists()


def test_a_penalty_of_a_player_who_has_left_is_refused(staff: Client) -> None:
    session = _session()
    RingSession.objects.update(state="left", coming=0)
    typed = {"session": session.pk, "amount": "12", "reason": "Phone"}
    answer = staff.post("/admin/ring/penalty/add/", typed)
    assert list(answer.context["adminform"].form.errors) == ["session"]
    assert not Penalty.objects.exists()


@pytest.mark.parametrize(
    ("page", "action", "kept"),
    [
        ("ringgame", "freeze", "freeze"),
        ("ringgame", "close_after_hand", "close"),
        ("ringsession", "kick", "kick"),
    ],
)
def test_actions_of_operators_keep_actor_and_reason(
    staff: Client, page: str, action: str, kept: str
) -> None:
    session = _session()
    row = session.game_id if page == "ringgame" else session.pk
    typed = {"action": action, "_selected_action": row}
    staff.post(f"/admin/ring/{page}/", typed)
    assert not RingAuditRow.objects.exists(), "an action without a reason does nothing"
    staff.post(f"/admin/ring/{page}/", typed | {"reason": "A dispute"})
    written = RingAuditRow.objects.get()
    assert (written.action, written.reason, str(written.actor)) == (kept, "A dispute", "Boss")
