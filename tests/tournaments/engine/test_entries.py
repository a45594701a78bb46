"""Limits of buying in, again or more, by every setting; merging of one player's entries."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.refusals import Refusal
from tournaments.engine.entries import (
    LateRegistration,
    Rebuys,
    Threshold,
    TournamentProgress,
    check_entry,
    check_late,
    check_rebuy,
    entries_open,
    prize_pool,
    rebuy_limit,
)
from tournaments.engine.merging import LiveEntry, merges, merging_is_due


def course(**more: object) -> TournamentProgress:
    given = {"level": 1, "elapsed_ms": 0, "left": 100, "somebody_out": False}
    return TournamentProgress(**{**given, "hand_for_hand": False, **more})  # type: ignore[arg-type]


@pytest.mark.rule("E-01")
@pytest.mark.parametrize(
    ("late", "last_open", "first_closed"),
    [
        (LateRegistration("at_level", 6), {"level": 6}, {"level": 7}),
        (LateRegistration("at_time", 60_000), {"elapsed_ms": 59_999}, {"elapsed_ms": 60_000}),
        (LateRegistration("at_left", 50), {"left": 51}, {"left": 50}),
        (LateRegistration("at_first_out"), {"somebody_out": False}, {"somebody_out": True}),
    ],
)
def test_late_registration_ends_in_four_ways(
    late: LateRegistration, last_open: dict[str, object], first_closed: dict[str, object]
) -> None:
    assert entries_open(late, course(**last_open))
    assert not entries_open(late, course(**first_closed))


@pytest.mark.rule("E-07")
def test_hand_for_hand_closes_all_buying() -> None:
    assert not entries_open(LateRegistration("at_level", 6), course(hand_for_hand=True))
    rebuys = Rebuys(threshold="full", per_player=3, until_level=6)
    with pytest.raises(Refusal) as refused:
        check_rebuy(rebuys, course(hand_for_hand=True), chips=0, starting_stack=100, bought=0)
    assert refused.value.code == "rebuys_closed"


@pytest.mark.rule("T-04")
@pytest.mark.rule("E-01")
def test_settings_of_late_registration_that_contradict_are_refused() -> None:
    assert not entries_open(LateRegistration("never_open"), course())
    for late, reentry, code in [
        (LateRegistration("at_first_out"), True, "reentry_after_first_out"),
        (LateRegistration("at_level", 0), False, "bad_late_end"),
        (LateRegistration("at_time", -1), False, "bad_late_end"),
    ]:
        with pytest.raises(Refusal) as refused:
            check_late(late, reentry=reentry)
        assert refused.value.code == code
    check_late(LateRegistration("at_first_out"), reentry=False)
    check_late(LateRegistration("never_open"), reentry=True)


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-03")
@pytest.mark.rule("T-15")
@pytest.mark.parametrize(
    ("live", "entered", "several", "is_open", "is_barred", "code"),
    [
        (0, 2, False, True, False, ""),
        (2, 2, True, True, False, ""),
        (1, 1, False, True, False, "already_registered"),
        (1, 3, False, False, False, "already_registered"),
        (0, 3, False, True, False, "no_more_entries"),
        (2, 3, True, True, False, "no_more_entries"),
        (0, 0, False, False, False, "registration_closed"),
        (2, 3, True, False, False, "registration_closed"),
        (0, 1, False, True, True, "disqualified"),
        (1, 2, True, True, True, "disqualified"),
    ],
)
def test_no_two_live_entries_at_once_unless_set_and_never_more_than_allowed(
    live: int, entered: int, several: bool, is_open: bool, is_barred: bool, code: str
) -> None:
    refused = pytest.raises(Refusal) if code else nullcontext()
    with refused as refusal:
        check_entry(
            live=live,
            entered=entered,
            entries_max=3,
            several_at_once=several,
            is_open=is_open,
            is_barred=is_barred,
        )
    assert refusal is None or refusal.value.code == code


@pytest.mark.rule("E-04")
@pytest.mark.rule("E-06")
@pytest.mark.parametrize(("threshold", "limit"), [("zero", 0), ("half", 750), ("full", 1500)])
def test_a_rebuy_has_three_thresholds(threshold: Threshold, limit: int) -> None:
    assert rebuy_limit(threshold, 1500) == limit
    rebuys = Rebuys(threshold=threshold, per_player=2, until_level=4)
    check_rebuy(rebuys, course(level=4), chips=limit, starting_stack=1500, bought=1)
    for code, chips, bought, level in [
        ("too_many_chips", limit + 1, 0, 1),
        ("no_more_rebuys", 0, 2, 1),
        ("rebuys_closed", 0, 0, 5),
    ]:
        with pytest.raises(Refusal) as refused:
            check_rebuy(
                rebuys, course(level=level), chips=chips, starting_stack=1500, bought=bought
            )
        assert refused.value.code == code


@pytest.mark.rule("Z-01")
@pytest.mark.rule("T-10")
def test_a_guarantee_tops_the_pool_up_and_never_more() -> None:
    assert prize_pool(contributions=600, added=100, guarantee=1_000) == 1_000
    assert prize_pool(contributions=1_600, added=100, guarantee=1_000) == 1_700
    assert prize_pool(contributions=0, added=500, guarantee=0) == 500


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-08")
def test_entries_of_one_player_merge_into_the_largest_the_smallest_first() -> None:
    own = [LiveEntry(1, 7, 500), LiveEntry(2, 7, 900), LiveEntry(3, 7, 100), LiveEntry(4, 8, 100)]
    assert [(merge.entry, merge.into) for merge in merges(own)] == [(3, 2), (1, 2)]
    equal = [LiveEntry(5, 7, 500), LiveEntry(6, 7, 500)]
    assert [(merge.entry, merge.into) for merge in merges(equal)] == [(6, 5)]


@pytest.mark.rule("E-03")
def test_entries_merge_when_few_players_are_left_or_all_entries_fit_one_table() -> None:
    assert not merging_is_due(players=5, at_players=4, fits_one_table=False)
    assert merging_is_due(players=4, at_players=4, fits_one_table=False)
    assert merging_is_due(players=9, at_players=0, fits_one_table=True)


@pytest.mark.rule("E-03")
@given(st.integers(1, 10), st.integers(0, 2**32))
def test_each_player_keeps_one_entry_that_had_the_most_chips(players: int, seed: int) -> None:
    lot = Random(seed)
    live = [
        LiveEntry(entry, lot.randrange(players), lot.randrange(1, 1_000)) for entry in range(20)
    ]
    planned = merges(live)
    by_entry = {entry.entry: entry for entry in live}
    absorbed = [merge.entry for merge in planned]
    assert len(set(absorbed)) == len(absorbed) == len(live) - len({one.user for one in live})
    for merge in planned:
        entry, into = by_entry[merge.entry], by_entry[merge.into]
        assert entry.user == into.user and entry.chips <= into.chips
        assert merge.into not in absorbed
