"""Offers of a whole field after an outage: the time each of them gets back, in one statement."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from tests.tournaments.buying.rebuy_scene import rebuys
from tests.tournaments.entries.late_entries import pass_time
from tests.tournaments.events.announced import events_of_type
from tournaments.buying import offers
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Offer, Tournament
from tournaments.running import tick

PLAYERS = 7
OUTAGE_MS = 60_000


def _offered() -> tuple[Tournament, list[Offer], int]:
    """Offer the add-on to all, with a minute left of each; return the offers and the time."""
    tournament = rebuys(PLAYERS, add_on=True, add_on_price=700, add_on_fee=30, add_on_chips=2_000)
    tick.tick(tournament.pk)
    pass_time(tournament, 15)
    since_ms = 1_000 * int(datetime(2026, 5, 1, tzinfo=UTC).timestamp())
    made_at = datetime.fromtimestamp(since_ms / 1_000 - 5, tz=UTC)
    Offer.objects.update(made_at=made_at, until_ms=since_ms + 60_000)
    Tournament.objects.filter(pk=tournament.pk).update(add_on_until_ms=since_ms + 60_000)
    return tournament, list(Offer.objects.order_by("pk")), since_ms


def _prolong(tournament: Tournament, since_ms: int) -> dict[int, int]:
    """Prolong the offers after an outage; return by how much each of them, in ms."""
    before = dict(Offer.objects.values_list("pk", "until_ms"))
    with tournament_transaction(tournament.pk) as tx:
        offers.prolong(tx, since_ms, since_ms + OUTAGE_MS)
    return {pk: ms - before[pk] for pk, ms in Offer.objects.values_list("pk", "until_ms")}


@pytest.mark.rule("T-13")
def test_each_open_offer_gets_the_time_back_that_it_had_in_the_outage(house: Redis) -> None:
    tournament, made, since_ms = _offered()
    over, declined, during, after, *whole = (offer.pk for offer in made)
    Offer.objects.filter(pk=over).update(until_ms=since_ms)
    Offer.objects.filter(pk=declined).update(state=Offer.State.DECLINED)
    for pk, ms in ((during, 20_000.7), (after, OUTAGE_MS + 5)):
        made_at = datetime.fromtimestamp((since_ms + ms) / 1_000, tz=UTC)
        Offer.objects.filter(pk=pk).update(made_at=made_at)
    assert _prolong(tournament, since_ms) == {
        over: 0,
        declined: 0,
        during: 40_000,
        after: 0,
        **dict.fromkeys(whole, OUTAGE_MS),
    }
    tournament.refresh_from_db()
    assert tournament.add_on_until_ms == since_ms + 60_000 + OUTAGE_MS


def test_players_are_told_the_new_end_of_their_open_offers_alone(house: Redis) -> None:
    tournament, [over, *others], since_ms = _offered()
    Offer.objects.filter(pk=over.pk).update(until_ms=since_ms)
    _prolong(tournament, since_ms)
    assert len(events_of_type(f"user:{over.entry.user_id}", "offer_made")) == 1
    for offer in others:
        offer.refresh_from_db()
        _, again = events_of_type(f"user:{offer.entry.user_id}", "offer_made")
        assert again == msgspec.json.encode(offers.told(offer))


def test_offers_of_another_tournament_keep_their_ends(house: Redis) -> None:
    tournament, _, since_ms = _offered()
    other = rebuys(2)
    assert set(_prolong(other, since_ms).values()) == {0}
    assert set(_prolong(tournament, since_ms).values()) == {OUTAGE_MS}


def test_a_field_of_any_size_is_prolonged_in_one_statement(house: Redis) -> None:
    tournament, _, since_ms = _offered()
    with CaptureQueriesContext(connection) as seen:
        _prolong(tournament, since_ms)
    statements = [query["sql"] for query in seen if "tournaments_offer" in query["sql"]]
    assert len(statements) == 1 + 2, "two are those with which the test compares"
