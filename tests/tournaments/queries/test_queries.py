"""Queries of pages and streams: right numbers, few statements."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import msgspec
import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis

from accounts.users import bots
from tables.gateway.streams.known_kinds import NoSuchStream, kind_of
from tables.models import Seat, Table
from tests.tables.playing import sit_down
from tests.tournaments.cast import STACK, Arena, offer, open_offer, started
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.pages import tabs
from tournaments.queries import levels, lobby_rows, overview, payouts, players
from tournaments.queries import mine as queries_mine
from tournaments.queries.scene import scene
from tournaments.running import operations, tick


def counted(call: object) -> int:
    """Number of queries of a call."""
    with CaptureQueriesContext(connection) as seen:
        call()  # type: ignore[operator]
    return len(seen)


def test_the_lobby_lists_upcoming_running_and_finished_tournaments(house: Redis) -> None:
    announced = offer(name="Announced")
    later = open_offer(
        name="Later", start="scheduled", starts_at=timezone.now() + timedelta(hours=2)
    )
    running = started(4, name="Running")
    over = operations.cancel(open_offer(name="Over").pk)
    old = operations.cancel(open_offer(name="Old").pk)
    Tournament.objects.filter(pk=old.pk).update(finished_at=timezone.now() - timedelta(days=3))
    rows = {row.tournament: row for row in overview.lobby()}
    assert set(rows) == {announced.pk, later.pk, running.pk, over.pk}
    assert rows[announced.pk].shown == "announced" and rows[over.pk].shown == "cancelled"
    assert rows[running.pk].shown == "running" and rows[running.pk].level == 1
    assert rows[running.pk].pool == 4_000 and rows[running.pk].left == 4
    assert rows[later.pk].starts_at_ms is not None and rows[later.pk].level == 0


def test_the_lobby_costs_the_same_with_more_tournaments(house: Redis) -> None:
    open_offer()
    few = counted(overview.lobby)
    for bot in bots.create(2):
        registration.register(bot, open_offer())
    assert counted(overview.lobby) == few


def test_players_are_ranked_by_chips_and_then_by_place(house: Redis) -> None:
    tournament = started(12, seats_per_table=4)
    arena = Arena(tournament.pk, seed=6)
    while Seat.objects.count() > 7:
        arena.step(arena.chance.choice(arena.tables()))
    rows = players.players(Tournament.objects.get(pk=tournament.pk))
    assert len(rows) == 12
    playing = [row for row in rows if row.rank is not None]
    chips = [row.chips for row in playing]
    assert chips == sorted(chips, reverse=True) and sum(chips) == 12 * STACK
    assert playing[0].rank == 1 and all(row.table and row.seat for row in playing)
    out = [row.place for row in rows if row.rank is None]
    assert out == sorted(out, key=lambda place: place or 0) and all(out)


@pytest.mark.parametrize("ask", [players.players, overview.tables, overview.overview])
def test_pages_cost_the_same_whatever_the_field(
    house: Redis, ask: Callable[[Tournament], object]
) -> None:
    small, large = started(4, seats_per_table=2), started(20, seats_per_table=2)
    assert counted(lambda: ask(small)) == counted(lambda: ask(large))


def test_the_overview_has_the_clock_the_stacks_and_the_visitor(house: Redis) -> None:
    tournament = started(6, seats_per_table=3)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    me = bots.create(1)[0]
    own = tabs.overview_context(tournament, scene(tournament), me, entered=True)
    seen = own["overview"]
    assert (seen.level, seen.average, seen.largest, seen.smallest) == (1, STACK, STACK, STACK)
    assert seen.tables_open == 2 and seen.places_paid == 2 and seen.clock_runs
    assert seen.level_ends_at_ms is not None
    assert 170_000 < seen.level_ends_at_ms - seen.now_ms <= 180_000
    assert seen.stakes is not None and seen.stakes.big_blind == 20
    assert seen.next_stakes is not None and seen.next_stakes.big_blind == 30
    assert (
        seen.me is not None
        and seen.me.chips == STACK
        and seen.me.table in set(Table.objects.values_list("pk", flat=True))
    )
    assert overview.overview(tournament).me is None


def test_the_row_states_whether_a_visitor_may_register(house: Redis) -> None:
    tournament = open_offer(players_max=2)
    first, second, third = bots.create(3)
    registration.register(first, tournament)
    tournament.refresh_from_db()
    assert lobby_rows.of_tournament(tournament, first).may_unregister
    assert lobby_rows.of_tournament(tournament, second).may_register
    registration.register(second, tournament)
    tournament.refresh_from_db()
    assert not lobby_rows.of_tournament(tournament, third).may_register
    running = started(2, name="running")
    me = bots.create(1)[0]
    row = lobby_rows.of_tournament(running, me)
    assert row.mine and not row.may_register and not row.may_unregister


@pytest.mark.rule("Z-02")
def test_payouts_are_an_estimate_first_and_certain_after_the_start(house: Redis) -> None:
    tournament = open_offer(players_max=10)
    for bot in bots.create(5):
        registration.register(bot, tournament)
    tournament.refresh_from_db()
    estimate = payouts.payout_rows(tournament)
    assert [(row.first, row.last, row.prize) for row in estimate] == [(1, 1, 3_500), (2, 2, 1_500)]
    certain = payouts.payout_rows(operations.start(tournament.pk))
    assert certain == estimate and [row.share_bp for row in certain] == [7_000, 3_000]


def test_payouts_of_a_freeroll_without_a_pool_are_empty(house: Redis) -> None:
    assert payouts.payout_rows(open_offer(buy_in=0, fee=0)) == []


def test_levels_and_breaks_are_listed_with_the_present_one(house: Redis) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    rows = levels.levels(tournament)
    assert rows[0].is_now and sum(row.is_now for row in rows) == 1
    assert [row.number for row in rows[:3]] == [1, 2, 3]
    assert any(row.number is None and row.stakes is None for row in rows)


def test_a_player_finds_the_seat_also_while_moving(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    seat = Seat.objects.order_by("pk").first()
    assert seat is not None
    mine = queries_mine.my_seats(seat.user)
    assert [(row.tournament, row.table, row.seat) for row in mine] == [
        (tournament.pk, seat.table_id, seat.seat)
    ]
    assert queries_mine.my_tournaments(seat.user) == {tournament.pk: "seated"}


def test_a_players_seats_include_those_at_tables_of_other_games(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    seat = Seat.objects.order_by("pk").first()
    assert seat is not None
    # The table's game has the number of the tournament, and is another one.
    other = sit_down([500, 500])
    Table.objects.filter(pk=other.pk).update(game=tournament.pk)
    Seat.objects.filter(table=other, seat=2).update(user=seat.user)
    mine = queries_mine.my_seats(seat.user)
    assert [(row.tournament, row.name, row.table, row.seat) for row in mine] == [
        (0, f"Game {tournament.pk}", other.pk, 2),
        (tournament.pk, tournament.name, seat.table_id, seat.seat),
    ]
    assert not lobby_rows.of_tournament(tournament, None).seats
    [own] = lobby_rows.of_tournament(tournament, seat.user).seats
    assert own.table == seat.table_id


def test_streams_start_with_snapshots_of_their_own(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    seat = Seat.objects.order_by("pk").first()
    assert seat is not None

    def snapshot(stream: str) -> tuple[str, dict[str, object]]:
        kind = kind_of(stream)
        assert kind is not None
        made = async_to_sync(kind.provider)(stream, seat.user_id)
        assert made is not None
        return made[0], msgspec.json.decode(made[1])

    line_id, state = snapshot(f"tournament:{tournament.pk}")
    assert line_id.startswith("0-") and len(state["tables"]) == 2  # type: ignore[arg-type]
    assert state["overview"]["summary"]["state"] == "running"  # type: ignore[index]
    _, state = snapshot(f"user:{seat.user_id}")
    assert state["seats"][0]["table"] == seat.table_id  # type: ignore[index]
    _, state = snapshot("lobby")
    assert [row["tournament"] for row in state["tournaments"]] == [tournament.pk]  # type: ignore
    with pytest.raises(NoSuchStream):
        snapshot("tournament:999")
