"""Steps of operators and of the schedule on a tournament happen once, with their audit row."""

from __future__ import annotations

from collections import Counter

import pytest
from redis import Redis

from accounts.ledger import promotions, transfers
from accounts.models import User
from accounts.users import bots
from config import clock
from config.refusals import Refusal
from tables.models import Seat, Table
from tables.store import fenced, keys
from tests.redis_answers import entries_of, events_of
from tests.tournaments.cast import (
    BUY_IN,
    FEE,
    STACK,
    Arena,
    at_once,
    chips_of,
    open_offer,
    passive,
    started,
)
from tests.tournaments.entries.late_entries import late
from tournaments.engine import levels
from tournaments.entries import registration
from tournaments.models import Announcement, AuditRow, Entry, Tournament
from tournaments.prizes import money, promises
from tournaments.refusals import NotPlayed, PrizesPaid, TooFewPlayers
from tournaments.running import cancelling, forward, operations


def registered(players: int, **fields: object) -> Tournament:
    """An open tournament with this many registered bots."""
    tournament = open_offer(**({"players_max": max(players, 2)} | fields))
    for bot in bots.create(players):
        registration.register(bot, tournament)
    return tournament


def wealth(user: User) -> int:
    """Balance of a player, in cents."""
    return transfers.balance(money.player(user))


@pytest.mark.rule("T-14")
def test_the_start_seats_everybody_by_lot_at_the_fewest_tables(house: Redis) -> None:
    tournament = started(20, seats_per_table=6)
    sizes = Counter(Seat.objects.values_list("table", flat=True))
    assert sorted(sizes.values()) == [5, 5, 5, 5]
    assert set(Seat.objects.values_list("chips", flat=True)) == {STACK}
    assert not Seat.objects.filter(newcomer=True).exists()
    assert Entry.objects.filter(state="seated").count() == 20 == tournament.left
    assert list(Table.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4]
    assert all(fenced.peek(house, table) is not None for table in sizes)
    assert {score for _, score in house.zscan_iter(keys.wakes(0))}


@pytest.mark.rule("T-05")
@pytest.mark.parametrize(("players", "offered", "seats"), [(2, 9, 2), (5, 6, 5), (7, 6, 6)])
def test_tables_have_no_more_seats_than_players_may_enter(
    house: Redis, players: int, offered: int, seats: int
) -> None:
    started(players, seats_per_table=offered)
    assert {*Table.objects.values_list("seats_max", flat=True)} == {seats}
    assert max(Seat.objects.values_list("seat", flat=True)) <= seats


def test_the_start_is_announced_to_all(house: Redis) -> None:
    tournament = started(2)
    assert not Announcement.objects.filter(published=False).exists()
    seat = Seat.objects.order_by("pk").first()
    assert seat is not None
    lines = entries_of(house, keys.events(f"user:{seat.user_id}", 1))
    assert [line_id for line_id, _ in lines] == [b"0-1", b"0-2"]
    assert b'"type":"seated"' in lines[1][1][b"e"]
    assert f'"table":{seat.table_id},'.encode() in lines[1][1][b"e"]
    told = events_of(house, keys.events(tournament.member, 1))
    assert any(b'"type":"started"' in line and b'"pool":2000' in line for line in told)


@pytest.mark.rule("T-04")
def test_too_few_players_do_not_start(house: Redis) -> None:
    tournament = registered(2, players_min=3, players_max=5)
    with pytest.raises(TooFewPlayers):
        operations.start(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "registering" and not Table.objects.exists()
    assert not AuditRow.objects.filter(action="start").exists()


def test_starting_twice_at_once_draws_seats_once(house: Redis) -> None:
    tournament = registered(6, seats_per_table=3)

    at_once(*[lambda: operations.start(tournament.pk)] * 4)
    assert Table.objects.count() == 2 and Seat.objects.count() == 6
    assert AuditRow.objects.filter(action="start").count() == 1


@pytest.mark.rule("Z-01")
def test_a_guarantee_and_added_money_come_from_the_room(house: Redis) -> None:
    free = promotions.free()
    tournament = started(4, added=500, guarantee=10_000)
    assert tournament.pool == 10_000 == sum(tournament.prizes)
    assert transfers.balance(money.pool(tournament)) == 10_000
    assert promotions.free() == free - (10_000 - 4 * BUY_IN) and promises.held(tournament) == 0
    assert transfers.total() == 0


@pytest.mark.rule("T-12")
@pytest.mark.parametrize("running", [False, True])
def test_cancelling_gives_everything_back_once(house: Redis, running: bool) -> None:
    players = bots.create(5)
    had, free = [wealth(player) for player in players], promotions.free()
    tournament = registered(5, guarantee=9_000, seats_per_table=3)
    assert [wealth(player) for player in players] == [was - BUY_IN - FEE for was in had]
    if running:
        operations.start(tournament.pk)
    assert cancelling.refund_preview(tournament) == (5, 5 * (BUY_IN + FEE))
    for _ in range(2):
        cancelled = operations.cancel(tournament.pk, reason="flood")
    assert cancelled.state == "cancelled"
    assert [wealth(player) for player in players] == had
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.balance(money.room())
    assert promotions.free() == free and promotions.set_aside() == 0
    assert transfers.balance(money.fees()) == 0
    assert set(Entry.objects.values_list("state", flat=True)) == {"refunded"}
    assert not Seat.objects.exists() and chips_of(tournament.pk) == 0
    assert not Table.objects.filter(status="open").exists()
    assert AuditRow.objects.filter(action="cancel").count() == 1


def test_a_cancelled_tournament_closes_its_tables(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    arena = Arena(tournament.pk)
    tables = arena.tables()
    epochs = dict(Table.objects.values_list("pk", "epoch"))
    operations.cancel(tournament.pk)
    assert [arena.step(table) for table in tables] == ["close", "close"]
    assert all(row.epoch == epochs[row.pk] + 1 for row in Table.objects.all())


def test_rolling_back_after_a_paid_prize_is_refused(house: Redis) -> None:
    tournament = started(9, seats_per_table=9)
    Entry.objects.filter(pk=tournament.entries.earliest("pk").pk).update(prize=1)
    with pytest.raises(PrizesPaid):
        operations.cancel(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "running" and Seat.objects.count() == 9


@pytest.mark.rule("T-12")
@pytest.mark.parametrize(("left", "fees"), [(6, True), (2, False)])
def test_cancelling_forward_pays_those_left(house: Redis, left: int, fees: bool) -> None:
    """9 entrants, 2 places paid: with 6 left before the money, with 2 in it."""
    free = promotions.free()
    tournament = started(9, seats_per_table=9, guarantee=12_000)
    arena = Arena(tournament.pk, seed=8)
    table = arena.tables()[0]
    while Tournament.objects.get(pk=tournament.pk).left > left:
        arena.step(table)
    tournament.refresh_from_db()
    live = list(Entry.objects.filter(state="seated").select_related("user").order_by("pk"))
    had = [wealth(entry.user) for entry in live]
    count, total = forward.forward_preview(tournament)
    operations.cancel_forward(tournament.pk, reason="flood")
    got = [wealth(entry.user) - was for entry, was in zip(live, had, strict=True)]
    assert count == len(live) and sum(got) == total and min(got) > 0
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.total()
    assert transfers.balance(money.fees()) == FEE * (9 - (len(live) if fees else 0))
    paid = sum(Entry.objects.values_list("prize", flat=True))
    assert paid + promotions.free() - free == 9 * BUY_IN, "buy-ins and overlay, no more"
    tournament.refresh_from_db()
    assert tournament.state == "cancelled" and not Seat.objects.exists()
    with pytest.raises(Refusal):
        operations.resume(tournament.pk)


@pytest.mark.rule("T-12", "N-06")
@pytest.mark.parametrize("at_end", [True, False])
def test_the_sum_of_cancelling_forward_is_shown_with_all_bounties(
    house: Redis, at_end: bool
) -> None:
    tournament = started(9, seats_per_table=9, bounty=500, bounties_at_end=at_end)
    arena = Arena(tournament.pk, seed=8)
    table = arena.tables()[0]
    while Tournament.objects.get(pk=tournament.pk).left > 6:
        arena.step(table)
    tournament.refresh_from_db()
    players = [entry.user for entry in tournament.entries.select_related("user")]
    had = sum(map(wealth, players))
    _count, total = forward.forward_preview(tournament)
    operations.cancel_forward(tournament.pk, reason="flood")
    assert sum(map(wealth, players)) - had == total


@pytest.mark.rule("T-12")
def test_a_guarantee_is_not_counted_among_what_those_left_will_get(house: Redis) -> None:
    tournament = late(4, guarantee=10_000)
    assert tournament.pool is None, "entries are still open"
    players = [entry.user for entry in tournament.entries.select_related("user")]
    had = sum(map(transfers.held_by, players))
    shown = forward.forward_preview(tournament)
    operations.cancel_forward(tournament.pk)
    assert shown == (4, sum(map(transfers.held_by, players)) - had) == (4, 4 * (BUY_IN + FEE))


def test_cancelling_forward_before_the_start_is_refused(house: Redis) -> None:
    tournament = registered(3)
    with pytest.raises(NotPlayed):
        operations.cancel_forward(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "registering"


@pytest.mark.rule("L-05")
def test_a_pause_stops_tables_after_their_hand_and_the_clock_at_once(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    arena = Arena(tournament.pk)
    arena.choose = passive
    first, second = arena.tables()
    assert arena.step(first) == "grant" and arena.step(first) == "hand"
    operations.pause(tournament.pk, reason="fire drill")
    assert arena.step(first) == "settled", "the hand in play ends"
    assert arena.step(first) == arena.step(second) == "paused"
    paused = Tournament.objects.get(pk=tournament.pk)
    now_ms = clock.database_now_ms()
    stands = levels.elapsed_ms(paused.clock(), now_ms)
    assert levels.elapsed_ms(paused.clock(), now_ms + 3_600_000) == stands
    operations.resume(tournament.pk)
    assert arena.step(second) == "grant"
    goes = Tournament.objects.get(pk=tournament.pk).clock()
    assert levels.elapsed_ms(goes, now_ms + 3_600_000) > stands
    assert house.zscore(keys.wakes(0), f"table:{first}") == 0, "waiting tables are woken"


def test_steps_that_are_done_change_nothing_more(house: Redis) -> None:
    tournament = started(4)
    for _ in range(2):
        operations.pause(tournament.pk)
    for _ in range(2):
        operations.resume(tournament.pk)
    done = Counter(AuditRow.objects.values_list("action", flat=True))
    assert done == {"create": 1, "open": 1, "start": 1, "pause": 1, "resume": 1}


@pytest.mark.parametrize("step", [operations.pause, operations.resume])
def test_a_step_at_the_wrong_time_is_refused(house: Redis, step: object) -> None:
    tournament = registered(2)
    with pytest.raises(Refusal):
        step(tournament.pk)  # type: ignore[operator]
    tournament.refresh_from_db()
    assert tournament.state == "registering"


def test_a_repeating_sit_and_go_opens_its_next_one_once(house: Redis) -> None:
    tournament = registered(2, repeats=True, players_max=2, password="")
    operations.start(tournament.pk)
    operations.start(tournament.pk)
    follower = Tournament.objects.get(follows=tournament)
    assert (follower.state, follower.players_max, follower.entrants) == ("registering", 2, 0)
    assert Tournament.objects.count() == 2
