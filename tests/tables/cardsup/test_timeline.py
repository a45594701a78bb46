"""Timelines of hands told again: cards, times and chances of every event."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tables.cardsup.events import HandChances
from tables.cardsup.timeline import TimedEvent, timeline
from tables.dealer import record
from tables.dealer.state import TableState
from tables.engine.events import (
    AnteKind,
    Folded,
    HandBegan,
    HandsRevealed,
    HoleCardsDealt,
    Stakes,
    StreetDealt,
)
from tables.engine.state import Rules
from tables.engine.visibility import view
from tests.tables import stages
from tests.tables.cardsup import played

SEEDS = range(12)


def of_hand(told: tuple[TimedEvent, ...]) -> list[TimedEvent]:
    """Events of the hand itself, without the chances."""
    return [timed for timed in told if not isinstance(timed.event, HandChances)]


@pytest.mark.parametrize("variant", ["holdem", "omaha", "omaha_hilo", "stud"])
@pytest.mark.parametrize("seats", [3, 8])
def test_a_hand_is_told_whole_in_order_with_all_cards_and_no_deck(variant: str, seats: int) -> None:
    for seed in SEEDS:
        kept = played.hand(seed, (900, 2_000, 1_500, *[800] * 5)[:seats], variant=variant)
        told = of_hand(timeline(kept))
        events = record.replay(kept.setup, kept.actions)
        assert [type(timed.event) for timed in told] == [type(event) for event in events]
        for timed, event in zip(told, events, strict=True):
            is_deal = isinstance(event, HoleCardsDealt)
            assert timed.event == (event if is_deal else view(event, None))
        began = told[0].event
        assert isinstance(began, HandBegan) and began.deck == () and kept.setup.deck


def test_actions_are_told_at_their_times_and_streets_of_a_run_out_at_theirs() -> None:
    hands = (played.hand(seed, (400, 400), street_pause_ms=2_000) for seed in range(100))
    kept = next(hand for hand in hands if _runs_out(hand))
    told = of_hand(timeline(kept))
    dealt, *followed = record.steps(kept.setup, kept.actions)
    at = len(dealt)
    assert {timed.at_ms for timed in told[:at]} == {0}
    for note, events in zip(kept.notes[:-1], followed[:-1], strict=True):
        assert {timed.at_ms for timed in told[at : at + len(events)]} == {note.at_ms}
        at += len(events)
    last_ms = kept.notes[-1].at_ms
    streets = [timed.at_ms for timed in told[at:] if isinstance(timed.event, StreetDealt)]
    assert streets == [last_ms + 2_000 * number for number in range(1, len(streets) + 1)]
    assert told[-1].at_ms == kept.released_ms - kept.began_ms


def _runs_out(kept: record.HandRecord) -> bool:
    return kept.released_ms - kept.began_ms > kept.notes[-1].at_ms


def test_records_without_notes_are_told_in_order_within_the_time_of_the_hand() -> None:
    kept = replace(played.hand(5, (900, 2_000, 1_500)), notes=())
    times = [timed.at_ms for timed in timeline(kept)]
    assert times == sorted(times)
    assert 0 == times[0] < times[-1] <= kept.ended_ms - kept.began_ms


@given(st.integers(0, 10_000), st.sets(st.integers(1, 3)))
def test_cards_of_hidden_seats_are_told_only_as_the_table_saw_them(
    seed: int, hidden: set[int]
) -> None:
    kept = played.hand(seed, (900, 2_000, 1_500))
    told = timeline(kept, hidden)
    for timed in told:
        if isinstance(timed.event, HoleCardsDealt):
            assert ("??" in timed.event.cards) == (timed.event.seat in hidden)
    live = {1, 2, 3}
    shown = False
    for timed in told:
        match timed.event:
            case HandChances(equities=equities) if live & hidden and not shown:
                assert equities == (), "chances that follow from hidden cards"
            case Folded(seat=seat):
                live.discard(seat)
            case HandsRevealed():
                shown = True


def test_chances_add_up_and_name_the_price_of_the_seat_to_act() -> None:
    for seed in SEEDS:
        kept = played.hand(seed, (900, 2_000, 1_500))
        chances = [one.event for one in timeline(kept) if isinstance(one.event, HandChances)]
        assert chances[0].seat is not None
        for one in chances:
            assert sum(equity.share_bp for equity in one.equities) == 10_000
            # Less where chips of others are more than the seat can win with its last one.
            assert one.need_bp >= 10_000 * one.call // (one.pot + one.call)
            assert bool(one.need_bp) == bool(one.call)
    # Blinds 50 and 100: the first of three to act pays 100 into a pot of 150 that becomes 250.
    assert (chances[0].pot, chances[0].call, chances[0].need_bp) == (150, 100, 4_000)


@pytest.mark.parametrize(("kind", "pot"), [("big_blind", 250), ("per_seat", 450), ("none", 150)])
def test_antes_are_in_the_pot_before_the_first_bets_are_collected(kind: AnteKind, pot: int) -> None:
    rules = Rules("holdem", "no_limit", Stakes(50, 100, 0 if kind == "none" else 100, kind))
    first = _chances(stages.dealt(stages.roster(900, 2_000, 1_500), rules=rules), "fold", "fold")[0]
    assert (first.pot, first.call) == (pot, 100)
    assert first.need_bp == 10_000 * 100 // (pot + 100)


def test_chips_that_the_caller_cannot_win_make_its_call_no_cheaper() -> None:
    state = stages.dealt(stages.roster(3_000, 400))
    raised = _chances(state, ("raise", 3_000), "fold")[-1]
    # All-in for 400 against 3,000: 300 more pay for 800, whatever else lies in the middle.
    assert (raised.seat, raised.pot, raised.call, raised.need_bp) == (2, 3_100, 300, 3_750)


def _chances(state: TableState, *acts: str | tuple[str, int]) -> list[HandChances]:
    """Chances of a hand in which the seats to act do this, one after the other."""
    for act in acts:
        given = stages.act(state, *((act,) if isinstance(act, str) else act))
        state, _ = stages.at(state, stages.START_MS, stages.by_actor(state, given))
    told = timeline(record.of(state))
    return [one.event for one in told if isinstance(one.event, HandChances)]
