"""Prizes other than money on the tournament page, for everybody and for their winners."""

from __future__ import annotations

import pytest
from django.test import Client
from redis import Redis

from tests.tournaments.cast import Arena, open_offer, started
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

PRIZES = {"special_prize": "A <b>watch</b>", "second_prize": "A cap", "second_prize_places": 3}
WATCH = "A &lt;b&gt;watch&lt;/b&gt;"


@pytest.fixture(autouse=True)
def servers(room: Redis, broker: Redis) -> None:
    """Redis for the bells that play rings."""


def page(client: Client, tournament: Tournament, tab: str) -> str:
    """A tab of the tournament page for the client's user."""
    return client.get(f"/tournaments/{tournament.pk}/?tab={tab}").content.decode()


@pytest.mark.rule("Z-03")
def test_named_prizes_are_listed_beside_the_payouts(client: Client) -> None:
    shown = page(client, open_offer(buy_in=0, fee=0, **PRIZES), "payouts")
    assert f"<td>1</td><td>{WATCH}</td>" in shown
    assert "<td>1–3</td><td>A cap</td>" in shown
    assert "There is nothing to win" not in shown
    assert "Prizes that are no money" in shown
    assert "Prizes that are no money" not in page(client, open_offer(), "payouts")


@pytest.mark.rule("Z-03")
def test_a_winner_sees_the_named_prize_on_the_page(client: Client) -> None:
    tournament = started(5, **PRIZES)
    Arena(tournament.pk).run()
    for entry in tournament.entries.all():
        assert entry.place is not None
        won = [WATCH] * (entry.place == 1) + ["A cap"] * (entry.place <= 3)
        client.force_login(entry.user)
        overview = page(client, tournament, "overview")
        assert [prize for prize in (WATCH, "A cap") if f"You also win: {prize}." in overview] == won
        assert page(client, tournament, "payouts").count('<tr class="own">') == len(won)


@pytest.mark.rule("Z-03")
def test_no_named_prize_is_won_before_the_end(client: Client) -> None:
    tournament = started(3, **PRIZES)
    entry = tournament.entries.all()[0]
    Entry.objects.filter(pk=entry.pk).update(place=3, state="out")
    client.force_login(entry.user)
    assert "You also win" not in page(client, tournament, "overview")
    assert 'class="own"' not in page(client, tournament, "payouts")
