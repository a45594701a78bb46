"""Ring games by the API: the lobby, the user's seats, sitting down once for a key, leaving."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.ledger.transfers import held_by
from accounts.models import ApiAnswer
from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tests.tables.ring.pages.floor import BALANCE, LEAST, MOST, player, ring_game, seated
from tests.tournaments.api.asking import get, post, refused, token

pytestmark = pytest.mark.django_db


@pytest.mark.rule("R-01")
def test_games_are_listed_with_seats_and_the_users_sessions() -> None:
    game = ring_game()
    anna = seated(game, "Anna")
    ring_game(name="Second")
    text, other = token(anna, "watch"), token(player("Ben"), "watch")
    with CaptureQueriesContext(connection) as queries:
        rows = get("/ring-games", text).json()["items"]
    assert len(queries) <= 20
    row = next(row for row in rows if row["id"] == game.pk)
    table = Table.objects.get(director="ring", game=game.pk)
    assert (row["name"], row["state"], row["players"]) == ("Evening game", "open", 1)
    assert (row["small_blind"], row["buy_in_min"], row["buy_in_max"]) == (50, LEAST, MOST)
    assert row["tables"] == [{"table": table.pk, "number": table.number, "free": 5}]
    [own] = get("/ring-sessions", text).json()["items"]
    assert (own["game"], own["table"], own["seat"]) == (game.pk, table.pk, 1)
    assert own["stack"] + own["coming"] == MOST
    assert get("/ring-sessions", other).json()["items"] == []


@pytest.mark.rule("A-01")
def test_a_program_sits_down_once_for_a_key_and_leaves() -> None:
    game, anna = ring_game(), player("Anna")
    text, address = token(anna, "play"), f"/ring-games/{game.pk}/sessions"
    body = {"amount": LEAST, "seat": 3}
    first = post(address, text, body, key="k")
    assert first.status_code == 201
    assert (first.json()["seat"], first.json()["coming"]) == (3, LEAST)
    assert post(address, text, body, key="k").json() == first.json()
    assert held_by(anna) == BALANCE - LEAST and RingSession.objects.count() == 1
    refused(post(address, text, body | {"amount": MOST}, key="k"), 409, "reused_key")
    refused(post(address, text, body, key="other"), 409, "no_free_seat")
    [paid, *_] = get("/wallet", token(anna, "wallet")).json()["items"]
    assert (paid["amount"], paid["ref"]) == (-LEAST, f"ring:{first.json()['table']}")
    session = f"/api/v1/ring-sessions/{first.json()['id']}"
    stranger = token(player("Ben"), "play")
    for _ in range(2):
        foreign = Client().delete(session, headers={"Authorization": f"Bearer {stranger}"})
        refused(foreign, 404, "not_found")
        answer = Client().delete(session, headers={"Authorization": f"Bearer {text}"})
        assert answer.json()["leaving"] is True


@pytest.mark.rule("A-01")
def test_a_top_up_is_paid_once_for_a_key_and_every_time_without_one() -> None:
    game, anna = ring_game(), player("Anna")
    text = token(anna, "play")
    sat = post(f"/ring-games/{game.pk}/sessions", text, {"amount": LEAST}, key="k").json()
    address, less = f"/ring-sessions/{sat['id']}/top-ups", held_by(anna)
    first = post(address, text, {"amount": 50}, key="more")
    assert (first.status_code, first.json()["balance"]) == (200, less - 50)
    assert post(address, text, {"amount": 50}, key="more").json() == first.json()
    assert held_by(anna) == less - 50
    refused(post(address, text, {"amount": 60}, key="more"), 409, "reused_key")
    refused(post(address, text, {"amount": 50}, key="no key"), 400, "missing_key")
    assert held_by(anna) == less - 50
    assert post(address, text, {"amount": 50}).json()["balance"] == less - 100


def test_refused_buy_ins_change_nothing() -> None:
    game, anna, poor = ring_game(), player("Anna"), player("Poor", LEAST - 1)
    text, address = token(anna, "play"), f"/ring-games/{game.pk}/sessions"
    secret = ring_game(name="Secret")
    RingGame.objects.filter(pk=secret.pk).update(password=make_password("sesame"))
    closed = ring_game(name="Closed")
    RingGame.objects.filter(pk=closed.pk).update(state=RingGame.State.CLOSED)
    table = Table.objects.get(director="ring", game=secret.pk).pk
    for answer, status, code in (
        (post(address, text, {"amount": LEAST - 1}, key="k"), 409, "buy_in_too_small"),
        (post(address, text, {"amount": 2**63 - 1}, key="k"), 409, "buy_in_too_large"),
        (post(address, text, {"amount": LEAST, "table": table}, key="k"), 404, "no_such_table"),
        (post(address, text, {"amount": LEAST, "seat": 7}, key="k"), 409, "no_such_seat"),
        (post(address, text, {"amount": 0}, key="k"), 400, "invalid_request"),
        (post(address, text, {"amount": 2**63}, key="k"), 400, "invalid_request"),
        (post(address, text, {"amount": "all"}, key="k"), 400, "invalid_request"),
        (post(address, text, {"amount": LEAST, "straddle": True}, key="k"), 400, "invalid_request"),
        (post(address, text, {"amount": LEAST}), 400, "missing_key"),
        (post("/ring-games/999/sessions", text, {"amount": LEAST}, key="k"), 404, "not_found"),
    ):
        refused(answer, status, code)
    for number, status, code in (
        (secret.pk, 409, "wrong_password"),
        (closed.pk, 404, "no_such_game"),
    ):
        answer = post(f"/ring-games/{number}/sessions", text, {"amount": LEAST}, key="k")
        refused(answer, status, code)
    answer = post(address, token(poor, "play"), {"amount": LEAST}, key="k")
    assert answer.status_code == 409
    watcher = token(anna, "watch")
    refused(post(address, watcher, {"amount": LEAST}, key="k"), 403, "missing_scope")
    assert not RingSession.objects.exists() and not ApiAnswer.objects.exists()
    assert held_by(anna) == BALANCE
