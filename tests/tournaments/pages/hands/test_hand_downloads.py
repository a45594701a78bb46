"""Download of a hand as PHH: each viewer gets the cards that were shown, and no others."""

from __future__ import annotations

import json
import tomllib
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone, translation
from redis import Redis

from accounts.models import User
from tables.dealer import record
from tables.engine.events import HoleCardsDealt
from tables.models import Hand
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def downloaded(client: Client, address: str) -> dict[str, Any]:
    """Return the fields of the document behind the link on the page of the hand."""
    page = client.get(address).content.decode()
    assert f'href="{address}phh/"' in page
    answer = client.get(f"{address}phh/")
    assert answer.status_code == 200
    assert answer["Content-Disposition"].endswith('.phh"')
    assert "no-store" in answer["Cache-Control"]
    return tomllib.loads(answer.content.decode())


def dealt(fields: dict[str, Any]) -> dict[str, str]:
    """Return the hole cards of the document by player."""
    deals = [line.split() for line in fields["actions"] if line.startswith("d dh ")]
    return {player: cards for _, _, player, cards in deals}


def test_a_download_names_the_cards_that_its_reader_was_shown(house: Redis) -> None:
    played = PlayedHands(2)
    kept = played.records[1]
    order = kept.setup.positions.dealt
    own = {
        f"p{order.index(event.seat) + 1}": "".join(event.cards)
        for event in record.replay(kept.setup, kept.actions)
        if isinstance(event, HoleCardsDealt)
    }
    public = downloaded(Client(), played.address(2))
    assert set(dealt(public).values()) == {"????"}
    assert public["finishing_stacks"] and public["event"] == played.tournament.name
    shown = dict(kept.result.shown)
    seen = json.loads(Client().get(f"{played.address(2)}ohh/").content)["ohh"]
    assert "hero_player_id" not in seen
    assert not any(act["action"] == "Dealt Cards" for act in seen["rounds"][0]["actions"])
    for seat in kept.seats:
        client = Client()
        client.force_login(User.objects.get(pk=seat.user))
        mine = downloaded(client, played.address(2))
        told = json.loads(client.get(f"{played.address(2)}ohh/").content)["ohh"]
        [deal] = [act for act in told["rounds"][0]["actions"] if act["action"] == "Dealt Cards"]
        assert told["hero_player_id"] == deal["player_id"] == seat.seat
        assert "".join(deal["cards"]) == own[f"p{order.index(seat.seat) + 1}"]
        assert told["tournament_info"]["name"] == played.tournament.name
        player = f"p{order.index(seat.seat) + 1}"
        assert dealt(mine) == {**dict.fromkeys(own, "????"), player: own[player]}
        text = "".join(mine["actions"])
        for other, cards in own.items():
            other_seat = order[int(other[1:]) - 1]
            assert (cards in text) == (other == player or other_seat in shown)


@pytest.mark.parametrize("form", ["phh", "ohh", "txt"])
def test_a_hand_is_not_downloaded_before_its_release(house: Redis, form: str) -> None:
    played = PlayedHands(1)
    address = f"{played.address(1)}{form}/"
    Hand.objects.update(released_at=timezone.now() + timedelta(minutes=1))
    assert Client().get(address).status_code == 404
    Hand.objects.update(released_at=timezone.now())
    assert Client().get(address).status_code == 200
    assert Client().get(f"{played.address(2)}{form}/").status_code == 404
    assert Client().post(address).status_code == 405


def test_hands_of_a_private_tournament_are_hidden(house: Redis) -> None:
    played = PlayedHands(1)
    Tournament.objects.update(password=make_password("sesame"))
    for form in ("phh", "ohh", "txt"):
        assert Client().get(f"{played.address(1)}{form}/").status_code == 404
    assert Client().get(f"{played.address(1)}pdf/").status_code == 404


def test_the_link_is_named_in_german(house: Redis) -> None:
    played = PlayedHands(1)
    with translation.override("de"):
        page = Client(headers={"accept-language": "de"}).get(played.address(1)).content.decode()
    assert "Diese Hand für andere Programme herunterladen (PHH)" in page
    assert "Diese Hand für andere Programme herunterladen (Open Hand History)" in page
    assert "Diese Hand für Tracker herunterladen (Text im Format von PokerStars)" in page


def test_text_for_tracking_programs_has_the_cards_of_its_reader(house: Redis) -> None:
    played = PlayedHands(1)
    address = played.address(1)
    assert f'href="{address}txt/"' in Client().get(address).content.decode()
    public = Client().get(f"{address}txt/")
    assert public["Content-Type"] == "text/plain; charset=utf-8"
    assert public["Content-Disposition"].endswith('hand-1.txt"')
    text = public.content.decode()
    assert text.startswith("PokerStars Hand #") and "Dealt to " not in text
    seat = played.records[0].seats[0]
    client = Client()
    client.force_login(User.objects.get(pk=seat.user))
    own = client.get(f"{address}txt/").content.decode()
    assert own.count("Dealt to ") == 1 and f"Dealt to {seat.name} [" in own
