"""Tables follow from results: days, series, rulings, play that goes on, and the release."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone
from redis import Redis

from accounts.models import User
from config import limits
from tables.models import Hand, Table
from tests.tournaments.cast import Arena, passive, somebody, started
from tests.tournaments.club_scene import club_offer, make_club
from tests.tournaments.seasons.cast import finished, put_places, season
from tournaments.models import Entry, Tournament
from tournaments.running import rulings
from tournaments.seasons.models import Season
from tournaments.seasons.refusals import SeasonTooLarge
from tournaments.seasons.tables import forget_tables, read_table, table_of

pytestmark = pytest.mark.django_db


def points(made: Season) -> dict[str, str]:
    """Name -> points, best first."""
    table = read_table(made)
    return {table.names[row.user]: str(row.points) for row in table.rows}


def test_results_of_the_days_of_a_season_count() -> None:
    today = timezone.now().date()
    made = season()
    finished("Ann", "Ben", "Cid")
    finished("Ben", "Ann", on=today - timedelta(days=30))
    finished("Dan", "Ann", on=today - timedelta(days=31))
    finished("Dan", "Ann", on=today + timedelta(days=31))
    assert points(made) == {"Ben": "4.00", "Ann": "4.00", "Cid": "1.00"}


def test_the_days_are_those_of_the_seasons_zone() -> None:
    made = finished("Ann", "Ben")
    start = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    Tournament.objects.filter(pk=made.pk).update(started_ms=int(start.timestamp() * 1_000))
    march: dict[str, Any] = {
        "first_day": start.date() + timedelta(days=1),
        "last_day": start.date() + timedelta(9),
    }
    assert points(season(**march)) == {}
    assert set(points(season(**march, zone="Europe/Berlin"))) == {"Ann", "Ben"}


def test_only_the_tournaments_of_the_series_and_of_the_room_count() -> None:
    finished("Ann", "Ben", name="Friday")
    finished("Ben", "Ann", name="Monday")
    put_places(club_offer(make_club(), watched_by="everybody", name="Friday"), ("Cid", "Dan"))
    assert points(season(series="Friday")) == {"Ann": "2.00", "Ben": "1.00"}


def test_announced_and_cancelled_tournaments_do_not_count() -> None:
    made = finished("Ann", "Ben")
    Tournament.objects.filter(pk=made.pk).update(state="cancelled")
    assert points(season()) == {}


def test_a_result_that_is_ruled_otherwise_changes_the_table_at_once() -> None:
    first, made = finished("Ann", "Ben", "Cid"), season()
    assert points(made) == {"Ann": "3.00", "Ben": "2.00", "Cid": "1.00"}
    Entry.objects.filter(tournament=first, name="Ann").update(state="disqualified")
    assert points(made) == {"Ben": "2.00", "Cid": "1.00", "Ann": "0.00"}
    Entry.objects.filter(tournament=first, name="Cid").update(place=2)
    assert points(made) == {"Ben": "1.50", "Cid": "1.50", "Ann": "0.00"}


def test_a_deleted_account_has_its_anonymous_name_in_the_table() -> None:
    finished("Ann", "Ben")
    made = season()
    User.objects.filter(name="Ann").update(name="Player-1", name_key="player-1")
    assert points(made) == {"Player-1": "2.00", "Ben": "1.00"}


def test_a_season_with_too_many_entries_is_refused_in_words() -> None:
    made = finished("Ann", "Ben")
    row = season()
    Tournament.objects.filter(pk=made.pk).update(
        entrants=limits.SEASON_ENTRIES_MAX + 1, players_max=limits.SEASON_ENTRIES_MAX + 1, left=1
    )
    with pytest.raises(SeasonTooLarge) as refused:
        read_table(row)
    assert "more than 100000 entries" in str(refused.value)


def test_a_table_is_shared_until_it_is_old_and_follows_a_change_of_terms() -> None:
    finished("Ann", "Ben")
    made = season()
    forget_tables()
    first = table_of(made)
    assert table_of(made) is first
    Season.objects.filter(pk=made.pk).update(formula="7")
    made.refresh_from_db()
    assert table_of(made) is first, "written past the rules"
    made.save()
    assert [str(row.points) for row in table_of(made).rows] == ["7.00", "7.00"]


def test_play_that_goes_on_counts_by_the_places_that_are_certain(house: Redis) -> None:
    made, row = started(3), season()
    arena = Arena(made.pk, seed=3)
    seen: list[dict[str, str]] = []

    def look() -> None:
        table = read_table(row)
        assert table.live == ({made.pk} if Tournament.objects.get().left > 1 else frozenset())
        seen.append({table.names[one.user]: str(one.points) for one in table.rows})

    look()
    arena.run(after=look)
    places = Entry.objects.order_by("place").values_list("name", "place")
    names = {name: place for name, place in places if place is not None}
    assert seen[-1] == {name: f"{4 - place}.00" for name, place in names.items()}
    for before, after in pairwise(seen):
        assert all(before[name] <= after[name] for name in before), "nobody loses points by playing"
    last = min(names, key=lambda name: -names[name])
    assert any(one.get(last) == "1.00" and len(one) == 3 for one in seen[:-1]), "told during play"


def test_no_table_tells_a_result_before_the_hand_is_released(house: Redis) -> None:
    made, row = started(2), season()
    arena = Arena(made.pk, seed=1)
    arena.run()
    assert Tournament.objects.get().state == "finished"
    told = read_table(row)
    assert told.live == frozenset() and [str(one.points) for one in told.rows] == ["2.00", "1.00"]
    table = Table.objects.get(game=made.pk)
    Hand.objects.filter(table=table, number=table.hand).update(
        released_at=timezone.now() + timedelta(seconds=30)
    )
    hidden = read_table(row)
    assert hidden.live == {made.pk}
    assert {str(one.points) for one in hidden.rows} == {"1.00"}, "both may still lose"
    assert all(one.is_live for one in hidden.rows)


def test_a_disqualified_player_of_a_running_tournament_gets_nothing(house: Redis) -> None:
    made, row = started(3), season()
    gone = somebody(made)
    arena = Arena(made.pk)
    arena.choose = passive
    rulings.disqualify(gone.pk, actor=None, reason="chip dumping")
    while Entry.objects.get(pk=gone.pk).state != "disqualified":
        arena.step(arena.tables()[0])
    table = read_table(row)
    by_user = {one.user: one for one in table.rows}
    assert by_user[gone.user_id].points == 0 and by_user[gone.user_id].scores[0].certain
    assert {str(one.points) for user, one in by_user.items() if user != gone.user_id} == {"2.00"}
