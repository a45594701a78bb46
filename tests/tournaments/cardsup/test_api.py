"""Featured table over the API: what was told, to tokens of viewers with the right."""

from __future__ import annotations

import pytest
from django.test import Client
from redis import Redis

from accounts.users import groups
from tests.tables.gateway.sockets import users
from tests.tournaments.api.asking import ROOT, token
from tests.tournaments.cardsup.scene import DELAY_MS, CardsUpScene

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_token_reads_what_was_told_and_no_more(house: Redis) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    scene.play(2)
    ann, speaker = users("ann", "speaker")
    groups.keep_commentators().user_set.add(speaker)
    address = f"{ROOT}/tournaments/{scene.tournament.pk}/featured"

    def asked(text: str) -> tuple[int, dict[str, object]]:
        answer = Client().get(address, headers={"authorization": f"Bearer {text}"})
        return answer.status_code, answer.json()

    right = token(ann, "cards:delayed")
    scene.look(scene.first_ms() + DELAY_MS - 1)
    assert asked(right) == (200, {"delay_ms": DELAY_MS, "events": []})
    scene.look(scene.first_ms() + DELAY_MS + 10_000)
    status, answer = asked(right)
    told = scene.told(scene.featured)
    last = max(at for at, event in enumerate(told) if event["type"] == "hand_retold")
    assert (status, answer["events"]) == (200, told[last:])
    assert asked(token(ann, "watch"))[1]["code"] == "missing_scope"
    assert asked("room_invented")[1]["code"] == "invalid_token"
    scene.tournament.cards_up = "commentators"
    scene.tournament.save()
    assert asked(right)[1]["code"] == "missing_permission"
    assert asked(token(speaker, "cards:delayed"))[0] == 200
    scene.tournament.cards_up = "off"
    scene.tournament.save()
    assert asked(right)[1]["code"] == "not_found"
