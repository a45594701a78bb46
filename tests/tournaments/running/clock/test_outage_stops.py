"""Stops of the clock and ends of sales between an outage and the tick that charges it (T-13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from redis import Redis

from config import clock
from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import bust, open_rebuy_offer, rebuys
from tests.tournaments.cast import started
from tests.tournaments.entries.late_entries import late, users_without_entry
from tests.tournaments.running.earlier_start import MINUTE_MS, outage_passes
from tests.tournaments.running.final_table import FinalTable
from tournaments.engine import levels
from tournaments.entries import registration
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Tournament
from tournaments.running import deals, opening, operations, rulings, settlement, tick
from tournaments.seating import hand_for_hand

OUTAGE_MS = 30 * MINUTE_MS
SOON_MS = 2 * MINUTE_MS
"""Longest time that a test may take on a slow machine."""

pytestmark = pytest.mark.rule("T-13")


def _elapsed_ms(tournament: Tournament) -> int:
    tournament.refresh_from_db()
    return levels.elapsed_ms(tournament.clock(), clock.database_now_ms())


def _pause(tournament: Tournament) -> None:
    operations.pause(tournament.pk)
    tick.tick(tournament.pk)
    operations.resume(tournament.pk)


def _hand_for_hand(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(bubble_final=5)
    with tournament_transaction(tournament.pk) as tx:
        hand_for_hand.review_hand_for_hand(tx)
        assert tx.tournament.hand_for_hand


@pytest.mark.parametrize("stop", [_pause, _hand_for_hand])
def test_a_stop_of_the_clock_after_an_outage_begins_with_it(
    house: Redis, stop: Callable[[Tournament], None]
) -> None:
    tournament = started(6, seats_per_table=3)
    tick.tick(tournament.pk)
    outage_passes(tournament, OUTAGE_MS)
    stop(tournament)
    tick.tick(tournament.pk)
    assert 0 < _elapsed_ms(tournament) < SOON_MS
    assert tournament.told_index == 0, "no level passed unplayed"


@pytest.mark.parametrize("ends", ["opened", "its proposer is gone"])
def test_a_deal_after_an_outage_takes_no_time_off_the_clock(house: Redis, ends: str) -> None:
    final = FinalTable()
    tournament = final.tournament
    tick.tick(tournament.pk)
    deal = deals.propose(final.users[0], tournament.pk, "icm")
    if ends != "opened":
        rulings.disqualify(deal.proposed_by_id, actor=None, reason="why")
    outage_passes(tournament, OUTAGE_MS)
    if ends == "opened":
        deals.vote(final.users[1], tournament.pk, final.vote_of(deal).pk, yes=False)
    for _ in range(3):
        final.arena.step(final.table)
    deal.refresh_from_db()
    assert deal.state == "refused"
    tick.tick(tournament.pk)
    assert 0 < _elapsed_ms(tournament) < SOON_MS


def test_late_registration_by_time_outlasts_an_outage(house: Redis) -> None:
    tournament = late(4, late_ends="at_time", late_value=10 * MINUTE_MS)
    tick.tick(tournament.pk)
    outage_passes(tournament, OUTAGE_MS)
    with tournament_transaction(tournament.pk) as tx:
        settlement.review_prizes(tx)
    [player] = users_without_entry(1)
    assert registration.register(player, tournament.pk).state == "seated"
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.entries_open


def test_offers_keep_their_time_in_an_outage_that_a_resumed_pause_ends(house: Redis) -> None:
    tournament = rebuys(4, offer_ms=SOON_MS)
    _arena, entry = bust(tournament)
    tick.tick(tournament.pk)
    outage_passes(tournament, OUTAGE_MS)
    operations.pause(tournament.pk)
    operations.resume(tournament.pk)
    tick.tick(tournament.pk)
    left_ms = open_rebuy_offer(entry).until_ms - clock.database_now_ms()
    assert 0 < left_ms <= SOON_MS
    tournament.refresh_from_db()
    assert tournament.told_index == 0


def test_a_round_of_a_shootout_after_an_outage_begins_with_its_first_level(house: Redis) -> None:
    tournament = started(4, format="shootout", players_min=4, seats_per_table=2)
    tick.tick(tournament.pk)
    outage_passes(tournament, OUTAGE_MS)
    for table in Seat.objects.values_list("table", flat=True).distinct():
        lowest = Seat.objects.filter(table=table).order_by("pk")[0]
        lowest.delete()
    Tournament.objects.filter(pk=tournament.pk).update(left=2)
    with tournament_transaction(tournament.pk) as tx:
        assert opening.next_round(tx)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    now_ms = clock.database_now_ms()
    ran_ms = now_ms - (tournament.started_ms or 0) - tournament.stopped_ms
    assert 0 <= ran_ms < SOON_MS, "its first level is as long as ever"
