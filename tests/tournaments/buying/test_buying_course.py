"""Whole tournaments with random purchases and processes that die between two steps."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from redis import Redis

from accounts.ledger import transfers
from tests.tournaments.buying.rebuy_terms import ADD_ON, REBUYS
from tests.tournaments.cast import Arena, Buyers, law, places_of
from tests.tournaments.entries.late_entries import late
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, KnockOut, Offer, Tournament
from tournaments.prizes import money

REENTRY: dict[str, Any] = {"entries_max": 3}


DIES_EVERY = 12


class Died(Exception):
    """End of a process between two steps of a transaction."""


@pytest.mark.journey
@pytest.mark.rule("E-02")
@pytest.mark.rule("E-04")
@pytest.mark.rule("E-05")
@pytest.mark.rule("E-06")
@pytest.mark.rule("E-07")
@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (1, REENTRY),
        (2, REBUYS),
        (3, REBUYS | ADD_ON),
        (4, REENTRY | REBUYS | ADD_ON | {"late_ends": "at_level", "late_value": 1}),
        (5, REENTRY | {"late_ends": "at_left", "late_value": 5, "bubble_final": 2}),
    ],
)
def test_random_purchases_keep_chips_places_and_money_right(
    house: Redis, monkeypatch: pytest.MonkeyPatch, seed: int, options: dict[str, Any]
) -> None:
    tournament = late(9, seats_per_table=4, guarantee=20_000, **options)
    arena, buyers = Arena(tournament.pk, seed), Buyers(tournament.pk, seed)
    steps = Counter[str]()
    real = TournamentTransaction.write

    def dies_at_times(tx: TournamentTransaction) -> None:
        real(tx)
        steps["written"] += 1
        if steps["written"] % DIES_EVERY == 0:
            raise Died

    monkeypatch.setattr(TournamentTransaction, "write", dies_at_times)
    for step in range(20_000):
        tables = arena.tables()
        if not tables:
            break
        try:
            arena.step(arena.chance.choice(tables))
            buyers.act()
        except Died:
            continue
        if step % 10 == 0:
            law(tournament.pk)
        if step == 150:
            _end_the_period(tournament)
    law(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "finished" and steps["written"] > DIES_EVERY
    played = Entry.objects.filter(tournament=tournament, state__in=Entry.PLAYED)
    assert tournament.entrants == played.count() == len(places_of(tournament.pk))
    sold = Offer.objects.filter(state="done").exclude(kind="reentry")
    contributed = tournament.buy_in * tournament.entrants + sum(offer.price for offer in sold)
    assert tournament.pool == max(20_000, contributed)
    assert sum(prize for _, prize in places_of(tournament.pk)) == tournament.pool
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.total()
    assert not Offer.objects.filter(state__in=("open", "accepted")).exists()
    assert KnockOut.objects.filter(placed=True).count() == tournament.entrants - 1
    assert Offer.objects.exists(), "some offer was made"


def _end_the_period(tournament: Tournament) -> None:
    """End the level of the last purchases."""
    row = Tournament.objects.get(pk=tournament.pk)
    row.started_ms = (row.started_ms or 0) - 31 * 60_000
    row.save(update_fields=["started_ms"])
