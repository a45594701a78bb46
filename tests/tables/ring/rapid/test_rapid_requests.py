"""Refused requests around rapid pools: a sentence in words, and every row as it was (R-03)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from redis import Redis

from config import limits
from tables.dealer import carried
from tables.dealer.grants import FoldedSeat
from tables.models import Hand
from tables.ring.models import RapidStay, RingSession
from tables.ring.rapid import stays
from tables.ring.sessions import choices, leaving, penalties, sit_down, top_up, waiting_list
from tables.store import fenced
from tables.workers import advance, settle
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast
from tests.tables.ring.room.refusals.unchanged import refused

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.rule("R-03")
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"straddle": True}, "pool_straddle"),
        ({"pool_min": 1}, "pool_players"),
        ({"wait_ms": limits.RAPID_WAIT_MS + 1}, "pool_wait"),
    ],
)
def test_terms_that_no_pool_can_have_open_none(
    room: Redis, wrong: dict[str, object], code: str
) -> None:
    refused(code, lambda: pools.pool(**wrong))


@pytest.mark.rule("R-03", "A-01", "A-03")
def test_bad_buy_ins_join_no_pool(room: Redis) -> None:
    game = pools.pool()
    poor = cast.player(balance=50_00)
    refused("buy_in_too_small", lambda: sit_down.sit(poor, game.pk, amount=39_99))
    refused("buy_in_too_large", lambda: sit_down.sit(poor, game.pk, amount=200_01))
    refused("insufficient_funds", lambda: sit_down.sit(poor, game.pk, amount=50_01))
    refused("no_place_in_pool", lambda: sit_down.sit(poor, game.pk, amount=50_00, seat=1))
    [table] = pools.tables(game)
    refused(
        "no_place_in_pool", lambda: sit_down.sit(poor, game.pk, amount=50_00, table_id=table.pk)
    )
    sit_down.sit(poor, game.pk, amount=50_00)
    refused("in_pool_already", lambda: sit_down.sit(poor, game.pk, amount=40_00))
    assert cast.balance(poor) == 0


@pytest.mark.rule("R-03")
def test_a_pool_has_no_waiting_list_straddle_or_penalty(room: Redis) -> None:
    game = pools.pool()
    [user] = pools.joined(game, 1)
    session = pools.session(user)
    other = cast.player()
    refused("seat_free", lambda: waiting_list.join(other, game.pk))
    refused("no_straddle", lambda: choices.set_straddle(user, session.pk, True))
    refused("no_place_in_pool", lambda: choices.set_posting(user, session.pk, True))
    refused("no_place_in_pool", lambda: choices.set_skipping(user, session.pk, True))
    refused("no_pool_penalty", lambda: penalties.order(None, session.pk, 1_00, "Late again."))


@pytest.mark.rule("R-03")
def test_only_players_of_a_pool_sit_out_between_hands(room: Redis) -> None:
    ring = cast.game()
    session = sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    refused("not_in_pool", lambda: choices.set_sitting_out(session.user, session.pk, True))


@pytest.mark.rule("R-03", "A-03")
def test_chips_in_a_hand_count_for_the_limits_of_a_top_up(room: Redis) -> None:
    game = pools.pool(seats_max=2)
    users = pools.joined(game, 2)
    [table] = pools.tables(game)
    cast.begin(room, table)
    session = pools.session(users[0])
    refused("top_up_too_large", lambda: top_up.top_up(users[0], session.pk, 100_01))
    stranger = cast.player()
    refused("not_at_table", lambda: top_up.top_up(stranger, session.pk, 10_00))
    leaving.leave(users[0], session.pk)
    refused("leaving", lambda: top_up.top_up(users[0], session.pk, 10_00))
    pools.fold_to_end(room, table)
    refused("not_at_table", lambda: leaving.leave(users[0], session.pk))
    cast.law()


@pytest.mark.rule("R-03")
def test_folds_of_another_hand_or_told_twice_free_nobody(room: Redis) -> None:
    game = pools.pool()
    pools.joined(game, 4)
    [table] = pools.tables(game)
    cast.begin(room, table)
    pools.act(room, table, "fold")
    state = fenced.peek(room, table.pk)
    assert state is not None
    folded = state.folded()
    stays.free(table.pk, state.hand_number + 1, folded)
    assert not RapidStay.objects.exclude(freed_chips=None).exists()
    for _ in range(2):
        stays.free(table.pk, state.hand_number, folded)
        [stay] = RapidStay.objects.exclude(freed_chips=None)
        assert RingSession.objects.get(pk=stay.session_id).stack == cast.BUY_IN
        cast.law()
    stays.free(table.pk, state.hand_number, [replace(folded[0], chips=1)])
    stay.refresh_from_db()
    assert stay.freed_chips == cast.BUY_IN


@pytest.mark.rule("R-03", "Z-04")
def test_a_hand_in_which_a_freed_player_did_not_fold_is_not_settled(room: Redis) -> None:
    game = pools.pool()
    pools.joined(game, 4)
    [table] = pools.tables(game)
    state = cast.begin(room, table)
    before = fenced.load(room, table.pk)
    assert before is not None and state.turn is not None
    caller = state.at(state.turn.seat)
    folded = FoldedSeat(caller.entry, **carried.copied(caller))
    pools.act(room, table, "call")
    stays.free(table.pk, 1, [folded])
    while (here := fenced.peek(room, table.pk)) is not None and here.phase == "hand":
        pools.act(room, table, "fold")
    settle.settle(room, table.pk)
    advance.advance(room, table.pk)
    assert not Hand.objects.filter(table=table).exists()
    here = fenced.peek(room, table.pk)
    assert here is not None
    assert (here.epoch, here.phase) == (state.epoch + 1, "boundary")
    cast.boundary(room, table)
    cast.law()
    assert {pools.chips(row.user) for row in RingSession.objects.all()} == {cast.BUY_IN}
