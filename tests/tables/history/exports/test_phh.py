"""Hands as Poker Hand History: pokerkit plays them to equal stacks, or they name a reason."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import cast

import pytest
from pokerkit import HandHistory

from tables.dealer.record import HandRecord
from tables.dealer.state import Played
from tables.engine.actions import Call, Raise
from tables.engine.events import Options, Rake, Stakes
from tables.engine.state import Positions, Post
from tables.history.exports import hand, phh
from tables.history.exports.hand import ExportedHand
from tests.tables.engine.scene import Scene, scene
from tests.tables.history.exports.played import (
    GAME,
    called,
    full_table,
    random_record,
    recorded,
)

HANDS = 40
CODES = sorted(phh.CODES)
EXACT_MIN = 0.65
"""Least part of hands without a reason; these have far more short stacks than tournaments."""


def public(kept: HandRecord) -> ExportedHand:
    return hand.seen_by(None, kept, game=GAME, table=4, seats_max=9)


def all_cards(kept: HandRecord) -> ExportedHand:
    return hand.with_all_cards(kept, game=GAME, table=4, seats_max=9)


def read(exported: ExportedHand) -> HandHistory:
    return HandHistory.loads(phh.written(exported))


def ends_equal(history: HandHistory) -> bool:
    """Return whether pokerkit plays the whole hand to the stacks that the document names."""
    last = list(history)[-1]
    return not last.status and last.stacks == history.finishing_stacks


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("variant", "limit"), CODES)
def test_pokerkit_plays_hands_to_equal_stacks(variant: str, limit: str) -> None:
    exact = 0
    for seed in range(HANDS):
        kept = random_record(Random(seed), variant, limit)
        for exported in (public(kept), all_cards(kept)):
            history = read(exported)
            if "_differs" not in history.user_defined_fields:
                exact += 1
                assert ends_equal(history), seed
    assert exact > 2 * HANDS * EXACT_MIN


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("variant", "limit"), CODES)
def test_pokerkit_plays_hands_of_full_tables_to_equal_stacks(variant: str, limit: str) -> None:
    for seed in range(4 * HANDS):
        history = read(public(full_table(Random(seed), variant, limit)))
        if "_differs" not in history.user_defined_fields:
            assert ends_equal(history), seed


def test_a_changed_action_is_noticed() -> None:
    text = phh.written(public(random_record(Random(0), "holdem", "no_limit")))
    history = HandHistory.loads(text)
    stacks = cast("list[int]", history.finishing_stacks)
    changed = text.replace(f"finishing_stacks = [{stacks[0]}", f"finishing_stacks = [{stacks[0]}0")
    assert ends_equal(history)
    assert not ends_equal(HandHistory.loads(changed))


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        pytest.param(lambda: scene({1: 900, 2: 900, 3: 900}), None, id="plain"),
        pytest.param(
            lambda: scene(
                {2: 900, 3: 900, 4: 900},
                positions=Positions(4, None, 2, (2, 3, 4), dead_small_blind=1),
            ),
            None,
            id="dead small blind",
        ),
        pytest.param(
            lambda: scene(dict.fromkeys((1, 2, 3, 4), 900), posts={4: (Post("straddle", 200),)}),
            None,
            id="straddle",
        ),
        pytest.param(
            lambda: scene(dict.fromkeys((1, 2, 3, 4), 900), posts={4: (Post("dead", 50),)}),
            "posts",
            id="dead post",
        ),
        pytest.param(
            lambda: scene(dict.fromkeys((1, 2, 3, 4), 900), posts={4: (Post("big_blind", 100),)}),
            "posts",
            id="live post",
        ),
        pytest.param(
            lambda: scene({1: 900, 2: 900}, options=Options(s0_order=True)), "order", id="order"
        ),
        pytest.param(
            lambda: scene({1: 900, 2: 900}, options=Options(rake=Rake(500, 0, 90))),
            "rake",
            id="rake",
        ),
        pytest.param(
            lambda: scene({1: 900, 2: 900}, options=Options(rake=Rake(10_000, 0, 9_000))),
            "rake",
            id="rake of all",
        ),
        pytest.param(
            lambda: scene({1: 900, 2: 900}, variant="omaha5", limit="pot_limit"),
            "no_code",
            id="no code",
        ),
        pytest.param(lambda: scene({1: 900, 2: 900, 3: 60}), "short_big_blind", id="short blind"),
        pytest.param(
            lambda: scene({1: 900, 2: 900, 3: 120}, stakes=Stakes(50, 100, 100, "big_blind")),
            None,
            id="short ante",
        ),
    ],
)
def test_reasons_of_differences(table: Callable[[], Scene], reason: str | None) -> None:
    kept = called(table())
    fields = phh.fields(public(kept))
    assert fields["_differs"] == reason
    if reason is None:
        assert ends_equal(read(public(kept)))


@pytest.mark.parametrize(
    ("stack", "paid"),
    [
        (900, ["p3 dead 50", "p3 big_blind 100"]),
        (120, ["p3 dead 50", "p3 big_blind 70"]),
        (40, ["p3 dead 40"]),
    ],
)
def test_posts_are_told_as_far_as_a_seat_had_the_chips(stack: int, paid: list[str]) -> None:
    debts = (Post("dead", 50), Post("big_blind", 100))
    table = scene({1: 900, 2: 900, 3: 900, 4: stack}, posts={4: debts})
    assert phh.fields(public(called(table)))["_posts"] == paid


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_short_big_blind_is_a_reason_only_where_bets_follow_from_it() -> None:
    raised = scene({1: 900, 2: 900, 3: 60})
    raised.does((1, Raise(900)), (2, Call()))
    actions = (Played(1, Raise(900)), Played(2, Call()))
    exported = public(recorded(raised.setup, actions))
    assert phh.fields(exported)["_differs"] is None
    assert ends_equal(read(exported))
