"""The law of orbits holds for every plan of deals, and finds blinds that are forgotten."""

from __future__ import annotations

import random
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from tables.dealer.record import HandRecord, SeatAfter
from tables.engine.events import Stakes
from tables.engine.positions import next_positions
from tables.engine.result import HandResult
from tables.engine.state import HandSetup, Player, Positions, Post, Rules
from tables.ring.engine import blinds
from tables.ring.engine.blinds import Owed, RingSeat, plan_deal
from tests.simulation.laws.orbit_law import OrbitLaw

STAKES = Stakes(50, 100)
SEATS = 6
NOTHING = HandResult(1, (), (), (), (), None, 0, (), (), ())


def _play(seed: int, hands: int) -> Iterator[HandRecord]:
    """Deal hands to players who come, sit out, come back, post and go."""
    lot = random.Random(seed)
    sitting: dict[int, tuple[int, RingSeat]] = {}
    previous: Positions | None = None
    for number in range(1, hands + 1):
        _change(lot, sitting, number)
        plan = plan_deal(previous, [seat for _, seat in sitting.values()], STAKES)
        if plan is None:
            continue
        previous = plan.positions or next_positions(
            None, plan.dealt, frozenset(), button=lot.choice(plan.dealt)
        )
        yield _record(number, plan.dealt, plan.posts, previous, sitting)
        for place, (entry, seat) in sitting.items():
            is_new = seat.is_new and place not in plan.dealt
            small, big = plan.owes[place]
            owing = seat._replace(is_new=is_new, owes_small=small, owes_big=big)
            sitting[place] = (entry, owing)


def _change(lot: random.Random, sitting: dict[int, tuple[int, RingSeat]], number: int) -> None:
    for place in range(1, SEATS + 1):
        roll = lot.random()
        if place not in sitting:
            if roll < 0.2:
                seat = RingSeat(place, 5_000, is_new=True, posts_now=lot.random() < 0.4)
                sitting[place] = (10 * number + place, seat)
        elif roll < 0.03:
            del sitting[place]
        elif roll < 0.2:
            entry, seat = sitting[place]
            sitting[place] = (entry, seat._replace(absent=not seat.absent, posts_now=roll < 0.12))


def _record(
    number: int,
    dealt: tuple[int, ...],
    posts: dict[int, tuple[Post, ...]],
    positions: Positions,
    sitting: dict[int, tuple[int, RingSeat]],
) -> HandRecord:
    players = tuple(Player(seat, 5_000, posts.get(seat, ())) for seat in dealt)
    setup = HandSetup(number, Rules("holdem", "no_limit", STAKES), positions, players, ())
    seats = tuple(
        SeatAfter(place, entry, entry, "", 5_000, 5_000, 0, seat.absent, place in dealt)
        for place, (entry, seat) in sorted(sitting.items())
    )
    return HandRecord(1, 1, 1, number, 1, 0, 0, 0, setup, (), NOTHING, seats)


def _violations(seed: int, hands: int = 500) -> list[str]:
    law = OrbitLaw()
    return [found for record in _play(seed, hands) for found in law.see(record)]


@pytest.mark.rule("H-07")
@pytest.mark.parametrize("seed", range(8))
def test_no_plan_of_deals_breaks_the_law(seed: int) -> None:
    assert _violations(seed) == []


@pytest.mark.rule("H-07")
def test_a_missed_blind_that_is_forgotten_is_found() -> None:
    with patch.object(blinds, "_owes", lambda *_: Owed()):
        assert any("missed it" in found for found in _violations(1))


@pytest.mark.rule("H-07")
def test_a_newcomer_who_neither_waits_nor_posts_is_found() -> None:
    with patch.object(blinds, "_owed_posts", lambda *_: ()):
        assert any("is new" in found for found in _violations(1))
