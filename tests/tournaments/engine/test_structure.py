"""Structures, presets and the chip set match their source; unsound structures are refused."""

from __future__ import annotations

import pytest

from accounts.refusals import words_of
from config.refusals import Refusal
from tests.tournaments.structures import counted
from tournaments.engine.chip_set import CHIP_SET, HAND_OUT, Chips, chips_of
from tournaments.engine.presets import PRESETS
from tournaments.engine.structure import (
    BlindStructure,
    Break,
    Level,
    for_stud,
    stakes_of,
    timed,
    validate_structure,
)
from tournaments.models.structure import decoded

SOURCE = """
1 1/1 1/1 1/2
2 1/2 1/2 2/4
3 2/3 2/4 3/6
4 3/5 4/8 5/10
5 5/10 8/16 10/20
6 10/15 12/25 15/30
7 15/25 20/40 25/50
8 25/50 30/60 50/100
9 50/75 50/100 75/150
10 50/100 75/150 100/200
11 75/150 100/200 150/300
12 100/200 150/300 200/400
13 125/250 200/400 250/500
14 150/300 250/500 325/650
15 200/400 300/600 400/800
"""


@pytest.mark.rule("L-02")
def test_the_presets_of_the_source_have_its_fifteen_levels_and_stacks() -> None:
    rows = [line.split() for line in SOURCE.strip().splitlines()]
    for column, name in enumerate(("T100", "T200", "T300"), start=1):
        made = PRESETS[name]
        blinds = [f"{level.small_blind}/{level.big_blind}" for level in made.structure.levels]
        assert blinds == [row[column] for row in rows]
        assert made.starting_stack == int(name[1:])
        assert all(15 <= level.lasts_ms // 60_000 <= 30 for level in made.structure.levels)


@pytest.mark.rule("L-01")
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_is_sound_and_its_last_level_can_end_a_big_field(name: str) -> None:
    made = PRESETS[name]
    assert validate_structure(made.structure) == made.structure
    if name.startswith("T"):
        return
    whole_field = 3_000 * made.starting_stack
    last = made.structure.levels[-1]
    assert whole_field < 20 * (last.big_blind or last.small_bet)
    assert any(level.ante for level in made.structure.levels)


@pytest.mark.rule("L-02")
def test_levels_can_be_laid_out_by_time_or_by_hands() -> None:
    by_hands = counted(PRESETS["T100"].structure, hands=12)
    assert {(level.lasts_ms, level.lasts_hands) for level in by_hands.levels} == {(0, 12)}
    by_time = timed(by_hands, level_ms=15 * 60_000)
    assert {(level.lasts_ms, level.lasts_hands) for level in by_time.levels} == {(900_000, 0)}
    assert [level.big_blind for level in by_time.levels] == [
        level.big_blind for level in PRESETS["T100"].structure.levels
    ]


def level(small: int, big: int, **more: object) -> Level:
    return Level(**{"small_blind": small, "big_blind": big, "lasts_ms": 60_000, **more})  # type: ignore[arg-type]


@pytest.mark.rule("L-01")
@pytest.mark.parametrize(
    ("code", "items"),
    [
        ("no_levels", ()),
        ("break_outside", (Break(60_000), level(1, 2))),
        ("break_outside", (level(1, 2), Break(60_000))),
        ("zero_level", (level(0, 2),)),
        ("zero_level", (level(0, 0),)),
        ("big_below_small", (level(2, 1),)),
        ("falling_blinds", (level(2, 4), level(1, 4))),
        ("falling_blinds", (level(2, 4), Break(60_000), level(2, 3))),
        ("amount_out_of_range", (level(-1, 2),)),
        ("amount_out_of_range", (level(1, 10**12 + 1),)),
        ("bad_ante", (level(1, 2, ante=1),)),
        ("bad_ante", (level(1, 2, ante_kind="per_seat"),)),
        ("bad_length", (level(1, 2, lasts_ms=0),)),
        ("bad_length", (level(1, 2, lasts_ms=-5),)),
        ("bad_length", (level(1, 2, lasts_ms=0, lasts_hands=-5),)),
        ("bad_length", (level(1, 2), Break(0), level(1, 2))),
        ("two_lengths", (level(1, 2, lasts_hands=5),)),
        ("bad_bring_in", (level(1, 2, bring_in=1),)),
        ("bad_bring_in", (level(0, 0, small_bet=4, bring_in=5),)),
        ("blinds_in_stud", (level(1, 2, small_bet=4, bring_in=1),)),
        ("bad_big_bet", (level(5, 10, big_bet=9),)),
        ("bad_big_bet", (level(0, 0, small_bet=4, bring_in=1, big_bet=3),)),
        ("bad_spread", (level(5, 10, spread_max=9),)),
        ("amount_out_of_range", (level(5, 10, big_bet=-1),)),
        ("amount_out_of_range", (level(5, 10, spread_max=10**12 + 1),)),
        ("falling_blinds", (level(5, 10, big_bet=30), level(5, 10))),
        ("falling_blinds", (level(5, 10, spread_max=50), level(5, 10, spread_max=40))),
        ("too_many_levels", tuple(level(1, 2) for _ in range(201))),
    ],
)
def test_an_unsound_structure_is_refused_by_name(code: str, items: tuple[Level, ...]) -> None:
    with pytest.raises(Refusal) as refused:
        validate_structure(BlindStructure(items=items))
    assert refused.value.code == code
    assert words_of(refused.value).endswith(".")


@pytest.mark.rule("L-01")
def test_a_big_blind_equal_to_the_small_and_a_stud_level_are_sound() -> None:
    equal = BlindStructure(items=(level(1, 1), level(3, 5)))
    stud = BlindStructure(
        items=(level(0, 0, ante=1, ante_kind="per_seat", bring_in=2, small_bet=4),)
    )
    assert validate_structure(equal) == equal
    assert validate_structure(stud) == stud


@pytest.mark.rule("L-01")
def test_any_structure_of_blinds_has_its_stakes_of_stud() -> None:
    made = validate_structure(for_stud(PRESETS["regular"].structure))
    breaks = [isinstance(item, Break) for item in made.items]
    assert breaks == [isinstance(item, Break) for item in PRESETS["regular"].structure.items]
    first, tenth = made.levels[0], made.levels[9]
    assert (first.ante, first.bring_in, first.small_bet) == (2, 5, 20)
    assert (tenth.ante, tenth.bring_in, tenth.small_bet) == (25, 50, 200)
    assert not any(one.small_blind or one.big_blind for one in made.levels)
    assert for_stud(made) == made, "a stud level stays a stud level"
    of_ones = for_stud(BlindStructure(items=(level(1, 1),))).levels[0]
    assert (of_ones.ante, of_ones.bring_in, of_ones.small_bet) == (1, 1, 1)


@pytest.mark.rule("L-04")
def test_a_level_is_read_as_stakes_of_its_kind() -> None:
    blinds = stakes_of(level(10, 20, ante=20, ante_kind="big_blind"), "no_limit")
    assert (blinds.small_blind, blinds.big_blind, blinds.ante) == (10, 20, 20)
    assert blinds.small_bet == blinds.big_bet == 0, "the bets of blinds follow from them"
    stud = stakes_of(PRESETS["stud"].structure.levels[0], "fixed_limit")
    assert (stud.ante, stud.bring_in, stud.small_bet, stud.big_bet) == (2, 5, 20, 40)


@pytest.mark.rule("B-03")
@pytest.mark.rule("B-04")
def test_a_level_sets_the_big_bet_of_split_limit_and_the_maximum_of_a_spread() -> None:
    both = level(5, 10, big_bet=30, spread_max=50)
    limits = ("no_limit", "pot_limit", "fixed_limit", "spread_limit")
    assert [stakes_of(both, limit).big_bet for limit in limits] == [0, 0, 30, 50]
    plain = [stakes_of(level(5, 10), limit) for limit in limits]
    assert [(one.lower_bet, one.upper_bet) for one in plain] == [(10, 20)] * 4
    stud = for_stud(BlindStructure(items=(both,))).levels[0]
    assert (stud.small_bet, stud.big_bet, stud.spread_max) == (10, 30, 50)
    spread = stakes_of(PRESETS["stud_spread"].structure.levels[0], "spread_limit")
    assert (spread.lower_bet, spread.upper_bet) == (10, 50)


@pytest.mark.rule("L-01")
def test_stored_levels_without_own_bets_are_still_read() -> None:
    stored = [{"type": "level", "small_blind": 5, "big_blind": 10, "lasts_ms": 60_000}]
    assert decoded(stored).levels == (level(5, 10),)


def worth(chips: Chips) -> int:
    """Return the value of a pile of chips."""
    return sum(denomination * count for denomination, count in chips.items())


@pytest.mark.rule("L-03")
def test_the_chips_of_every_starting_stack_sum_to_it_and_fit_the_chip_set() -> None:
    for stack, rows in HAND_OUT.items():
        for players, chips in rows.items():
            assert worth(chips) == stack
            most = int(players[-1])
            for denomination, count in chips.items():
                assert most * count <= CHIP_SET[denomination], "no more chips than the set has"


@pytest.mark.rule("L-03")
def test_an_amount_is_drawn_with_the_fewest_chips() -> None:
    assert chips_of(298) == {100: 2, 25: 3, 5: 4, 1: 3}
    assert chips_of(0) == {}
    assert worth(chips_of(123_456_789)) == 123_456_789
