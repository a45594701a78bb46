"""Pages say which draws the cut of the players does not decide yet."""

from __future__ import annotations

import html

import pytest
from django.test import Client

from tests.tournaments.cast import open_offer
from tests.tournaments.prizes.spin_terms import SPIN

pytestmark = pytest.mark.django_db

BOTH = {"en": "nothing seals them yet", "de": "Noch versiegelt sie nichts"}
SEATS = {
    "en": "seats are drawn by the room's random source alone",
    "de": "Plätze zieht allein die Zufallsquelle des Pokerraums",
}
SPINS = {
    "en": "unlike the cards, nothing seals that draw yet",
    "de": "Anders als die Karten versiegelt diese Ziehung noch nichts",
}


def _words(client: Client, address: str, language: str) -> str:
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200, address
    return " ".join(html.unescape(answer.content.decode()).split())


@pytest.mark.parametrize("language", ["en", "de"])
def test_draws_without_a_cut_are_named_where_players_read_of_them(
    client: Client, language: str
) -> None:
    assert BOTH[language] in _words(client, "/fair/", language)
    offer, spin = open_offer(), open_offer(**SPIN)
    assert SEATS[language] in _words(client, f"/tournaments/{offer.pk}/?tab=rules", language)
    assert SPINS[language] in _words(client, f"/tournaments/{spin.pk}/?tab=payouts", language)
