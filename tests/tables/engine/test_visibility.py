"""A viewer sees only own and shown cards (S-01..S-04)."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from tables.engine.actions import Call, Check, Fold, Raise, Show
from tables.engine.cards import DECK
from tables.engine.events import (
    CardsShown,
    Event,
    HandBegan,
    HandEvent,
    HandsRevealed,
    HoleCardsDealt,
    Options,
    StreetDealt,
)
from tables.engine.refusals import CannotShow
from tables.engine.visibility import look_up, view
from tests.tables.engine.plays import random_play
from tests.tables.engine.scene import Scene, scene
from tests.tables.engine.shown_state import view_state

HOLE = {1: ("Ac", "Ad"), 2: ("Kc", "Kd"), 3: ("Qc", "Qd")}


def cards_in(message: object) -> set[str]:
    """Every card readable in an encoded message."""
    text = msgspec.json.encode(message).decode()
    return {card for card in DECK if card in text}


def open_cards(event: HandEvent) -> set[str]:
    """Face-up cards of an event."""
    match event:
        case HoleCardsDealt():
            return set(event.cards[len(event.cards) - event.up :])
        case HandsRevealed():
            return {card for _, cards in event.hands for card in cards}
        case StreetDealt() | CardsShown():
            return set(event.cards)
    return set()


def test_view_leaks_no_card_in_any_event_of_random_hands() -> None:
    leaky = 0
    kinds: set[type] = set()
    for seed in range(300):
        told = random_play(seed)
        for event in told.events:
            kinds.add(type(event))
            for audience in (None, *told.states[0].order):
                allowed = open_cards(event)
                if isinstance(event, HoleCardsDealt) and event.seat == audience:
                    allowed = set(event.cards)
                assert cards_in(view(event, audience)) <= allowed
                leaky += cards_in(event) > cards_in(view(event, audience))
    assert leaky > 1_000, "there was something that could leak"
    assert kinds == set(HandEvent.__args__), "every kind of event was seen"


def full_of_cards(kind: type) -> HandEvent:
    """An event of a kind with a card in every field that may hold one."""
    for told in PLAYS:
        for event in told.events:
            if type(event) is kind:
                cards = {name: ("As", "Kd") for name in CARD_FIELDS if hasattr(event, name)}
                return msgspec.structs.replace(event, **cards, **DOWN.get(kind, {}))
    raise AssertionError(kind)


CARD_FIELDS = ("cards", "deck")
DOWN: dict[type, dict[str, int]] = {HoleCardsDealt: {"up": 0}}
PLAYS = [random_play(seed) for seed in range(60)]
HIDES: dict[type, set[str]] = {HandBegan: {"deck"}, HoleCardsDealt: {"cards"}}
"""The events with cards that somebody may not see, and the fields these are in."""


@pytest.mark.parametrize("kind", HandEvent.__args__, ids=lambda kind: kind.__name__)
def test_each_kind_of_event_hides_its_cards_and_names_none_elsewhere(kind: type) -> None:
    event = full_of_cards(kind)
    named = {
        field.name for field in msgspec.structs.fields(kind) if cards_in(getattr(event, field.name))
    }
    public = view(event, None)
    kept = {name for name in named if cards_in(getattr(public, name))}
    assert named - kept == HIDES.get(kind, set())
    assert not kept or kind in (StreetDealt, CardsShown, HandsRevealed)


def test_view_state_shows_a_viewer_his_own_and_open_cards_only() -> None:
    for seed in range(60):
        told = random_play(seed)
        for audience in (None, *told.states[0].order):
            seen: set[str] = set()
            for event, state in zip(told.events, told.states, strict=True):
                seen |= cards_in(view(event, audience)) - {"??"}
                assert cards_in(view_state(state, audience)) <= seen


def test_the_deck_is_on_no_stream() -> None:
    began = scene({1: 1000, 2: 1000}).events[0]
    assert isinstance(began, HandBegan) and len(began.deck) == 52
    for audience in (None, 1, 2):
        assert view(began, audience) == msgspec.structs.replace(began, deck=())


def test_only_the_owner_sees_hole_cards() -> None:
    hand = scene({1: 1000, 2: 1000, 3: 1000}, hole=HOLE)
    dealt = {event.seat: event for event in hand.all(HoleCardsDealt)}
    assert view(dealt[2], 2).cards == ("Kc", "Kd")
    assert view(dealt[2], 1).cards == view(dealt[2], None).cards == ("??", "??")


def test_a_hidden_event_keeps_its_place_as_a_shadow() -> None:
    for seed in range(20):
        for event in random_play(seed).events:
            shadow: Event = view(event, None)
            assert type(shadow) is type(event)


@pytest.mark.rule("D-01")
def test_stud_cards_face_up_are_public_and_the_others_private() -> None:
    hand = scene(
        {1: 1000, 2: 1000},
        variant="stud",
        limit="fixed_limit",
        stakes=msgspec.structs.replace(
            scene({1: 9, 2: 9}).setup.rules.stakes, bring_in=10, small_bet=40
        ),
        hole={1: ("Ac", "Ad", "9h"), 2: ("Kc", "Kd", "2h")},
    )
    dealt = {event.seat: event for event in hand.all(HoleCardsDealt)}
    assert view(dealt[1], 2).cards == ("??", "??", "9h")
    assert view_state(hand.now, 2).seat(1).cards == ("??", "??", "9h")
    assert view_state(hand.now, 2).seat(2).cards == ("Kc", "Kd", "2h")


def showdown(options: Options = Options()) -> Scene:  # noqa: B008
    """Seats 2 and 1 reach the showdown, 2 shows queens up, 1 mucks; 3 folded before the flop."""
    hand = scene(
        {1: 1000, 2: 1000, 3: 1000},
        hole={1: ("8c", "8d"), 2: ("Kc", "Kd"), 3: ("Qc", "Qd")},
        board=("2c", "3h", "4h", "Ts", "Jc"),
        options=options,
    )
    hand.does((1, Raise(200)), (2, Call()), (3, Fold()))
    return hand.does(*[(seat, Check()) for _ in range(3) for seat in (2, 1)])


@pytest.mark.rule("S-01")
def test_showdown_choices_are_visible_to_no_viewer() -> None:
    hand = scene({1: 1000, 2: 1000, 3: 1000}, open_losers=(1,), closed_losers=(2,))
    began = hand.events[0]
    assert isinstance(began, HandBegan)
    assert (began.open_losers, began.closed_losers) == ((1,), (2,))
    for audience in (None, 1, 2, 3):
        seen = view(began, audience)
        assert seen.open_losers == seen.closed_losers == ()
        state = view_state(hand.now, audience)
        assert state.open_losers == state.closed_losers == ()


@pytest.mark.rule("S-01")
def test_a_mucked_hand_is_not_shown_at_the_table() -> None:
    hand = showdown()
    assert hand.now.seat(1).mucked
    for audience in (None, 2, 3):
        public = [view(event, audience) for event in hand.events]
        assert not {"8c", "8d"} & cards_in(public)
        assert view_state(hand.now, audience).seat(1).cards == ("??", "??")


@pytest.mark.rule("S-03")
def test_seats_that_were_dealt_in_may_look_up_every_hand_at_the_showdown() -> None:
    hand = showdown()
    for audience in (1, 2, 3):
        assert dict(look_up(hand.now, audience)) == {1: ("8c", "8d"), 2: ("Kc", "Kd")}
    assert look_up(hand.now, None) == look_up(hand.now, 7) == ()


@pytest.mark.rule("S-03")
def test_mucked_hands_stay_secret_by_setting() -> None:
    hand = showdown(Options(muck_secret=True))
    assert look_up(hand.now, 2) == ()


@pytest.mark.rule("S-03")
def test_no_hand_can_be_looked_up_before_the_end_or_without_a_showdown() -> None:
    hand = scene({1: 1000, 2: 1000, 3: 1000}, hole=HOLE)
    assert look_up(hand.now, 1) == ()
    hand.does((1, Fold()), (2, Fold()))
    assert hand.now.finished
    assert look_up(hand.now, 1) == look_up(hand.now, 3) == ()


@pytest.mark.rule("S-02")
def test_showing_one_card_after_the_hand_keeps_the_other() -> None:
    hand = scene({1: 1000, 2: 1000, 3: 1000}, hole=HOLE)
    hand.does((1, Fold()), (2, Fold()), (3, Show("second")))
    assert view_state(hand.now, None).seat(3).cards == ("??", "Qd")
    assert "Qc" not in cards_in([view(event, 1) for event in hand.events])
    hand.does((3, Show("first")))
    assert view_state(hand.now, None).seat(3).cards == ("Qc", "Qd")


@pytest.mark.rule("S-02")
def test_a_seat_that_mucked_at_the_showdown_may_show_afterwards() -> None:
    hand = showdown()
    assert hand.now.seat(1).mucked
    hand.does((1, Show("both")))
    assert view_state(hand.now, None).seat(1).cards == ("8c", "8d")


@pytest.mark.rule("S-03")
@pytest.mark.parametrize("cards", ["first", "second", "both"])
def test_folded_cards_are_never_shown(cards: Literal["first", "second", "both"]) -> None:
    walked = scene({1: 1000, 2: 1000, 3: 1000}, hole=HOLE).does((1, Fold()), (2, Fold()))
    for hand, folded in ((walked, 2), (showdown(), 3)):
        before, events = hand.now, len(hand.events)
        with pytest.raises(CannotShow):
            hand.does((folded, Show(cards)))
        assert hand.now == before and len(hand.events) == events
