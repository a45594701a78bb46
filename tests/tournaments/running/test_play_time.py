"""Limited play time: hands in play finish, then remaining players are placed by chips."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.refusals import words_of
from config.refusals import Refusal
from tests.tournaments.buying.rebuy_scene import bust, rebuys
from tests.tournaments.cast import BUY_IN, Arena, offer, passive, places_of, started
from tests.tournaments.events.announced import tournament_event_types
from tests.tournaments.running.earlier_start import PLAY_MS, time_passes
from tests.tournaments.running.finished import assert_finished
from tournaments.engine.formats import proportional
from tournaments.models import Entry, Offer, Tournament
from tournaments.running import tick


def limited(players: int = 9, **fields: object) -> Tournament:
    """A running tournament of three tables with an hour to play."""
    return started(players, **({"seats_per_table": 3, "play_time_ms": PLAY_MS} | fields))


@pytest.mark.rule("T-11")
def test_hands_in_play_finish_and_chips_decide(house: Redis) -> None:
    tournament = limited()
    arena = Arena(tournament.pk, 3)
    arena.choose = passive
    first, second, third = arena.tables()
    assert arena.step(first) == "grant" and arena.step(second) == "grant"
    arena.step(first)
    time_passes(tournament, PLAY_MS)
    assert tournament.time_over and tournament.state == "running"
    assert arena.step(third) == "time_up", "no new hand"
    assert arena.step(first) == "settled" and arena.step(first) == "time_up"
    assert arena.step(second) == "hand" and arena.step(second) == "settled"
    tournament.refresh_from_db()
    assert tournament.state == "running", "the tournament ends when the tables ask"
    stacks = dict(seat_chips(tournament))
    assert arena.step(second) == "close"
    assert_finished(tournament)
    assert tournament_event_types(tournament)[-2:] == ["time_up", "finished"]
    assert tournament.left == 9 and len(places_of(tournament.pk)) == 9
    ranked = list(Entry.objects.order_by("place").values_list("pk", flat=True))
    assert [stacks[entry] for entry in ranked] == sorted(stacks.values(), reverse=True)
    assert {arena.step(table) for table in arena.tables()} == {"close"}


@pytest.mark.rule("T-11")
def test_the_last_offer_and_the_play_time_may_end_in_one_tick(house: Redis) -> None:
    tournament = rebuys(2, play_time_ms=PLAY_MS, time_up="proportional")
    bust(tournament)
    tournament.refresh_from_db()
    assert tournament.state == "running", "the offer may still bring chips"
    Offer.objects.filter(state="open").update(until_ms=1)
    time_passes(tournament, PLAY_MS)
    assert tournament.state == "finished"
    assert [place for place, _ in places_of(tournament.pk)] == [1, 2]


@pytest.mark.rule("Z-04")
def test_a_tick_locks_all_money_before_any_stream(house: Redis) -> None:
    tournament = rebuys(2, play_time_ms=PLAY_MS, time_up="proportional")
    bust(tournament)
    Offer.objects.filter(state="open").update(until_ms=1)
    with CaptureQueriesContext(connection) as seen:
        time_passes(tournament, PLAY_MS)
    assert tournament.state == "finished"
    statements = [query["sql"] for query in seen]
    money = [
        number
        for number, sql in enumerate(statements)
        if "FROM accounts_account" in sql and "FOR NO KEY UPDATE" in sql
    ]
    heads = [
        number
        for number, sql in enumerate(statements)
        if "INSERT INTO tournaments_streamhead" in sql
    ]
    assert len(money) == len(heads) == 1, "one booking and one write in a tick"
    assert money < heads, "accounts precede the heads of streams"
    streams = [statements[heads[0]].index(name) for name in (tournament.member, "user:", "lobby")]
    assert streams == sorted(streams), "the head that all tournaments share is locked last"


def seat_chips(tournament: Tournament) -> list[tuple[int, int]]:
    """Entry and chips of every seat."""
    from tables.models import Seat

    return list(Seat.objects.filter(table__game=tournament.pk).values_list("entry", "chips"))


@pytest.mark.rule("T-11")
@pytest.mark.parametrize("paid", ["table", "proportional"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_pool_is_paid_by_the_table_or_by_chips(house: Redis, paid: str, seed: int) -> None:
    tournament = limited(12, time_up=paid)
    arena = Arena(tournament.pk, seed)
    for _ in range(40):
        arena.step(arena.chance.choice(arena.tables()))
    table_prizes = Tournament.objects.get(pk=tournament.pk).prizes
    time_passes(tournament, PLAY_MS)
    if tournament.state == "running":
        for table in arena.tables():
            while arena.step(table) in ("grant", "hand", "settled"):
                pass
    arena.run()
    assert_finished(tournament)
    won = [prize for _, prize in places_of(tournament.pk)]
    if paid == "table":
        shared = len({place for place, _ in places_of(tournament.pk)}) < 12
        assert shared or [prize for prize in won if prize] == [p for p in table_prizes if p]
    else:
        assert all(won[: tournament.left]), "every remaining player has a share"


@pytest.mark.rule("T-11")
def test_play_time_that_ends_between_hands_ends_the_tournament_at_once(house: Redis) -> None:
    tournament = limited(time_up="proportional")
    time_passes(tournament, PLAY_MS)
    assert_finished(tournament)
    assert sorted(prize for _, prize in places_of(tournament.pk)) == sorted(
        proportional(9 * BUY_IN, [1] * 9)
    )
    assert {place for place, _ in places_of(tournament.pk)} == {1}


@pytest.mark.rule("T-11")
def test_a_stopped_clock_takes_no_play_time(house: Redis) -> None:
    from tournaments.running import operations

    tournament = limited()
    operations.pause(tournament.pk, reason="lunch")
    Tournament.objects.filter(pk=tournament.pk).update(
        started_ms=F("started_ms") - PLAY_MS, stopped_since_ms=F("started_ms") - PLAY_MS
    )
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "paused" and not tournament.time_over


@pytest.mark.rule("T-11")
@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("bad_offer", {"play_time_ms": -1}),
        ("bad_offer", {"play_time_ms": 10**15}),
        ("bad_offer", {"play_time_ms": PLAY_MS, "time_up": "later"}),
        ("no_time_limit", {"play_time_ms": PLAY_MS, "format": "fifty_fifty", "players_min": 6}),
        ("no_time_limit", {"play_time_ms": PLAY_MS, "format": "shootout", "players_min": 6}),
    ],
)
def test_an_invalid_play_time_is_refused(
    house: Redis, code: str, fields: dict[str, object]
) -> None:
    with pytest.raises(Refusal) as refused:
        offer(**fields)
    assert refused.value.code == code and words_of(refused.value)
    assert not Tournament.objects.exists()
