"""Replay of exported hands: games without a code and raked hands too, and differences are found."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from pokerkit import HandHistory

from tables.dealer.record import HandRecord
from tables.engine.events import Options, Rake
from tables.engine.variants import VARIANTS
from tables.history.exports import hand, phh
from tests.bench.replayed import Played, played
from tests.bench.shared.room_games import RoomHistory
from tests.tables.engine.random_hands import random_setup
from tests.tables.history.exports.played import GAME, played_at_random, random_record

HANDS = 20
TOLD_MIN = 0.5
"""Least part of hands without a code that play to equal stacks; these have many short stacks."""
WITHOUT_CODE = [
    (name, limit)
    for name, variant in VARIANTS.items()
    for limit in variant.limits
    if (name, limit) not in phh.CODES
]


def read(kept: HandRecord) -> HandHistory:
    shown = hand.with_all_cards(kept, game=GAME, table=4, seats_max=9)
    return RoomHistory.loads(phh.written(shown))


def raked(seed: int) -> HandRecord:
    """Record of a hold'em hand with a rake of a tenth."""
    setup = random_setup(Random(seed), variant="holdem", limit="no_limit", seats=4)
    rules = msgspec.structs.replace(setup.rules, options=Options(rake=Rake(1_000, 0, 200)))
    return played_at_random(Random(seed), msgspec.structs.replace(setup, rules=rules))


@pytest.mark.parametrize(("variant", "limit"), WITHOUT_CODE)
def test_games_without_a_code_are_played_by_their_own_fields(variant: str, limit: str) -> None:
    hands = [played(read(random_record(Random(seed), variant, limit))) for seed in range(HANDS)]
    assert {one.reason for one in hands} == {"no_code"}
    assert sum(one.verdict == "told" for one in hands) > HANDS * TOLD_MIN


def test_raked_hands_are_equal_but_for_the_rake_of_their_winners() -> None:
    hands = [read(raked(seed)) for seed in range(4 * HANDS)]
    verdicts = [played(one) for one in hands]
    assert all(one.equal for one in verdicts)
    told = [one for one, verdict in zip(hands, verdicts, strict=True) if verdict.verdict == "told"]
    assert len(told) > HANDS
    for history in told:
        assert history.user_defined_fields["_rake"] > 0
        assert history.finishing_stacks is not None and history.winnings is not None
        loser = next(at for at, won in enumerate(history.winnings) if not won)
        winner = next(at for at, won in enumerate(history.winnings) if won)
        history.finishing_stacks[loser] -= 1
        history.finishing_stacks[winner] += 1
        assert played(history).verdict == "different", "a loser pays no rake"


@pytest.mark.parametrize("variant", ["omaha_hilo", "stud_hilo"])
def test_the_rake_of_a_high_half_is_no_odd_chip(variant: str) -> None:
    shared = []
    for seed in range(8 * HANDS):
        setup = random_setup(Random(seed), variant=variant, limit="fixed_limit", seats=4)
        rules = msgspec.structs.replace(setup.rules, options=Options(rake=Rake(500, 0, 300)))
        setup = msgspec.structs.replace(setup, rules=rules)
        kept = played_at_random(Random(seed), setup, passive=0.9)
        awards = kept.result.awards
        one_each = all(len(award.winners) == 1 for award in awards)
        if [award.half for award in awards] == ["high", "low"] and one_each and awards[0].rake:
            shared.append(read(kept))
    reasons = [one.user_defined_fields.get("_differs") for one in shared]
    assert "rake" in reasons and "odd_chips" not in reasons


def test_wrong_rake_stacks_actions_and_reasons_are_differences() -> None:
    rake = read(
        next(
            kept
            for kept in map(raked, range(99))
            if read(kept).user_defined_fields.get("_differs") == "rake"
        )
    )
    rake.user_defined_fields["_rake"] += 1
    assert played(rake).verdict == "different"
    plain = read(random_record(Random(0), "holdem", "no_limit"))
    assert played(plain) == Played("NT", "", "equal")
    plain.user_defined_fields["_differs"] = "luck"
    assert played(plain).verdict == "different", "not in the closed list"
    plain.user_defined_fields["_differs"] = "posts"
    assert played(plain).verdict == "equal", "nothing followed from the reason"
    plain.actions.append("p1 f")
    assert played(plain).verdict == "named"
    del plain.user_defined_fields["_differs"]
    assert played(plain).verdict == "different"
