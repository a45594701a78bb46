"""Bounties on pages: parts of the price, rules, ladder."""

from __future__ import annotations

import pytest
from django.test import Client
from redis import Redis

from accounts.users import bots
from tests.tournaments.cast import open_offer
from tests.tournaments.prizes.knockouts import bounty_field, knock_out

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def servers(room: Redis, broker: Redis) -> None:
    """Redis for the bells that registering rings."""


@pytest.mark.rule("N-01")
def test_the_dialog_shows_the_bounty_as_a_part_of_the_price(client: Client) -> None:
    client.force_login(bots.create(1)[0])
    tournament = open_offer(bounty=550)
    page = client.get(f"/tournaments/{tournament.pk}/register/").content.decode()
    assert "5.50" in page and "16.50" in page
    assert "5.50" in client.get("/").content.decode()
    rules = client.get(f"/tournaments/{tournament.pk}/?tab=rules").content.decode()
    assert "5.50 of the price are on each head" in rules


@pytest.mark.rule("N-04")
def test_the_ladder_shows_heads_and_won_bounties(client: Client) -> None:
    tournament, (hunter, victim, _) = bounty_field(3, progressive_bp=5_000)
    knock_out(tournament, victim, [hunter])
    page = client.get(f"/tournaments/{tournament.pk}/?tab=bounties").content.decode()
    rows = page.split("<tbody>")[1].split("</tr>")
    assert hunter.name in rows[0] and "7.50" in rows[0] and "2.50" in rows[0]
    assert victim.name in rows[2] and 'class="out"' in rows[2]


def test_without_bounties_there_is_no_ladder(client: Client) -> None:
    tournament = open_offer()
    page = client.get(f"/tournaments/{tournament.pk}/?tab=bounties").content.decode()
    assert ">Bounties</a>" not in page
    assert 'href="?tab=overview" aria-current="page"' in page
