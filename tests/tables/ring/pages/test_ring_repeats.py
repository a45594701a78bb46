"""Requests of ring pages that come late or twice: from an old window, after a lost answer."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from tables.ring.models import RingSession
from tests.tables.ring.pages.floor import MOST, ring_game, seated

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


@pytest.mark.rule("R-01")
def test_an_offer_that_is_gone_is_told_to_who_takes_it(client: Client) -> None:
    game = ring_game()
    client.force_login(seated(game, "Anna"))
    for ask in (client.get, client.post):
        answer = ask("/ring/offers/1/take", {"next": f"/ring/{game.pk}/"}, headers=HTMX)
        page = client.get(answer["HX-Redirect"]).content.decode()
        assert "You are not on the waiting list." in page
