"""One ticket used in two tournaments at one moment pays for exactly one of them."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connection, transaction
from redis import Redis

from accounts.users import bots
from tests.tournaments.prizes.ticket_scene import (
    assert_ledger_right,
    give_ticket,
    ticket_debt,
    ticket_event,
)
from tournaments.engine.refusals import TicketRefused
from tournaments.entries import registration
from tournaments.models import Entry
from tournaments.prizes import tickets

PATIENCE_S = 60


def _wait_for_a_blocked_statement() -> None:
    """Wait until another connection of this database waits for a row lock."""
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        with connection.cursor() as cursor:
            # Within a transaction PostgreSQL caches the view of other sessions until it is cleared.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.02)
    raise AssertionError("no connection waits for the ticket")


@pytest.mark.rule("K-01")
def test_a_ticket_chosen_by_two_concurrent_registrations_pays_once(house: Redis) -> None:
    """The second registration chooses the ticket before the first one has committed."""
    player, other = bots.create(2)
    ticket = give_ticket(player)
    first, second = ticket_event(methods="ticket"), ticket_event(methods="ticket")
    for tournament in (first, second):  # opens the accounts, so that only the ticket is contended
        registration.register(
            other, tournament, ticket=give_ticket(other, f"for {tournament.pk}").pk
        )
    answers: list[object] = []

    def late() -> None:
        try:
            answers.append(registration.register(player, second, ticket=tickets.ANY))
        except TicketRefused as refused:
            answers.append(refused)
        finally:
            connection.close()

    thread = threading.Thread(target=late)
    with transaction.atomic():
        registration.register(player, first, ticket=tickets.ANY)
        thread.start()
        _wait_for_a_blocked_statement()
    thread.join(PATIENCE_S)
    (answer,) = answers
    assert isinstance(answer, TicketRefused)
    assert answer.code == "ticket_gone"
    assert Entry.objects.filter(ticket=ticket).count() == 1
    assert ticket_debt() == 0
    assert_ledger_right()
