"""Tickets in clubs: a club's tournament takes those won in the club, none of the room's (K-06)."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from tests.tournaments.club_scene import club_offer, join, make_club
from tests.tournaments.entries.balances import balance_of, stored_values
from tests.tournaments.prizes.satellite_events import BOTH
from tests.tournaments.prizes.ticket_scene import assert_ledger_right, give_ticket, ticket_debt
from tournaments.engine.refusals import TicketRefused
from tournaments.entries import registration
from tournaments.models import Ticket
from tournaments.prizes import tickets
from tournaments.running import operations

CHEAP: dict[str, Any] = BOTH | {"buy_in": 1, "fee": 0, "surplus_to": "account"}


@pytest.mark.rule("K-06")
@pytest.mark.parametrize("how", ["number", "any"])
def test_a_club_turns_no_ticket_of_the_room_into_money(house: Redis, how: str) -> None:
    club = make_club()
    player = join(club, "Mia")
    ticket = give_ticket(player, value=10_000)
    made = operations.open(club_offer(club, **CHEAP).pk)
    before = stored_values(made), ticket_debt(), balance_of(player)
    assert tickets.fitting(player, made) == []
    with pytest.raises(TicketRefused) as refused:
        registration.register(player, made, ticket=ticket.pk if how == "number" else "any")
    assert refused.value.code == ("other_scope" if how == "number" else "no_fitting_ticket")
    assert (stored_values(made), ticket_debt(), balance_of(player)) == before
    ticket.refresh_from_db()
    assert ticket.state == "valid"
    assert_ledger_right()


@pytest.mark.rule("K-01")
@pytest.mark.parametrize("own", [True, False])
def test_a_ticket_won_in_a_club_pays_there_alone(house: Redis, own: bool) -> None:
    club, other = make_club(), make_club("Otto", "Turn Rats")
    player = join(club, "Mia")
    first = club_offer(club if own else other, **CHEAP)
    ticket = give_ticket(player)
    Ticket.objects.filter(pk=ticket.pk).update(won_in=first)
    made = operations.open(club_offer(club, **CHEAP).pk)
    assert [one.pk for one in tickets.fitting(player, made)] == ([ticket.pk] if own else [])
    if own:
        assert registration.register(player, made, ticket=ticket.pk).ticket_id == ticket.pk
    else:
        with pytest.raises(TicketRefused, match="other tournaments"):
            registration.register(player, made, ticket=ticket.pk)
    assert_ledger_right()
