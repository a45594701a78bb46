"""Options of cards-up streams: contradictions, the organiser's form, and the players' consent."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from redis import Redis

from accounts.models import User
from config.refusals import Refusal
from tables.cardsup.models import Retelling
from tests.tournaments.cardsup.scene import DELAY_MS, CardsUpScene
from tests.tournaments.cast import offer, open_offer
from tournaments.entries import registration
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"cards_up": "everybody", "cards_up_delay_ms": 59_999}, "cards_up_delay_ms"),
        ({"cards_up": "everybody", "cards_up_final_ms": 299_999}, "cards_up_final_ms"),
        ({"cards_up": "everybody", "cards_up_final_ms": 4 * 3_600_000 + 1}, "cards_up_final_ms"),
        ({"cards_up_consent": "hides"}, "cards_up_consent"),
        ({"cards_up": "players"}, "cards_up"),
    ],
)
def test_wrong_options_are_refused_beside_their_field(fields: dict[str, Any], wrong: str) -> None:
    with pytest.raises(Refusal) as refusal:
        offer(**fields)
    assert (refusal.value.code, refusal.value.field) == ("bad_offer", wrong)
    assert not Tournament.objects.exists()


def player(name: str) -> User:
    """A person."""
    return User.objects.create_user(name)


def test_consent_is_stored_and_asked_only_where_the_tournament_asks(house: Redis) -> None:
    ann, ben = player("ann"), player("ben")
    free: dict[str, Any] = {"buy_in": 0, "fee": 0}
    quiet = open_offer(**free)
    assert registration.register(ann, quiet).shows_cards
    hides = open_offer(cards_up="everybody", cards_up_consent="hides", **free)
    assert registration.register(ann, hides, shows_cards=True).shows_cards
    assert not registration.register(ben, hides).shows_cards
    needed = open_offer(cards_up="commentators", cards_up_consent="needed", **free)
    entries = Entry.objects.count()
    with pytest.raises(Refusal) as refusal:
        registration.register(ben, needed)
    assert refusal.value.code == "consent_needed"
    assert Entry.objects.count() == entries and needed.entries.count() == 0
    needed.refresh_from_db()
    assert needed.entrants == 0
    assert registration.register(ben, needed, shows_cards=True).shows_cards


def test_the_form_of_the_registration_asks_and_sends_the_answer(house: Redis) -> None:
    [ann] = [player("ann")]
    needed = open_offer(cards_up="everybody", cards_up_consent="needed", buy_in=0, fee=0)
    client = Client()
    client.force_login(ann)
    address = f"/tournaments/{needed.pk}/register/"
    asked = client.get(address).content.decode()
    assert 'name="shows_cards"' in asked and "5 minutes after each hand was dealt" in asked
    refused = client.post(address, follow=True).content.decode()
    assert "whoever enters agrees to it" in refused and not needed.entries.exists()
    assert client.post(address, {"shows_cards": "1"}).status_code == 302
    assert needed.entries.get().shows_cards


def test_cards_of_a_player_who_refused_stay_hidden_in_the_streams(house: Redis) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    scene.tournament.cards_up_consent = "hides"
    scene.tournament.save()
    shy = scene.players[1]
    Entry.objects.filter(tournament=scene.tournament, user=shy).update(shows_cards=False)
    scene.play(2)
    end_ms = scene.first_ms() + DELAY_MS + 600_000
    scene.look_until(scene.first_ms() + DELAY_MS, end_ms, 6)
    told = scene.told(f"cardsup:{scene.tables[0]}")
    seats = {seat["seat"]: seat["user"] for seat in told[0]["start"]["seats"]}
    dealt = [event for event in told if event["type"] == "hole_cards_dealt"]
    assert len(dealt) == 6
    for event in dealt:
        assert ("??" in event["cards"]) == (seats[event["seat"]] == shy.pk)


def test_a_longer_delay_counts_for_every_hand_that_is_not_begun(house: Redis) -> None:
    scene = CardsUpScene(house, players=3, seats=3)
    scene.play(1)
    scene.tournament.cards_up_delay_ms = scene.tournament.cards_up_final_ms = 10 * DELAY_MS
    scene.tournament.save()
    scene.look(scene.first_ms() + 10 * DELAY_MS - 1)
    stream = f"cardsup:{scene.tables[0]}"
    assert scene.told(stream) == []
    scene.look(scene.first_ms() + 10 * DELAY_MS + 60_000)
    assert scene.told(stream)[0]["delay_ms"] >= 10 * DELAY_MS


def test_a_tournament_without_the_option_opens_no_stream(house: Redis) -> None:
    scene = CardsUpScene(house, players=3, seats=3, cards_up="off")
    scene.play(1)
    scene.look(scene.first_ms() + 3_600_000)
    assert not Retelling.objects.exists()
