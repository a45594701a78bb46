"""Timelines of hands told again: cards, times and chances of every event."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tables.cardsup.events import HandChances
from tables.cardsup.timeline import TimedEvent, timeline
from tables.dealer import record
from tables.engine.events import Folded, HandBegan, HandsRevealed, HoleCardsDealt, StreetDealt
from tables.engine.visibility import view
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
            if one.call:
                assert one.need_bp == 10_000 * one.call // (one.pot + one.call)
            else:
                assert one.need_bp == 0
    # Blinds 50 and 100: the first of three to act pays 100 into a pot of 150 that becomes 250.
    assert (chances[0].pot, chances[0].call, chances[0].need_bp) == (150, 100, 4_000)
