"""Counters of a hand: by hand, and against an independent count of people's and random hands."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from config.sums import added
from tables.dealer.record import replay
from tables.dealer.state import Played
from tables.engine.actions import Action, Call, Check, Fold, Raise
from tables.engine.decide import decide as decide_action
from tables.history.real_hands import replay as real_replay
from tables.history.real_hands.record import read
from tables.history.real_hands.setup import setup
from tables.history.real_hands.stud_deck import CannotBeDealt
from tables.statistics.counters import HandCounters, HandDecisions, follow_hand
from tests.bench.engine.recorded import GAMES, recorded
from tests.tables.engine.scene import scene
from tests.tables.statistics import slow_count

CORPUS = Path(os.environ.get("REAL_HANDS", "../shared/corpus/real_hands.jsonl"))
"""Hands of people, which are not part of the project."""

SETS = HandDecisions.__struct_fields__


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_random_hands_count_as_their_events_do(game: Any) -> None:
    seen: Counter[str] = Counter()
    for hand in recorded(game, 150, to_showdown=False):
        actions = tuple(Played(*one) for one in hand.actions)
        ours = follow_hand(hand.setup, actions)
        dealt = [player.seat for player in hand.setup.players]
        assert ours == slow_count.from_events(replay(hand.setup, actions), dealt).course()
        seen.update({name: len(getattr(ours, name)) for name in SETS})
    assert all(seen[name] for name in SETS), seen


def test_hands_of_people_count_as_their_records_do(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Played] = []
    real = decide_action

    def decide(state: Any, seat: int, action: Action) -> Any:
        done.append(Played(seat, action))
        return real(state, seat, action)

    monkeypatch.setattr(real_replay, "decide", decide)
    lines = CORPUS.read_bytes().splitlines() if CORPUS.exists() else []
    compared = 0
    for line in lines:
        done.clear()
        try:
            hand = read(line)
            real_replay.replay(hand)
        except (real_replay.NotExact, CannotBeDealt, ValueError):
            continue
        if hand.away:
            continue  # absent players fold in the record before it is their turn
        assert follow_hand(setup(hand), done) == slow_count.from_people(hand).course(), hand.id
        compared += 1
    assert compared >= len(lines) * 0.5


def course(*acts: tuple[int, Action], **terms: Any) -> dict[str, set[int]]:
    """Sets of seats that are not empty, of four with a button at 1, blinds at 2 and 3."""
    made = scene(dict.fromkeys((1, 2, 3, 4), 1_000), **terms).does(*acts)
    assert made.now.finished
    found = follow_hand(made.setup, [Played(*one) for one in acts])
    return {name: group for name in SETS if (group := getattr(found, name))}


def test_a_raise_a_three_bet_and_a_fold() -> None:
    assert course((4, Raise(300)), (1, Fold()), (2, Raise(900)), (3, Fold()), (4, Fold())) == {
        "live": {2}, "voluntary": {2, 4}, "raised": {2, 4}, "chances": {1, 2}, "three_bets": {2},
    }  # fmt: skip


def test_blinds_are_no_choice_and_a_walk_is_won_without_one() -> None:
    assert course((4, Fold()), (1, Fold()), (2, Fold())) == {"live": {3}}


def test_limpers_see_the_flop_and_the_big_blind_checks_without_a_choice() -> None:
    checks = [(seat, Check()) for _ in range(3) for seat in (2, 3, 4)]
    assert course((4, Call()), (1, Fold()), (2, Call()), (3, Check()), *checks) == {
        "live": {2, 3, 4}, "voluntary": {2, 4}, "saw_second": {2, 3, 4},
    }  # fmt: skip


def test_a_player_all_in_before_the_flop_sees_it() -> None:
    found = course((4, Raise(1_000)), (1, Fold()), (2, Fold()), (3, Call()))
    assert found["saw_second"] == found["live"] == found["voluntary"] == {3, 4}
    assert found["chances"] == {1, 2, 3}


def test_players_whom_the_blinds_put_all_in_see_the_flop() -> None:
    made = scene({1: 10, 2: 40})
    assert made.now.finished
    assert follow_hand(made.setup, []).saw_second == {1, 2}


def test_a_fourth_bet_is_no_third_one() -> None:
    found = course(
        (4, Raise(200)), (1, Raise(400)), (2, Raise(700)), (3, Fold()), (4, Fold()), (1, Fold())
    )
    assert found["raised"] == {4, 1, 2} and found["three_bets"] == found["chances"] == {1}


def test_counts_are_added_field_by_field() -> None:
    one = HandCounters(*range(11))
    assert added(one, HandCounters()) == one
    assert added(one, one) == HandCounters(*range(0, 22, 2))
