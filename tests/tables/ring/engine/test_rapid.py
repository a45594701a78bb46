"""Rapid pools: nobody is dealt in twice at once, waits stay short, blinds are fair."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.engine.positions import next_positions
from tables.ring.engine.rapid import (
    RapidHand,
    RapidPlayer,
    RapidTerms,
    RapidView,
    RapidWait,
    plan_rapid_hand,
)
from tests.tables.ring.engine.rapid_pool import STEP_MS, Pool, count_blinds

SIX = RapidTerms(seats_max=6, pool_min=4, wait_ms=3_000)


def ready(*since_big: int | None) -> tuple[RapidPlayer, ...]:
    """Players with these counts, the first is ready longest."""
    return tuple(
        RapidPlayer(number, number, since, since) for number, since in enumerate(since_big, 1)
    )


def planned(
    players: tuple[RapidPlayer, ...], terms: RapidTerms = SIX, *, pool: int = 20, now_ms: int = 0
) -> RapidHand | RapidWait:
    """Answer for these ready players; the rest keeps its order."""
    return plan_rapid_hand(RapidView(players, pool, now_ms), terms, shuffle=list)


def dealt(answer: RapidHand | RapidWait) -> RapidHand:
    """Return the answer, which must be a hand."""
    assert isinstance(answer, RapidHand)
    return answer


@pytest.mark.rule("R-03")
@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 60), st.integers(2, 9), st.integers(1, 12))
def test_players_are_in_one_hand_at_once_and_none_waits_long(
    seed: int, players: int, seats: int, tables: int
) -> None:
    terms = RapidTerms(seats_max=seats, pool_min=2, wait_ms=2_000)
    enough = -(-players // seats) + players // 2 + 1
    pool = Pool(seed, players, terms)
    for _ in range(60):
        for table in range(max(tables, enough)):
            if table not in pool.tables:
                pool.ask(table)
        busy = [entry for hand in pool.tables.values() for entry in hand]
        assert len(busy) == len(set(busy))
        assert not set(busy) & pool.ready.keys()
        assert len(busy) + len(pool.ready) == players
        pool.step()
    # Two ready players are dealt once the first of them has waited; a lone one waits for a fold.
    assert all(2 <= size <= seats for size in pool.sizes)
    if players > 2 * seats:
        assert pool.longest_wait_ms <= terms.wait_ms + 4 * STEP_MS


@pytest.mark.rule("R-03")
@pytest.mark.parametrize(("seed", "players"), [(1, 7), (2, 13), (128, 34), (4, 60)])
def test_each_player_posts_about_one_big_blind_in_as_many_hands_as_seats(
    seed: int, players: int
) -> None:
    pool = Pool(seed, players, SIX)
    for _ in range(600):
        for table in range(players):
            if table not in pool.tables:
                pool.ask(table)
        waiting = [player.since_big or 0 for player in pool.ready.values()]
        assert max(waiting, default=0) <= 2 * SIX.seats_max
        pool.step()
    mean = sum(size * count for size, count in pool.sizes.items()) / pool.sizes.total()
    for entry in range(players):
        fair = pool.dealt[entry] / mean
        assert pool.dealt[entry] > 100
        assert abs(pool.posted[entry] - fair) <= 2 + 0.1 * fair


@pytest.mark.rule("R-03")
def test_the_oldest_big_blind_posts_and_the_oldest_small_blind_of_the_rest() -> None:
    hand = dealt(planned(ready(3, 9, 4, 7, 0, 1)))
    assert hand.positions == next_positions(None, (1, 2, 3, 4, 5, 6), frozenset(), button=6)
    assert hand.positions.big_blind == 2 and hand.entries[2] == 2
    assert hand.positions.small_blind == 1 and hand.entries[1] == 4
    assert [hand.entries[seat] for seat in (3, 4, 5, 6)] == [1, 3, 5, 6]
    assert count_blinds(ready(3, 9)[1], hand).since_big == 0
    assert count_blinds(ready(3, 9)[0], hand) == RapidPlayer(1, 1, 4, 4)


@pytest.mark.rule("R-03")
def test_a_newcomer_posts_before_all_others_and_saves_nothing_by_coming_back() -> None:
    hand = dealt(planned(ready(30, None, 4, 7, 0, 1)))
    assert hand.entries[2] == 2
    two = dealt(planned(ready(30, None, None, 7, 0, 1)))
    assert (two.entries[2], two.entries[1]) == (2, 3)
    waiting = count_blinds(ready(30, None, None)[2], two)
    assert (waiting.since_big, waiting.since_small) == (None, 0)


@pytest.mark.rule("R-03")
def test_a_hand_waits_for_more_players_but_not_for_ever() -> None:
    few = ready(1, 2, 3)
    assert planned(few, now_ms=3_000) == RapidWait(3_001)
    assert len(dealt(planned(few, now_ms=3_001)).entries) == 3
    assert len(dealt(planned(ready(1, 2, 3, 4), pool=4)).entries) == 4
    assert planned(ready(1), now_ms=10**9) == RapidWait(None)
    assert planned(few, pool=3, now_ms=10**9) == RapidWait(None)


@pytest.mark.rule("R-03")
def test_two_players_play_heads_up_by_either_order() -> None:
    pair = ready(4, 2)
    for s0_order in (False, True):
        terms = SIX._replace(pool_min=2, s0_order=s0_order)
        hand = dealt(planned(pair, terms, pool=2))
        assert hand.positions.big_blind is not None and hand.positions.small_blind is not None
        assert hand.entries[hand.positions.big_blind] == 1
        assert (hand.positions.button == hand.positions.big_blind) == s0_order


@pytest.mark.rule("R-03")
def test_without_blinds_all_seats_are_by_lot() -> None:
    hand = dealt(planned(ready(1, 2, 3, 4, 5, 6), SIX._replace(blinds=False)))
    assert hand.positions.big_blind is None and hand.positions.dealt == (1, 2, 3, 4, 5, 6)
    assert hand.entries == {seat: seat for seat in range(1, 7)}
