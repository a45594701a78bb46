"""A free tournament accepts no tickets; an older ticket entry in one blocks no other step."""

from __future__ import annotations

import pytest
from redis import Redis

from accounts.users import bots
from tests.tournaments.entries.balances import balance_of, stored_values
from tests.tournaments.prizes.ticket_scene import (
    PRICE,
    assert_ledger_right,
    give_ticket,
    ticket_debt,
    ticket_event,
)
from tournaments.engine.refusals import TicketRefused
from tournaments.entries import registration
from tournaments.models import Entry, Ticket, Tournament
from tournaments.prizes import tickets
from tournaments.running import operations


def _free(methods: str) -> Tournament:
    """A free tournament that accepts tickets, which offers no longer allow."""
    tournament = ticket_event()
    Tournament.objects.filter(pk=tournament.pk).update(buy_in=0, fee=0, methods=methods)
    return Tournament.objects.get(pk=tournament.pk)


@pytest.mark.rule("K-06")
@pytest.mark.rule("T-10")
@pytest.mark.parametrize("methods", ["ticket", "money_and_tickets"])
def test_a_free_tournament_turns_no_ticket_into_money(house: Redis, methods: str) -> None:
    player = bots.create(1)[0]
    ticket, tournament = give_ticket(player, value=10_000), _free(methods)
    before = stored_values(tournament), ticket_debt(), balance_of(player)
    with pytest.raises(TicketRefused) as refused:
        registration.register(player, tournament, ticket=ticket.pk)
    assert refused.value.code == "no_price"
    assert (stored_values(tournament), ticket_debt(), balance_of(player)) == before
    ticket.refresh_from_db()
    assert ticket.state == "valid"
    assert_ledger_right()


@pytest.mark.rule("T-06")
@pytest.mark.rule("T-12")
@pytest.mark.parametrize("how", ["unregister", "cancel"])
def test_a_ticket_that_paid_nothing_blocks_no_cancellation(house: Redis, how: str) -> None:
    player = bots.create(1)[0]
    tournament = _free("money_and_tickets")
    entry = registration.register(player, tournament)
    # Its value was credited on registration: nothing is left to return.
    spent = give_ticket(player)
    tickets.withdraw([spent.pk])
    Ticket.objects.filter(pk=spent.pk).update(state="used")
    Entry.objects.filter(pk=entry.pk).update(ticket=spent)
    if how == "cancel":
        operations.cancel(tournament.pk, reason="no")
    else:
        registration.unregister(player, tournament)
    spent.refresh_from_db()
    assert (spent.state, spent.value) == ("used", PRICE)
    assert not Entry.objects.filter(state__in=Entry.LIVE).exists() and ticket_debt() == 0
    assert_ledger_right()
