"""Bots play every game and limit to the end of the table without a refusal."""

from __future__ import annotations

from random import Random

import pytest

from tables.bots.playing import sight
from tables.bots.playing.brain import choose
from tables.bots.playing.equity import equity
from tables.engine.events import Stakes
from tables.engine.state import Rules
from tables.engine.variants import LIMITS, VARIANTS
from tests.tables import stages
from tests.tables.client_side import snapshot

HANDS = 6
BLINDS = Stakes(50, 100, small_bet=100, big_bet=200)
STUD = Stakes(0, 0, 10, "per_seat", bring_in=20, small_bet=100, big_bet=200)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_choice_of_a_bot_is_legal_in_every_game(variant: str, limit: str) -> None:
    chance = Random(f"{variant} {limit}")
    stakes = STUD if VARIANTS[variant].brings_in else BLINDS
    acted = 0
    for number in range(HANDS):
        chips = [chance.randint(200, 3_000) for _ in range(chance.randint(2, 6))]
        state = stages.dealt(
            stages.roster(*chips), seed=number, rules=Rules(variant, limit, stakes)
        )
        while state.turn is not None:
            seat = state.at(state.turn.seat)
            seen = snapshot(state, seat.user)
            choice = choose(sight.of(seen, seat.seat, sight.raises_seen(seen)), chance)
            command = stages.act(state, choice.action, choice.amount)
            state, _ = stages.at(state, stages.START_MS, stages.by_actor(state, command))
            assert state.at(seat.seat).results[-1].ok, (choice, seen.turn)
            acted += 1
    assert acted > 2 * HANDS


@pytest.mark.parametrize(
    ("variant", "good", "bad", "board"),
    [
        ("omaha", "As Ad Ks Kd", "7c 2d 9h 4s", ""),
        ("omaha5", "As Ad Ks Kd Qs", "7c 2d 9h 4s 4c", ""),
        ("omaha5_house", "As Ad Ah Kd Ks", "7c 2d 9h 4s Jc", ""),
        ("omaha_hilo", "As 2s 3d 4d", "9c 9d Th 8s", "5c 6h Kd"),
        ("stud", "As Ad Ah", "7c 2d 9h", ""),
        ("stud_hilo", "As 2s 3s 4d 5d", "9c Td Kh 8s 2c", ""),
    ],
)
def test_better_cards_have_higher_equity(variant: str, good: str, bad: str, board: str) -> None:
    chance = Random(3)
    shares = [
        sum(equity(variant, cards.split(), board.split(), 1, chance) for _ in range(10)) / 10
        for cards in (good, bad)
    ]
    assert shares[0] > 0.55 > shares[1]
