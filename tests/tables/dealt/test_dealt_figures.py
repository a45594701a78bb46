"""Figures of dealt cards: counted from records, without anything that a player was not shown."""

from __future__ import annotations

from itertools import permutations
from random import Random

import msgspec
import pytest

from config.sums import added
from tables.chance import holes
from tables.chance.probabilities import normal_tails
from tables.dealt.drawing import kind_bars
from tables.dealt.figures import DealtFigures, dealt_figures
from tables.dealt.judging import judge
from tables.engine.actions import Action, Call, Check, Fold, Raise
from tables.engine.cards import DECK, RANKS, SUITS
from tables.statistics.drawing import sum_graph
from tests.tables.conduct.hands import hand_of

ALL_IN = hand_of(
    {1: 1_000, 2: 1_000},
    (1, Raise(1_000)),
    (2, Call()),
    hole={1: "As Ah", 2: "Kd Qd"},
    board="2c 7h 9s Js 3c",
)


def _of_kinds(counts: tuple[int, ...], names: str) -> dict[str, int]:
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def test_a_hand_counts_own_cards_and_the_board() -> None:
    own = dealt_figures(ALL_IN)[10, 2]
    assert (own.hands, own.pairs, own.suited, own.premium) == (1, 1, 0, 1)
    assert _of_kinds(own.ranks, RANKS) == {"A": 2}
    assert _of_kinds(own.suits, SUITS) == {"h": 1, "s": 1}
    assert _of_kinds(own.board_ranks, RANKS) == dict.fromkeys("2379J", 1)
    other = dealt_figures(ALL_IN)[20, 2]
    assert (other.pairs, other.suited, other.premium) == (0, 1, 0)


def test_an_all_in_compares_the_pot_with_the_chances_of_open_hands() -> None:
    first, second = dealt_figures(ALL_IN)[10, 2], dealt_figures(ALL_IN)[20, 2]
    unit = ALL_IN.setup.rules.stakes.big_blind
    pot = 100 * 2_000 // unit
    assert (first.all_ins, first.won, second.won) == (1, pot, 0)
    assert first.due + second.due == pytest.approx(pot, abs=2)
    assert first.due / pot == pytest.approx(0.83, abs=0.08), "aces against king and queen"
    assert 0 < first.spread < pot * pot / 4 + 1


def test_a_hand_without_open_cards_is_no_all_in() -> None:
    folded = hand_of({1: 1_000, 2: 1_000}, (1, Fold()), hole={1: "As Ah", 2: "Kd Qd"})
    for own in dealt_figures(folded).values():
        assert (own.hands, own.all_ins, own.won, sum(own.board_ranks)) == (1, 0, 0, 0)
    checks: list[tuple[int, Action]] = [(2, Check()), (1, Check())] * 3
    shown = hand_of(
        {1: 1_000, 2: 1_000}, (1, Call()), (2, Check()), *checks,
        hole={1: "As Ah", 2: "Kd Qd"}, board="2c 7h 9s Js 3c",
    )  # fmt: skip
    assert [own.all_ins for own in dealt_figures(shown).values()] == [0, 0]


def test_figures_do_not_depend_on_cards_that_were_folded() -> None:
    """The flop leaves 990 completions, of which drawn ones follow from open cards alone."""
    acts: list[tuple[int, Action]] = [(1, Raise(1_000)), (2, Call()), (3, Fold())]
    found = []
    for folded in ("Ad Ac", "4h 4c"):
        record = hand_of(
            {1: 1_000, 2: 1_000, 3: 1_000}, *acts,
            hole={1: "As Ah", 2: "Kd Qd", 3: folded}, board="2c 7h 9s Js 3c",
        )  # fmt: skip
        found.append({key: own for key, own in dealt_figures(record).items() if key[0] != 30})
    assert found[0] == found[1]


def test_a_sum_has_all_lists_place_by_place() -> None:
    own = dealt_figures(ALL_IN)[10, 2]
    twice = added(own, own)
    assert twice.hands == 2 and twice.ranks[-1] == 4 and twice.won == 2 * own.won
    assert added(own, DealtFigures()) == own


def _dealt(hands: int, cards: int, seed: int) -> DealtFigures:
    lot, deck = Random(seed), range(len(DECK))
    ranks, suits, kinds = [0] * 13, [0] * 4, dict.fromkeys((*holes.CLASSES, "premium"), 0)
    for _ in range(hands):
        hole = lot.sample(deck, cards)
        for card in hole:
            ranks[card // 4] += 1
            suits[card % 4] += 1
        if cards == 2:
            kinds[holes.hole_class(hole)] += 1
            kinds["premium"] += holes.is_premium(hole)
    return DealtFigures(
        hands=hands, ranks=tuple(ranks), suits=tuple(suits),
        pairs=kinds["pair"], suited=kinds["suited"], premium=kinds["premium"],
    )  # fmt: skip


def test_chances_of_honest_cards_are_spread_evenly_also_for_several_cards() -> None:
    """Without the correction for cards of one deck, Omaha's chances pile up near one."""
    below = dict.fromkeys(("ranks", "suits", "classes"), 0)
    rooms = 200
    for seed in range(rooms):
        for test in judge({2: _dealt(150, 2, seed), 5: _dealt(150, 5, seed + rooms)}):
            if test.name in below:
                below[test.name] += test.chance < 0.5
    for name, count in below.items():
        score = (count - rooms / 2) / (rooms / 4) ** 0.5
        assert normal_tails(score) > 1e-4, (name, count)


def test_few_hands_are_not_judged_and_planted_favour_is_found() -> None:
    assert {test.verdict for test in judge({})} == {"few"}
    assert {test.verdict for test in judge({2: _dealt(5, 2, 1)})} == {"few"}
    honest = _dealt(5_000, 2, 7)
    assert {test.verdict for test in judge({2: honest})} <= {"holds", "seldom"}
    ranks = (*honest.ranks[:-1], 2 * honest.ranks[-1])
    aces = msgspec.structs.replace(honest, ranks=ranks, premium=2 * honest.premium)
    verdicts = {test.name: test.verdict for test in judge({2: aces})}
    assert verdicts["ranks"] == verdicts["premium"] == "alarm"
    pairs = msgspec.structs.replace(honest, pairs=honest.pairs * 3 // 2)
    assert {test.name: test.verdict for test in judge({2: pairs})}["classes"] == "alarm"


def test_premium_and_classes_are_those_of_all_two_cards() -> None:
    both = list(permutations(range(len(DECK)), 2))
    shares = [sum(holes.hole_class(two) == name for two in both) for name in holes.CLASSES]
    assert [count / len(both) for count in shares] == pytest.approx(list(holes.CLASS_SHARES))
    assert sum(map(holes.is_premium, both)) / len(both) == pytest.approx(holes.PREMIUM_SHARE)


def test_needed_hands_and_least_excess_are_one_relation() -> None:
    share = holes.PREMIUM_SHARE
    hands = holes.hands_needed(share, 0.2, holes.ALARM)
    assert 45_000 < hands < 55_000, "about as fairness.md says"
    assert holes.least_excess(hands, share, holes.ALARM) == pytest.approx(0.2, rel=0.001)
    assert holes.least_excess(10, share) is None


def test_bars_and_lines_stay_inside_their_drawing() -> None:
    assert kind_bars("ab", (0, 0), 0, 1) is None and sum_graph([]) is None
    drawn = kind_bars("ab", (10, 30), 20, 4)
    assert drawn is not None
    assert [(bar.more, bar.y, bar.height) for bar in drawn.bars] == [(-10, 60, 60), (10, 0, 60)]
    line = sum_graph([5.0, -10.0])
    assert line is not None and line.points == "0.0,80.0 320.0,0.0 640.0,160.0"
    assert (line.lowest, line.highest, line.last) == (-5, 5, -5)
