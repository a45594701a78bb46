"""Planned levels end near the target time, use common blinds, and never fall."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.refusals import Refusal
from tests.tournaments.structures import counted
from tournaments.engine import blind_plan
from tournaments.engine.blind_plan import SMALL_BLINDS, at_most, nearest
from tournaments.engine.presets import PRESETS
from tournaments.engine.structure import Break, for_stud
from tournaments.engine.terms import FormatTerms

PLAYERS, STACK = st.integers(2, 3_000), st.integers(100, 200_000)
MINUTES = st.integers(15, 12 * 60)
ANTES = st.sampled_from(["none", "per_seat", "big_blind"])


@pytest.mark.rule("L-01")
@settings(max_examples=400, deadline=None)
@given(players=PLAYERS, stack=STACK, minutes=MINUTES, ante_kind=ANTES)
def test_a_plan_ends_near_the_wanted_time(
    players: int, stack: int, minutes: int, ante_kind: str
) -> None:
    planned = blind_plan.plan(players, stack, minutes, ante_kind=ante_kind)  # type: ignore[arg-type]
    ends_ms = blind_plan.ends_after_ms(planned, chips=players * stack)
    assert ends_ms is not None
    wanted_ms = minutes * 60_000
    level_ms = planned.levels[0].lasts_ms
    assert abs(ends_ms - wanted_ms) <= max(1.5 * level_ms, 0.15 * wanted_ms)


@pytest.mark.rule("L-01")
@settings(max_examples=400, deadline=None)
@given(players=PLAYERS, stack=STACK, minutes=MINUTES, ante_kind=ANTES)
def test_a_plan_has_common_blinds_that_never_fall(
    players: int, stack: int, minutes: int, ante_kind: str
) -> None:
    levels = blind_plan.plan(players, stack, minutes, ante_kind=ante_kind).levels  # type: ignore[arg-type]
    smalls = [level.small_blind for level in levels]
    assert set(smalls) <= set(SMALL_BLINDS)
    assert all(level.big_blind == 2 * level.small_blind for level in levels)
    assert all(before < after for before, after in pairwise(smalls))
    antes = [level.ante for level in levels]
    assert antes == sorted(antes) and (ante_kind == "none") == (max(antes) == 0)
    assert stack >= 20 * levels[0].big_blind, "no stack starts with few big blinds"
    assert len({level.lasts_ms for level in levels}) == 1
    assert levels[0].lasts_ms % 60_000 == 0


@pytest.mark.rule("L-01")
def test_antes_are_amounts_that_people_pay_with_chips() -> None:
    antes = [level.ante for level in PRESETS["regular"].structure.levels]
    assert antes[4:14] == [5, 10, 10, 15, 20, 25, 35, 50, 60, 75]
    assert not any(ante % 5 for ante in antes)
    assert antes == sorted(antes)


@pytest.mark.rule("L-05")
def test_a_long_plan_has_a_break_about_every_hour() -> None:
    planned = blind_plan.plan(27, 10_000, 240)
    breaks = [item for item in planned.items if isinstance(item, Break)]
    assert len(breaks) == 3
    assert not any(isinstance(item, Break) for item in blind_plan.plan(27, 3_000, 90).items)


@pytest.mark.parametrize(
    ("players", "stack", "minutes", "code"),
    [
        (1, 1_000, 60, "plan_stack"),
        (10, 39, 60, "plan_stack"),
        (100_000, 10**9, 60, "plan_stack"),
        (10, 1_000, 9, "plan_length"),
        (10, 1_000, 2_881, "plan_length"),
    ],
)
def test_an_impossible_plan_is_refused(players: int, stack: int, minutes: int, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        blind_plan.plan(players, stack, minutes)
    assert refused.value.code == code


def test_the_ladder_begins_with_common_blinds() -> None:
    shown = [(small, 2 * small) for small in SMALL_BLINDS if 10 <= small <= 100]
    assert shown[:5] == [(10, 20), (15, 30), (20, 40), (25, 50), (30, 60)]
    assert (50, 100) in shown and (100, 200) in shown
    assert SMALL_BLINDS[at_most(24)] == 20 and SMALL_BLINDS[nearest(24)] == 25
    assert at_most(0.2) == nearest(0.2) == 0
    assert nearest(10**30) == len(SMALL_BLINDS) - 1


def test_the_end_is_estimated_for_stud_for_hands_and_for_half_a_field() -> None:
    turbo = PRESETS["turbo"].structure
    whole = blind_plan.ends_after_ms(turbo, chips=27 * 1_500)
    half = blind_plan.ends_after_ms(turbo, chips=27 * 1_500, left=14)
    assert whole is not None and half is not None and 0 < half < whole
    assert blind_plan.ends_after_ms(for_stud(turbo), chips=27 * 1_500) == whole
    by_hands = counted(turbo, hands=3)
    assert blind_plan.ends_after_ms(by_hands, chips=27 * 1_500) is not None
    assert blind_plan.ends_after_ms(turbo, chips=10**15) is None


@pytest.mark.rule("T-11")
def test_each_format_is_estimated_by_its_own_end() -> None:
    turbo = PRESETS["turbo"].structure
    told: dict[str, int] = {}
    for name in ("freezeout", "fifty_fifty", "shootout"):
        forecast_ms = blind_plan.forecast_ms(turbo, terms=_terms(name), players=9, stack=1_500)
        assert forecast_ms is not None
        told[name] = forecast_ms
    table = blind_plan.ends_after_ms(turbo, chips=3 * 1_500)
    assert told["freezeout"] == blind_plan.ends_after_ms(turbo, chips=9 * 1_500)
    assert table is not None and told["shootout"] == 2 * table
    assert told["fifty_fifty"] < told["freezeout"]
    limited = blind_plan.forecast_ms(
        turbo, terms=_terms("freezeout"), players=9, stack=1_500, play_time_ms=60_000
    )
    assert limited == 60_000


def _terms(name: str) -> FormatTerms:
    """Nine players of a format at tables of three."""
    return FormatTerms(name, "sit_and_go", 9, 9, 3, False, False)  # type: ignore[arg-type]
