"""Requests of ring pages that come late or twice: from an old window, after a lost answer."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from accounts.ledger.transfers import held_by
from tables.ring.models import RingSession
from tests.tables.ring.pages.floor import BALANCE, LEAST, MOST, player, ring_game, seated

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.mark.rule("A-03")
@pytest.mark.parametrize("action", ["leave", "top_up"])
@pytest.mark.parametrize("headers", [HTMX, {}], ids=["window", "page"])
def test_a_seat_that_was_freed_meanwhile_is_told_to_who_asks_about_it(
    client: Client, action: str, headers: dict[str, str]
) -> None:
    game = ring_game()
    client.force_login(seated(game, "Anna"))
    left = {"state": "left", "coming": 0, "left_with": MOST, "ended_at": timezone.now()}
    RingSession.objects.update(**left)
    address = f"/ring/sessions/{RingSession.objects.get().pk}/{action}"
    said = {"amount": "20", "next": f"/ring/{game.pk}/"}
    for ask in (client.get, client.post):
        answer = ask(address, said, headers=headers)
        page = client.get(answer["HX-Redirect" if headers else "Location"])
        assert "You have no seat at this table." in page.content.decode()


@pytest.mark.rule("A-03")
@pytest.mark.parametrize("rapid", [False, True])
def test_a_quick_seat_asked_for_twice_is_one_seat_and_one_buy_in(
    client: Client, rapid: bool
) -> None:
    game = ring_game(tables_min=2, tables_max=2, rapid=rapid, straddle=False)
    anna, address = player("Anna"), f"/ring/{game.pk}/sit"
    client.force_login(anna)
    fields = _hidden(client.get(address, headers=HTMX)) | {"amount": "50"}
    answers = [client.post(address, fields, headers=HTMX)["HX-Redirect"] for _ in range(2)]
    session = RingSession.objects.get()
    place = f"/ring/pools/{game.pk}/" if rapid else f"/tables/{session.table_id}/"
    assert answers == [place] * 2 and held_by(anna) == BALANCE - 50_00
    if not rapid:
        fields = _hidden(client.get(address, headers=HTMX)) | {"amount": "50"}
        client.post(address, fields, headers=HTMX)
        assert RingSession.objects.count() == 2, "a wish of its own is a seat at the other table"


@pytest.mark.parametrize("step", ["sit", "wait"])
def test_the_log_in_leads_back_to_the_whole_address_of_the_page(client: Client, step: str) -> None:
    game = ring_game()
    page = f"http://testserver/ring/{game.pk}/?stakes=small&sort=name"
    for headers, where in (({"Referer": page}, "Location"), (HTMX, "HX-Redirect")):
        shown = {**headers, "HX-Current-URL": page}
        login = client.post(f"/ring/{game.pk}/{step}", headers=shown)[where]
        assert parse_qs(urlsplit(login).query) == {"next": [page]}, "no part of it is lost"


@pytest.mark.rule("A-03")
def test_a_top_up_asked_for_twice_is_one_purchase(client: Client) -> None:
    anna = seated(ring_game(), "Anna", LEAST)
    client.force_login(anna)
    address = f"/ring/sessions/{RingSession.objects.get().pk}/top_up"
    fields = _hidden(client.get(address, headers=HTMX)) | {"amount": "20"}
    client.post(address, fields, headers=HTMX)
    again = client.post(address, fields, headers=HTMX)
    assert "You have bought chips meanwhile" in again.content.decode()
    assert held_by(anna) == BALANCE - LEAST - 20_00
    client.post(address, _hidden(again) | {"amount": "20"}, headers=HTMX)
    assert held_by(anna) == BALANCE - LEAST - 40_00, "asked again, it is a purchase of its own"


def _hidden(answer: Any) -> dict[str, str]:
    """Return the hidden fields of a dialog."""
    page = answer.content.decode()
    return dict(re.findall(r'type="hidden" name="(\w+)" value="(\d+)"', page))


@pytest.mark.rule("R-01")
def test_an_offer_that_is_gone_is_told_to_who_takes_it(client: Client) -> None:
    game = ring_game()
    client.force_login(seated(game, "Anna"))
    for ask in (client.get, client.post):
        answer = ask("/ring/offers/1/take", {"next": f"/ring/{game.pk}/"}, headers=HTMX)
        page = client.get(answer["HX-Redirect"]).content.decode()
        assert "You are not on the waiting list." in page
