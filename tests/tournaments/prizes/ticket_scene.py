"""Tickets of players, tournaments that accept them, and their sums in the ledger."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.ledger import transfers
from accounts.models import AccountKind, User
from tests.tournaments.cast import BUY_IN, FEE, open_offer
from tournaments.models import Ticket, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money, tickets

PRICE = BUY_IN + FEE


def give_ticket(owner: User, token: str = "one", **fields: Any) -> Ticket:
    """A valid ticket of a player, worth the usual price."""
    now = timezone.now()
    wanted: dict[str, Any] = {
        "value": PRICE,
        "scope": "main",
        "valid_from": now - timedelta(hours=1),
        "valid_until": now + timedelta(days=1),
        "source": "admin",
    }
    (ticket,) = tickets.issue([owner], token=token, **(wanted | fields))
    return ticket


def ticket_event(**fields: Any) -> Tournament:
    """A tournament with open registration for money and tickets of "main"."""
    return open_offer(**({"methods": "money_and_tickets", "activity": "main"} | fields))


def ticket_debt() -> int:
    """Sum of tickets owed in the ledger, in cents."""
    return transfers.balance(money.tickets())


def bonus_balance(user: User) -> int:
    """Bonus of a player, in cents."""
    return transfers.held_by(user, AccountKind.BONUS)


def assert_ledger_right() -> None:
    """Assert that the ledger sums to zero and owes exactly the valid tickets."""
    assert [*audit.whole_ledger(), *audit.ticket_liability()] == []
