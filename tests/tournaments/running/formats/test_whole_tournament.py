"""A tournament from the draw to the last prize, played through the director in one process."""

from __future__ import annotations

import pytest
from redis import Redis

from accounts.ledger import transfers
from tables.models import Seat, Table
from tests.tournaments.cast import BUY_IN, STACK, Arena, chips_of, places_of, started
from tournaments.models import Move, Tournament
from tournaments.prizes import money


@pytest.mark.rule("T-07")
@pytest.mark.rule("Z-04")
@pytest.mark.parametrize(
    ("players", "seats", "seed"), [(2, 2, 1), (6, 6, 2), (10, 4, 3), (23, 6, 4)]
)
def test_every_place_is_given_and_the_pool_is_paid(
    house: Redis, players: int, seats: int, seed: int
) -> None:
    tournament = started(players, seats_per_table=seats)
    arena = Arena(tournament.pk, seed)

    def conserved() -> None:
        assert chips_of(tournament.pk) in (players * STACK, 0)

    arena.run(after=conserved)

    tournament.refresh_from_db()
    assert tournament.state == "finished" and tournament.left == 1
    places = [place for place, _ in places_of(tournament.pk)]
    assert all(place <= at for at, place in enumerate(places, start=1) if place)
    assert len(places) == players and places[0] == 1
    assert sum(prize for _, prize in places_of(tournament.pk)) == players * BUY_IN
    assert transfers.balance(money.pool(tournament)) == 0
    assert transfers.total() == 0
    assert not Seat.objects.exists() and not Move.objects.filter(state="left").exists()
    assert set(Table.objects.values_list("status", flat=True)) == {"closed"}


@pytest.mark.rule("T-08")
def test_tables_stay_balanced_and_end_at_one_final_table(house: Redis) -> None:
    tournament = started(30, seats_per_table=5)
    arena = Arena(tournament.pk, 7)
    arena.run()
    tournament = Tournament.objects.get(pk=tournament.pk)
    assert tournament.final_table
    final = Table.objects.order_by("-number").first()
    assert final is not None and final.hand > 0
    assert 2 <= Move.objects.filter(reason="final").count() <= 5
    assert {kind for _, kind in arena.answers} >= {"grant", "close"}
