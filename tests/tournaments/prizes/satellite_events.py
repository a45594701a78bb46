"""Satellites, their target tournaments, and assertions on a finished satellite."""

from __future__ import annotations

from typing import Any

from accounts.ledger import transfers
from accounts.users import bots
from tests.tournaments.cast import Arena, open_offer
from tests.tournaments.prizes.ticket_scene import assert_ledger_right
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.monitor import audit
from tournaments.prizes import money
from tournaments.running import operations

BOTH = {"methods": "money_and_tickets", "activity": "main"}


def target(price: int = 1_000, **fields: Any) -> Tournament:
    """A tournament that accepts tickets."""
    return open_offer(**({"buy_in": price, "fee": 0, "players_max": 20} | BOTH | fields))


def satellite(to: Tournament, players: int, **fields: Any) -> Tournament:
    """A running satellite of bots at 1.00 each."""
    made = _satellite(to, players, **fields)
    for bot in bots.create(players):
        registration.register(bot, made)
    return operations.start(made.pk)


def _satellite(to: Tournament, players: int, **fields: Any) -> Tournament:
    wanted = {"format": "satellite", "target": to, "buy_in": 100, "fee": 0, "players_max": players}
    return open_offer(**(wanted | fields))


def play_to_end(tournament: Tournament, seed: int = 1) -> Tournament:
    """Play a tournament to its end; assert that money and tickets are right afterwards."""
    Arena(tournament.pk, seed).run()
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert audit.audit_tournaments(tournament.pk) == []
    assert transfers.balance(money.pool(tournament)) == 0
    assert_ledger_right()
    return tournament
