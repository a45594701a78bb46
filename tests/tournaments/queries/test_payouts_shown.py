"""The payout tab shows paid prizes, the bubble and the next prize."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.users import bots
from tests.tournaments.cast import Arena, open_offer, started
from tests.tournaments.prizes.satellite_events import satellite, target
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.queries import payouts
from tournaments.running import operations

pytestmark = pytest.mark.rule("Z-02")

PRIZES = [500, 300, 100, 100]


def field(left: int, prizes: list[int] = PRIZES, **fields: object) -> Tournament:
    """A running tournament of ten with these prizes, `left` of them in play."""
    tournament = started(10, seats_per_table=5, **fields)
    tournament.prizes, tournament.pool, tournament.left = prizes, sum(prizes), left
    tournament.save()
    gone = tournament.entries.order_by("pk")[: 10 - left]
    for place, entry in zip(range(10, left, -1), gone, strict=True):
        entry.state, entry.place = "out", place
        entry.save()
    return tournament


def words(client: Client, tournament: Tournament) -> str:
    """Text of the tab without markup."""
    page = client.get(f"/tournaments/{tournament.pk}/?tab=payouts").content.decode()
    panel = page[page.index('id="tab-panel"') : page.index("</main>")]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", panel))


def test_before_the_money_the_bubble_and_the_lowest_prize_are_shown(
    house: Redis, client: Client
) -> None:
    tournament = field(7)
    now = payouts.payouts(tournament).prospect
    assert now is not None
    assert (now.left, now.entrants, now.aim, now.to_go) == (7, 10, 4, 3)
    assert (now.next_prize, now.jump_left, now.jump_prize, now.jump_more) == (0, 4, 100, 100)
    said = words(client, tournament)
    assert "Players left 7 of 10" in said and "Next one out wins nothing" in said
    assert "Next jump 1.00 +1.00 once 4 are left" in said
    assert "3–4 1.00 10.00 % Bubble: 3 places to the money" in said
    assert "paid" not in said.replace("places are paid", "")


def test_in_the_money_paid_prizes_and_the_next_jump_are_shown(house: Redis, client: Client) -> None:
    tournament = field(3)
    shown = payouts.payouts(tournament)
    assert [(row.given, row.is_next) for row in shown.rows] == [(0, False), (0, False), (1, True)]
    now = shown.prospect
    assert now is not None and now.to_go == 0
    assert (now.next_prize, now.jump_left, now.jump_more) == (100, 2, 200)
    said = words(client, tournament)
    assert "Players left 3 of 10 · all in the money" in said and "Bubble" not in said
    assert "3–4 next one out 1 of 2 paid 1.00" in said
    tournament = field(2, name="heads up")
    said = words(client, tournament)
    assert "Next jump 5.00 +2.00 for the winner" in said
    assert "2 next one out 3.00" in said and "3–4 paid 1.00" in said


def test_a_place_is_paid_only_once_it_is_given(house: Redis) -> None:
    tournament = field(3)
    tournament.entries.filter(place=4).update(place=None)  # the round of the bust is still in play
    rows = payouts.payouts(tournament).rows
    assert [(row.given, row.is_next) for row in rows] == [(0, False), (0, False), (0, True)]


def test_before_the_start_and_after_the_end_no_next_prize_is_shown(
    house: Redis, client: Client
) -> None:
    tournament = open_offer(players_max=4)
    for bot in bots.create(4):
        registration.register(bot, tournament)
    said = words(client, tournament)
    assert "An estimate for the players registered so far" in said
    assert "Next one out" not in said and "Bubble" not in said
    Arena(operations.start(tournament.pk).pk, seed=2).run()
    said = words(client, tournament)
    assert "The pool of 40.00 is shared like this." in said
    assert "Next one out" not in said and "Bubble" not in said and "paid" not in said


def test_of_a_cancelled_tournament_only_paid_prizes_are_marked(
    house: Redis, client: Client
) -> None:
    tournament = field(3)
    Tournament.objects.filter(pk=tournament.pk).update(state="cancelled", left=0)
    said = words(client, tournament)
    assert "only prizes marked as paid were won" in said and "is shared like this" not in said
    assert "3–4 1 of 2 paid 1.00" in said and "next one out" not in said


def test_while_chips_are_sold_no_place_is_certain(house: Redis, client: Client) -> None:
    hour = timezone.now() + timedelta(hours=1)
    selling = {"late_ends": "at_level", "late_value": 2}
    tournament = started(4, start="scheduled", starts_at=hour, players_max=9, **selling)
    assert tournament.pool is None
    said = words(client, tournament)
    assert "An estimate for the players there are now" in said
    assert "Players left 4 of 4" in said and "next one out" not in said


@pytest.mark.rule("K-07")
def test_a_satellite_counts_down_to_its_tickets(house: Redis, client: Client) -> None:
    tournament = satellite(target(), 35)
    said = words(client, tournament)
    assert "1–3 10.00 ticket 28.57 % Bubble: 32 places to the tickets" in said
    Tournament.objects.filter(pk=tournament.pk).update(left=4)
    tournament.refresh_from_db()
    now = payouts.payouts(tournament).prospect
    assert now is not None
    assert (now.aim, now.to_go, now.next_prize, now.jump_left, now.jump_more) == (3, 1, 500, 3, 500)


@pytest.mark.rule("F-07")
@pytest.mark.rule("F-05")
def test_formats_with_prizes_of_their_own_have_their_bubble(house: Redis, client: Client) -> None:
    half = started(4, format="fifty_fifty", players_min=4, seats_per_table=4)
    now = payouts.payouts(half).prospect
    assert now is not None and (now.aim, now.to_go, now.jump_left) == (2, 2, 2)
    assert "Bubble: 2 places to the money" in words(client, half)
    spin = started(3, format="spin", players_min=3, seats_per_table=3)
    now = payouts.payouts(spin).prospect
    assert now is not None and now.jump_left == now.aim == sum(1 for one in spin.prizes if one)


@pytest.mark.rule("A-04")
def test_chips_with_cash_value_have_no_places_to_play_for(house: Redis, client: Client) -> None:
    alone = {"payout_preset": "winner_takes_all", "starting_stack": 1_000}
    tournament = field(5, prizes=[1_000], cash_value=True, **alone)
    assert payouts.payouts(tournament).prospect is None
    assert "who leaves is paid the own stack" in words(client, tournament)
