"""Tickets as prizes without a target: for any tournament of their activity (K-01, K-06, K-07)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import bots
from tests.tournaments.admin.forms import offer_form
from tests.tournaments.cast import offer, open_offer, structure
from tests.tournaments.entries.balances import balance_of
from tests.tournaments.prizes.satellite_events import play_to_end
from tests.tournaments.prizes.ticket_scene import assert_ledger_right, ticket_debt
from tournaments.engine.refusals import TicketRefused
from tournaments.entries import registration
from tournaments.models import Template, Ticket, Tournament
from tournaments.prizes import tickets
from tournaments.queries import payouts
from tournaments.refusals import BadSpec
from tournaments.running import operations, series

OWN = {"format": "satellite", "ticket_value": 1_000, "ticket_scope": "sunday", "ticket_days": 30}


def played(players: int, **fields: Any) -> Tournament:
    """A finished tournament of bots at 1.00 each that pays with tickets of 10.00."""
    made = open_offer(**({"buy_in": 100, "fee": 0, "players_max": players} | OWN | fields))
    for bot in bots.create(players):
        registration.register(bot, made)
    return play_to_end(operations.start(made.pk))


@pytest.mark.rule("K-07")
@pytest.mark.rule("K-01")
def test_the_example_of_the_source_needs_no_target(house: Redis) -> None:
    sit_and_go = played(35)
    assert sit_and_go.target is None and sit_and_go.prizes == [1_000, 1_000, 1_000, 500]
    assert [row.ticket for row in payouts.payout_rows(sit_and_go)] == [1_000, 0]
    won = list(Ticket.objects.filter(won_in=sit_and_go))
    assert {(one.value, one.scope, one.state, one.exchangeable) for one in won} == {
        (1_000, "sunday", "valid", False)
    }
    assert {one.valid_until - one.valid_from for one in won} == {timedelta(days=30)}
    assert ticket_debt() == 1_000 * len(won) and len(won) in (2, 3)

    wanted = {"methods": "money_and_tickets", "fee": 0, "players_max": 20}
    main = open_offer(buy_in=1_000, activity="sunday", **wanted)
    other = open_offer(buy_in=900, activity="sunday", **wanted)
    foreign = open_offer(buy_in=900, activity="monday", **wanted)
    first, second = won[0].owner, won[1].owner
    before = balance_of(first), balance_of(second)
    with pytest.raises(TicketRefused, match="other tournaments"):
        registration.register(first, foreign, ticket=str(won[0].pk))
    registration.register(first, main, ticket="any")
    registration.register(second, other, ticket="any")
    assert balance_of(first) == before[0], "the ticket pays"
    assert balance_of(second) == before[1] + 100, "its surplus goes to the account (K-03)"
    assert_ledger_right()


@pytest.mark.rule("K-06")
def test_tickets_are_exchanged_for_money_by_setting(house: Redis) -> None:
    ticket = Ticket.objects.filter(won_in=played(20, ticket_exchangeable=True))[0]
    before = balance_of(ticket.owner)
    tickets.exchange(ticket.owner, ticket.pk)
    assert balance_of(ticket.owner) == before + 1_000
    assert_ledger_right()


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("target", {"ticket_value": 0}),
        ("ticket_scope", {"ticket_scope": "  "}),
        ("ticket_value", {"ticket_value": 10**12 + 1}),
        ("ticket_value", {"ticket_value": -5}),
        ("ticket_value", {"format": "freezeout"}),
        ("ticket_days", {"ticket_days": 0}),
        ("ticket_days", {"ticket_days": 3_651}),
    ],
)
@pytest.mark.rule("T-05")
def test_unusable_tickets_are_refused_beside_their_field(
    house: Redis, client: Client, field: str, wrong: dict[str, object]
) -> None:
    with pytest.raises(BadSpec) as refused:
        offer(**(OWN | wrong))
    assert refused.value.field == field
    row = Template(name="Own", structure=structure(), offer=OWN | wrong)
    with pytest.raises(BadSpec) as templated:
        series.validate_template(row)
    assert templated.value.field == field
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    answer = client.post(reverse("admin:tournaments_tournament_add"), offer_form(**(OWN | wrong)))
    assert list(answer.context["adminform"].form.errors) == [field]
    assert not Tournament.objects.exists()


@pytest.mark.rule("K-08")
def test_a_satellite_to_a_tournament_has_no_tickets_of_its_own(house: Redis) -> None:
    main = open_offer(buy_in=1_000, fee=0, methods="money_and_tickets", activity="main")
    with pytest.raises(BadSpec, match="worth its price") as refused:
        offer(**(OWN | {"target": main}))
    assert refused.value.field == "ticket_value"


@pytest.mark.rule("K-07")
def test_pages_state_the_activity_of_the_tickets(house: Redis, client: Client) -> None:
    made = open_offer(buy_in=100, fee=0, **OWN)
    registration.register(bots.create(1)[0], made)
    address = reverse("tournament", args=[made.pk])
    rules = client.get(address, {"tab": "rules"}).content.decode()
    assert "Places win a ticket of 10.00 for sunday" in rules and "valid for 30 days" in rules
    assert "tournaments of sunday" in client.get(address, {"tab": "payouts"}).content.decode()
