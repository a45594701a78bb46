"""Notice of a cancelled tournament: refund in money, as a ticket, both, or none."""

from __future__ import annotations

import msgspec
import pytest
from django.db.models import F
from redis import Redis

from accounts.ledger import transfers
from accounts.models import User
from accounts.users import bots
from tests.tournaments.cast import open_offer
from tests.tournaments.entries.balances import balance_of
from tests.tournaments.prizes.ticket_scene import PRICE, give_ticket, ticket_event
from tournaments.entries import registration
from tournaments.events.notices import TournamentCancelled
from tournaments.models import Announcement, Entry, Tournament
from tournaments.prizes import money
from tournaments.running import operations

REBUY = 950


def cancelled(tournament: Tournament, player: User) -> TournamentCancelled:
    """Cancel the tournament; return the player's notice."""
    operations.cancel(tournament.pk, reason="flood")
    last = Announcement.objects.filter(stream=f"user:{player.pk}").order_by("-seq")[0]
    return msgspec.json.decode(bytes(last.payload), type=TournamentCancelled)


@pytest.mark.rule("T-12")
def test_money_comes_back_as_money(house: Redis) -> None:
    [player] = bots.create(1)
    tournament = open_offer()
    registration.register(player, tournament)
    seen = cancelled(tournament, player)
    assert (seen.refund, seen.ticket, seen.reason) == (PRICE, 0, "flood")


@pytest.mark.rule("T-12")
@pytest.mark.parametrize("bought", [0, REBUY])
def test_a_ticket_comes_back_as_a_ticket_and_later_purchases_as_money(
    house: Redis, bought: int
) -> None:
    [player] = bots.create(1)
    had, ticket, tournament = balance_of(player), give_ticket(player), ticket_event()
    entry = registration.register(player, tournament, ticket=ticket.pk)
    if bought:
        _buy(entry, player, bought)
    seen = cancelled(tournament, player)
    assert (seen.refund, seen.ticket) == (bought, PRICE)
    ticket.refresh_from_db()
    assert (ticket.state, ticket.value, balance_of(player)) == ("valid", PRICE, had)


@pytest.mark.rule("T-12")
def test_nothing_comes_back_from_a_freeroll(house: Redis) -> None:
    [player] = bots.create(1)
    tournament = open_offer(buy_in=0, fee=0)
    registration.register(player, tournament)
    seen = cancelled(tournament, player)
    assert (seen.refund, seen.ticket) == (0, 0)


def _buy(entry: Entry, player: User, cents: int) -> None:
    """Buy chips with money for an entry that was paid with a ticket."""
    transfers.move(
        key=f"rebuy:{entry.pk}",
        kind="rebuy",
        source=money.player(player),
        target=money.pool(entry.tournament),
        amount=cents,
    )
    Entry.objects.filter(pk=entry.pk).update(paid_buy_in=F("paid_buy_in") + cents)
