"""A late request of a frozen worker to the director changes nothing."""

from __future__ import annotations

from redis import Redis

from tables.dealer.grants import Wait
from tables.models import Table
from tests.tournaments.cast import Arena, law, started
from tournaments.running.director import TournamentDirector


def test_a_request_for_a_hand_settled_meanwhile_waits(house: Redis) -> None:
    tournament = started(4)
    arena = Arena(tournament.pk)
    [table] = arena.tables()
    assert arena.step(table) == "grant"
    while arena.step(table) != "settled":
        pass
    before = Table.objects.get(pk=table)
    assert before.hand == 1
    assert isinstance(TournamentDirector().next(table, 1), Wait)
    after = Table.objects.get(pk=table)
    assert (after.hand, after.granted_hand, after.grant) == (1, before.granted_hand, before.grant)
    law(tournament.pk)
