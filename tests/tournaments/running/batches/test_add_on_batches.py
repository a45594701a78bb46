"""Add-ons of large fields: offered and ended in batches of ticks, resumed after deaths."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.models import User
from accounts.users import bots
from config import clock, limits
from tests.tournaments.buying.rebuy_scene import rebuys
from tests.tournaments.cast import law
from tests.tournaments.entries.late_entries import pass_time, users_without_entry
from tests.tournaments.events.announced import event_types
from tests.tournaments.running.batches.batch_cast import WorkerDiedError, times_told
from tournaments.buying import closing, offers
from tournaments.entries import registration
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import Offer, Tournament
from tournaments.running import batches, sales, settlement, tick

PLAYERS = 7


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers, "BATCH", 3)


def _period_over(**fields: object) -> tuple[Tournament, list[User]]:
    """End the re-buy period of seven players; the tick offers the first add-ons."""
    wanted = {"add_on": True, "add_on_price": 700, "add_on_chips": 2_000}
    tournament = rebuys(PLAYERS, **(wanted | fields))
    tick.tick(tournament.pk)
    pass_time(tournament, 15)
    return tournament, bots.create(PLAYERS)


def _counts(state: str) -> int:
    return Offer.objects.filter(kind="add_on", state=state).count()


def _now(tournament: Tournament) -> Tournament:
    tournament.refresh_from_db()
    return tournament


@pytest.mark.rule("E-05")
@pytest.mark.rule("E-07")
def test_add_ons_are_offered_and_ended_in_batches_and_each_player_is_told_once(
    house: Redis,
) -> None:
    tournament, players = _period_over()
    assert _counts("open") == 3, "the first batch comes with the end of the period"
    assert [tick.tick(tournament.pk) for _ in range(2)] == [
        batches.NEXT_MS,
        limits.TOURNAMENT_TICK_MS,
    ]
    assert _counts("open") == PLAYERS and _now(tournament).offering is None
    assert times_told(players, "offer_made") == [1] * PLAYERS
    assert event_types(tournament.member).count("add_on_opened") == 1
    Offer.objects.update(until_ms=1)
    with CaptureQueriesContext(connection) as seen:
        assert tick.tick(tournament.pk) == batches.NEXT_MS
    assert sum('UPDATE "tournaments_offer"' in query["sql"] for query in seen) == 1
    assert _counts("expired") == 3 and _now(tournament).pool is None
    assert [tick.tick(tournament.pk) for _ in range(2)] == [
        batches.NEXT_MS,
        limits.TOURNAMENT_TICK_MS,
    ]
    assert _counts("expired") == PLAYERS and _now(tournament).pool is not None
    assert times_told(players, "offer_ended") == [1] * PLAYERS
    law(tournament.pk)


@pytest.mark.rule("E-07")
def test_the_pool_is_not_fixed_while_add_ons_are_still_to_be_offered(house: Redis) -> None:
    tournament, _ = _period_over()
    for offer in Offer.objects.filter(state="open"):
        sales.answer(offer.entry.user, offer.pk, buy=False)
    assert _counts("declined") == 3 and closing.sells(_now(tournament))
    with tournament_transaction(tournament.pk) as tx:
        settlement.review_prizes(tx)
    assert _now(tournament).pool is None and tournament.offering is not None
    tick.tick(tournament.pk)
    assert _counts("open") == 3


@pytest.mark.rule("E-05")
def test_a_later_batch_has_the_whole_time_of_an_offer(house: Redis) -> None:
    tournament, _ = _period_over()
    now_ms = clock.database_now_ms()
    Tournament.objects.filter(pk=tournament.pk).update(add_on_until_ms=now_ms + 1)
    tick.tick(tournament.pk)
    last = Offer.objects.latest("pk")
    assert last.until_ms >= now_ms + tournament.offer_ms
    assert _now(tournament).add_on_until_ms == last.until_ms, "late entries have it as well"


@pytest.mark.rule("E-05")
def test_an_entry_between_two_batches_gets_one_offer(house: Redis) -> None:
    tournament, _ = _period_over(late_ends="at_level", late_value=9)
    [stranger] = users_without_entry(1)
    came = registration.register(stranger, tournament)
    while tick.tick(tournament.pk) == batches.NEXT_MS:
        pass
    assert Offer.objects.filter(kind="add_on", entry=came).count() == 1
    assert _counts("open") == PLAYERS + 1


@pytest.mark.parametrize("ending", [False, True])
@pytest.mark.parametrize("after", range(2))
def test_a_death_between_two_batches_loses_and_repeats_no_offer(
    house: Redis, after: int, ending: bool
) -> None:
    tournament, players = _period_over()
    if ending:
        while tick.tick(tournament.pk) == batches.NEXT_MS:
            pass
        Offer.objects.update(until_ms=1)
    for _ in range(after):
        tick.tick(tournament.pk)
    had = [_counts(state) for state in ("open", "expired")]
    with pytest.raises(WorkerDiedError):
        _die(tournament, sales.expire if ending else closing.offer_rest)
    assert had == [_counts(state) for state in ("open", "expired")], "nothing of it counts"
    while tick.tick(tournament.pk) == batches.NEXT_MS:
        pass
    assert [_counts("open"), _counts("expired")] == [0, PLAYERS][:: 1 if ending else -1]
    told = "offer_ended" if ending else "offer_made"
    assert times_told(players, told) == [1] * PLAYERS
    law(tournament.pk)


@pytest.mark.rule("E-05")
@pytest.mark.rule("E-07")
def test_hand_for_hand_and_the_end_leave_the_rest_without_an_offer(house: Redis) -> None:
    tournament, _ = _period_over()
    Tournament.objects.filter(pk=tournament.pk).update(hand_for_hand=True)
    tick.tick(tournament.pk)
    assert _counts("open") == 3 and _now(tournament).offering is None
    Tournament.objects.filter(pk=tournament.pk).update(hand_for_hand=False, offering=0)
    with tournament_transaction(tournament.pk) as tx:
        closing.stop(tx)
    assert _now(tournament).offering is None


def _die(tournament: Tournament, batch: Callable[[TournamentTransaction], object]) -> None:
    with tournament_transaction(tournament.pk) as tx:
        batch(tx)
        raise WorkerDiedError
