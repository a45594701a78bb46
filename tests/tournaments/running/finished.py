"""Assertions on a finished tournament: money, places, seats and tables."""

from __future__ import annotations

from accounts.ledger import transfers
from tables.models import Seat, Table
from tests.tournaments.cast import places_of
from tournaments.models import Tournament
from tournaments.monitor import audit, report
from tournaments.prizes import money


def assert_finished(tournament: Tournament) -> None:
    """Assert a finished tournament: all paid to the cent, every place given once, no seat left."""
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert audit.audit_tournaments(tournament.pk) == []
    assert transfers.balance(money.pool(tournament)) == 0 and transfers.total() == 0
    assert sum(prize for _, prize in places_of(tournament.pk)) == tournament.pool
    assert not Seat.objects.exists()
    assert set(Table.objects.values_list("status", flat=True)) == {"closed"}
    made = report.build(tournament.pk)
    assert made["chips_counted"] == made["chips_sold"] and report.is_right(made)
