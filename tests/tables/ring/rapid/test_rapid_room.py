"""Rapid pools on real servers: folded players are in their next hand at once (R-03)."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from redis import Redis

from accounts.models import AccountKind, Posting, User
from config import limits
from tables.engine.events import CardsShown, HoleCardsDealt
from tables.models import Hand, Seat
from tables.records import stored
from tables.ring.models import RapidStay, RingGame, RingSession
from tables.ring.queries import history
from tables.ring.sessions import leaving, operating, top_up
from tables.store import fenced
from tables.workers import recovery, settle
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast
from tests.tables.whole_state import snapshot
from tournaments.queries.mine import my_seats

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.rule("R-03")
def test_a_folded_player_is_dealt_into_another_hand_at_once(room: Redis) -> None:
    game = pools.pool()
    users = pools.joined(game, 4)
    [table] = pools.tables(game)
    state = cast.begin(room, table)
    assert [seat.chips for seat in state.seats] == [cast.BUY_IN] * 3
    assert len({seat.user for seat in state.seats}) == 3
    cast.law()
    folder = pools.fold(room, table)
    cast.law()
    [_, other] = pools.tables(game)
    there = cast.begin(room, other)
    waited = {user.pk for user in users} - {seat.user for seat in state.seats}
    assert {seat.user for seat in there.seats} == {folder, *waited}
    here = fenced.peek(room, table.pk)
    assert here is not None
    assert here.phase == "hand"
    cast.law()
    assert RapidStay.objects.filter(session__user=folder).count() == 2
    seats = my_seats(User.objects.get(pk=folder))
    assert [seat.table for seat in seats] == [other.pk], "a folded seat is no seat any more"


@pytest.mark.rule("R-03", "R-02")
def test_many_hands_keep_every_cent_and_nobody_is_in_two_hands(room: Redis) -> None:
    game = pools.pool(rake_table=cast.raked(name="Beside").rake_table, no_flop_no_drop=False)
    users = pools.joined(game, 6)
    chance = random.Random(5)
    for _ in range(150):
        pools.step(room, chance.choice(pools.tables(game)), chance)
        assert max(map(pools.in_hands, users)) <= 1
    cast.law()
    hands = [stored.decode(bytes(row.record)) for row in Hand.objects.all()]
    assert len(hands) > 5
    taken = sum(hand.result.rake for hand in hands)
    assert taken == -_booked(game) > 0
    assert sum(row.rake_paid for row in RingSession.objects.filter(game=game)) == taken


def _booked(game: RingGame) -> int:
    """Return what the account of a pool paid as rake, in minor units, below 0."""
    rows = Posting.objects.filter(account__kind=AccountKind.RING, account__ref=f"rapid:{game.pk}")
    return sum(rows.filter(transfer__kind="ring_rake").values_list("amount", flat=True))


@pytest.mark.rule("R-03", "S-03")
def test_nobody_sees_the_cards_of_the_player_who_had_the_seat_before(room: Redis) -> None:
    game = pools.pool()
    pools.joined(game, 3)
    [table] = pools.tables(game)
    cast.begin(room, table)
    while (state := fenced.peek(room, table.pk)) is not None and state.phase != "granted":
        pools.fold(room, table) if state.phase == "hand" else settle.settle(room, table.pk)
    assert state is not None
    assert len(state.seats) == 3
    for user in (None, *(seat.user for seat in state.seats)):
        seen = snapshot(state, user)
        assert [(seat.cards, seat.in_hand) for seat in seen.seats] == [((), False)] * 3
        assert not [event for event in seen.log if isinstance(event, CardsShown)]
        dealt = [event for event in seen.log if isinstance(event, HoleCardsDealt)]
        assert {card for event in dealt for card in event.cards} == {"??"}


@pytest.mark.rule("R-03")
def test_a_pool_below_its_minimum_deals_no_hand(room: Redis) -> None:
    game = pools.pool(pool_min=3)
    pools.joined(game, 2)
    [table] = pools.tables(game)
    state = cast.boundary(room, table)
    assert (state.phase, state.waiting, state.seats) == ("boundary", "players", ())
    pools.joined(game, 1)
    assert len(cast.begin(room, table).seats) == 3


@pytest.mark.rule("R-03")
def test_a_hand_waits_for_more_players_only_a_fair_time(room: Redis) -> None:
    game = pools.pool(wait_ms=30_000, seats_max=3)
    users = pools.joined(game, 5)
    [table] = pools.tables(game)
    assert len(cast.begin(room, table).seats) == 3
    [_, other] = pools.tables(game)
    assert cast.boundary(room, other).phase == "boundary"  # two are ready, a third may come
    ready = RingSession.objects.filter(user__in=users, ready_at__isnull=False)
    assert ready.count() == 2
    ready.update(ready_at=timezone.now() - timedelta(seconds=31))
    assert len(cast.begin(room, other).seats) == 2
    cast.law()


@pytest.mark.rule("R-03", "Z-04")
def test_a_void_hand_gives_back_what_was_brought_less_what_was_freed(room: Redis) -> None:
    game = pools.pool()
    users = pools.joined(game, 3)
    [table] = pools.tables(game)
    state = cast.begin(room, table)
    pools.act(room, table, "call")
    pools.fold(room, table)  # the small blind
    recovery.rebuild(room, table.pk, seen_epoch=state.epoch)
    cast.law()
    state = cast.begin(room, table)
    cast.law()
    assert {seat.chips for seat in state.seats} <= {cast.BUY_IN, cast.BUY_IN - 50}
    chips = {user.pk: pools.chips(user) for user in users}
    assert chips == dict.fromkeys(chips, cast.BUY_IN)


@pytest.mark.rule("R-03", "A-03", "Z-04")
def test_chips_of_a_void_hand_reach_a_player_who_has_left(room: Redis) -> None:
    game = pools.pool()
    pools.joined(game, 3)
    [table] = pools.tables(game)
    state = cast.begin(room, table)
    pools.act(room, table, "call")
    folder = User.objects.get(pk=pools.fold(room, table))  # the small blind
    leaving.leave(folder, pools.session(folder).pk)
    settle.settle(room, pools.tables(game)[1].pk)
    assert (pools.session(folder).state, cast.balance(folder)) == ("left", cast.BALANCE - 50)
    recovery.rebuild(room, table.pk, seen_epoch=state.epoch)
    cast.boundary(room, table)
    assert cast.balance(folder) == cast.BALANCE
    assert history.totals(folder).result == 0, "the list of stays has the chips of the void hand"
    cast.law()


@pytest.mark.rule("R-03", "A-03")
def test_a_player_who_folds_and_leaves_is_paid_while_the_hand_goes_on(room: Redis) -> None:
    game = pools.pool()
    pools.joined(game, 4)
    [table] = pools.tables(game)
    state = cast.begin(room, table)
    folder = pools.fold(room, table)
    session = RingSession.objects.get(user=folder)
    leaving.leave(session.user, session.pk)
    for other in pools.tables(game)[1:]:
        settle.settle(room, other.pk)
    session.refresh_from_db()
    assert (session.state, session.left_with) == ("left", cast.BUY_IN)
    assert cast.balance(session.user) == cast.BALANCE
    here = fenced.peek(room, table.pk)
    assert here is not None
    assert (here.phase, here.hand_number) == ("hand", state.hand_number)
    cast.law()


@pytest.mark.rule("R-03", "A-03")
def test_chips_bought_during_a_hand_are_in_the_next_one(room: Redis) -> None:
    game = pools.pool(seats_max=2)
    users = pools.joined(game, 2)
    [table] = pools.tables(game)
    cast.begin(room, table)
    session = pools.session(users[0])
    top_up.top_up(users[0], session.pk, 50_00)
    session.refresh_from_db()
    assert (session.coming, session.stack, pools.in_hands(users[0])) == (50_00, 0, 1)
    cast.law()
    pools.fold_to_end(room, table)
    state = cast.begin(room, table)
    found = next(seat for seat in state.seats if seat.user == users[0].pk)
    assert found.chips in (149_50, 150_50)
    cast.law()


@pytest.mark.rule("R-03", "A-03")
def test_an_automatic_top_up_lifts_the_stack_before_the_next_hand(room: Redis) -> None:
    game = pools.pool(seats_max=2)
    users = pools.joined(game, 2)
    [table] = pools.tables(game)
    cast.begin(room, table)
    top_up.set_auto(users[0], pools.session(users[0]).pk, True)
    pools.fold_to_end(room, table)
    state = cast.begin(room, table)
    found = next(seat for seat in state.seats if seat.user == users[0].pk)
    assert found.chips == game.buy_in_max
    cast.law()


@pytest.mark.rule("R-03", "A-03")
def test_a_closing_pool_ends_its_hands_and_pays_everybody(room: Redis) -> None:
    game = pools.pool()
    users = pools.joined(game, 7)
    for table in pools.tables(game):
        cast.begin(room, table)
    operating.close_after_hand(None, game.pk, "Tonight's game is over.")
    chance = random.Random(3)
    for _ in range(200):
        open_now = pools.tables(game)
        if not open_now:
            break
        pools.step(room, chance.choice(open_now), chance)
        cast.law()
    game.refresh_from_db()
    assert game.state == RingGame.State.CLOSED
    assert {row.state for row in RingSession.objects.filter(game=game)} == {"left"}
    assert sum(map(cast.balance, users)) == len(users) * cast.BALANCE
    assert not Seat.objects.filter(table__game=game.pk).exists()


@pytest.mark.rule("R-03", "A-03")
def test_the_last_table_of_a_closing_pool_waits_for_a_player_who_asks_meanwhile(
    room: Redis,
) -> None:
    game = pools.pool()
    [user] = pools.joined(game, 1)
    [table] = pools.tables(game)
    cast.boundary(room, table)
    operating.close_after_hand(None, game.pk, "Tonight's game is over.")
    request = connection.copy()
    with request.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT 1 FROM ring_ringsession FOR NO KEY UPDATE")
        cast.boundary(room, table)
    request.close()
    assert pools.tables(game) == [table] and pools.session(user).state == "seated"
    cast.boundary(room, table)
    assert pools.tables(game) == [] and cast.balance(user) == cast.BALANCE
    cast.law()


@pytest.mark.rule("R-03")
def test_a_frozen_pool_deals_no_hand_until_it_goes_on(room: Redis) -> None:
    game = pools.pool()
    pools.joined(game, 3)
    operating.freeze(None, game.pk, "A question about the last hand.")
    [table] = pools.tables(game)
    assert cast.boundary(room, table).waiting == "paused"
    operating.unfreeze(None, game.pk, "It is answered.")
    assert cast.begin(room, table).phase == "hand"


@pytest.mark.rule("R-03")
def test_rows_of_ended_hands_do_not_pile_up(room: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RAPID_STAYS_KEPT", 4)
    game = pools.pool(tables_max=1)
    pools.joined(game, 3)
    [table] = pools.tables(game)
    for _ in range(13):
        cast.begin(room, table)
        pools.fold_to_end(room, table)
        cast.law()
    kept = RapidStay.objects.filter(ended=True).values_list("hand", flat=True).distinct()
    assert sorted(kept) == [*range(9, 14)]
