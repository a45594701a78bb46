"""Properties of seals, cuts and positions for any input."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tables.engine.actions import Action, Bet, Call, Check, Fold
from tables.engine.begin import begin
from tables.engine.betting import legal_actions
from tables.engine.decide import decide
from tables.engine.events import HandEvent, HoleCardsDealt, StreetDealt
from tables.engine.evolve import evolve
from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS
from tables.fairness import cutting, notes, signing
from tables.fairness.course import FIELDS, course_line, course_of, first_link
from tables.fairness.cutting import CutState, RosterRow
from tables.fairness.encoding import hand_id, optional_hash, room_id, tag
from tables.fairness.openings import open_positions
from tables.fairness.positions import dealt_positions
from tables.fairness.sampling import permute
from tables.fairness.sealing import CARDS, seal_deck
from tables.wire.table_events import ButtonDrawn
from tests.tables.engine.plays import random_play
from tests.tables.engine.random_hands import random_setup
from tests.tables.fairness import forger
from tests.tables.fairness.forger import Forger, public_event
from tests.tables.fairness.verifier import failures

ROOM = room_id("room.example/fair")
HAND = hand_id(ROOM, table=1, epoch=2, hand=3)
SEAL = bytes(range(32))
HANDS = 300

seeds = st.binary(min_size=32, max_size=32)
hand_ids = st.builds(
    lambda table, epoch, hand: hand_id(ROOM, table=table, epoch=epoch, hand=hand),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**32 - 1),
)
rosters = st.lists(
    st.tuples(st.integers(0, 255), st.sampled_from(CutState), seeds),
    min_size=1,
    max_size=9,
    unique_by=lambda row: row[0],
).map(lambda rows: [row_of(*row) for row in rows])


def row_of(seat: int, state: CutState, opened: bytes) -> RosterRow:
    """Row of a seat with a pledge and a seed as its state has them."""
    pledge = cutting.pledge_of(ROOM, 700 + seat, opened)
    if state is CutState.NO_PLEDGE:
        return RosterRow(seat, 700 + seat)
    seen = opened if state >= CutState.OPENED else None
    return RosterRow(seat, 700 + seat, pledge, state, seen)


def cut_for(roster: list[RosterRow]) -> tuple[int, ...]:
    """Cut of a hand that is called with this roster."""
    call = cutting.call_of(HAND, SEAL, roster)
    return cutting.cut_of(cutting.cut_key_of(call, roster), HAND)


@seed(1)
@settings(max_examples=60, deadline=None, database=None)
@given(secret=seeds, hand=hand_ids, roster=rosters)
def test_any_secret_and_seeds_make_a_permutation(
    secret: bytes, hand: bytes, roster: list[RosterRow]
) -> None:
    deck = seal_deck(secret, hand)
    cut = cut_for(roster)
    assert sorted(deck.order) == sorted(cut) == list(range(CARDS))
    assert sorted(cutting.cut_deck(deck.order, cut)) == list(range(CARDS))
    assert len(set(deck.envelopes)) == len(set(deck.salts)) == CARDS
    assert cut_for(roster) == cut


@seed(2)
@settings(max_examples=60, deadline=None, database=None)
@given(roster=rosters, data=st.data())
def test_any_changed_byte_of_roster_or_seed_changes_the_cut(
    roster: list[RosterRow], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(roster) - 1))
    row, other = roster[at], data.draw(st.integers(0, 31))
    changes: list[RosterRow] = [row._replace(entry=row.entry + 1), row._replace(seat=row.seat ^ 1)]
    if row.pledge:
        changes.append(row._replace(pledge=flipped(row.pledge, other)))
    if row.seed and row.state is CutState.OPENED:
        changes.append(row._replace(seed=flipped(row.seed, other)))
    taken = {other_row.seat for other_row in roster}
    for change in changes:
        if change.seat != row.seat and change.seat in taken:
            continue
        assert cut_for([*roster[:at], change, *roster[at + 1 :]]) != cut_for(roster)


def flipped(value: bytes, at: int) -> bytes:
    """The bytes with one bit of one byte changed."""
    return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]


@seed(3)
@settings(max_examples=40, deadline=None, database=None)
@given(roster=rosters)
def test_late_seeds_count_as_missing_and_the_order_of_rows_does_not_count(
    roster: list[RosterRow],
) -> None:
    missing = [
        row._replace(state=CutState.SILENT, seed=None) if row.state is CutState.LATE else row
        for row in roster
    ]
    assert cut_for(missing) == cut_for(roster) == cut_for(roster[::-1])


@seed(4)
@settings(max_examples=40, deadline=None, database=None)
@given(words=st.binary(max_size=40), count=st.integers(1, 9))
def test_permutations_of_any_bytes_are_whole_or_refused(words: bytes, count: int) -> None:
    try:
        assert sorted(permute(count, words)) == list(range(count))
    except ValueError:
        assert len(words) < 2 * (count - 1) or any(word == 0xFF for word in words[::2])


def test_each_place_is_equally_likely_over_all_words() -> None:
    counts = [0, 0, 0]
    for word in range(65_536):
        source = word.to_bytes(2, "big") + bytes(4)
        counts[permute(3, source)[2]] += 1 if word < 65_535 else 0
    assert counts == [21_845] * 3


def public(events: tuple[HandEvent, ...]) -> list[dict[str, Any]]:
    """Events as the public stream tells them."""
    return [public_event(event) for event in events]


def assert_positions(setup: HandSetup, events: tuple[HandEvent, ...]) -> None:
    """Each dealt card lies in the engine's deck where the public events say."""
    dealt = dealt_positions(public(events))
    hole: dict[int, list[str]] = {}
    for event in events:
        if isinstance(event, HoleCardsDealt):
            hole.setdefault(event.seat, []).extend(event.cards)
    board = [card for event in events if isinstance(event, StreetDealt) for card in event.cards]
    assert {seat: [setup.deck[at] for at in dealt.hole[seat]] for seat in dealt.hole} == hole
    assert [setup.deck[at] for at in dealt.board] == board
    assert {at: setup.deck[at] for at in dealt.shown} == dealt.shown
    used = [*dealt.burnt, *dealt.board, *(at for places in dealt.hole.values() for at in places)]
    assert sorted(used) == list(range(len(used)))


def test_positions_are_those_of_the_engine_in_random_hands_of_every_variant() -> None:
    seen = set()
    for number in range(HANDS):
        told = random_play(number)
        assert_positions(told.setup, told.events)
        seen.add(told.setup.rules.variant)
    assert seen == set(VARIANTS)


def stud_hand(live: list[int]) -> tuple[HandSetup, tuple[HandEvent, ...]]:
    """A stud hand of eight seats where so many are left in on each street."""
    setup = random_setup(Random(3), variant="stud", limit="no_limit", seats=8)
    players = tuple(replace(player, stack=10_000) for player in setup.players)
    setup = replace(setup, players=players)
    state: HandState | None = None
    events: list[HandEvent] = []
    happened = begin(setup)
    while True:
        for event in happened:
            state = evolve(state, event)
            events.append(event)
        assert state is not None
        if state.finished:
            return setup, tuple(events)
        assert state.actor is not None
        option = legal_actions(state, state.actor)
        next_street = live[min(state.round + 1, len(live) - 1)]
        action: Action = Check() if option.check else Call()
        if state.live.bit_count() > next_street:
            action = Bet(option.bet_min) if option.bet_min and option.check else Fold()
        happened = decide(state, state.actor, action)


@pytest.mark.parametrize(
    ("live", "board", "burnt"),
    [([8, 8, 8, 8, 8], 1, 3), ([8, 8, 8, 5, 4], 0, 3), ([8, 8, 8, 5, 3], 0, 4)],
    ids=["common card", "as many cards as seats", "one card more"],
)
def test_deck_that_runs_out_burns_as_the_engine_does(
    live: list[int], board: int, burnt: int
) -> None:
    setup, events = stud_hand(live)
    assert_positions(setup, events)
    dealt = dealt_positions(public(events))
    assert (len(dealt.board), len(dealt.burnt)) == (board, burnt)


def test_events_of_the_room_carry_each_field_of_their_lines() -> None:
    drawn = ButtonDrawn(cards=((1, "As"), (3, "Kd")), button=1)
    text = msgspec.json.decode(msgspec.json.encode(drawn))
    assert course_line(text) == "button_drawn ((1 As) (3 Kd)) 1"
    kinds = {"button_drawn"}
    for number in range(HANDS):
        for event in public(random_play(number).events):
            assert course_line(event).startswith(str(event["type"]))
            kinds.add(event["type"])
    assert kinds == set(FIELDS)


def test_unknown_events_and_missing_fields_have_no_line() -> None:
    for event in ({}, {"type": "chat"}, {"type": 5}, {"type": "posted", "seat": 1}):
        with pytest.raises(ValueError, match=r"no line|without"):
            course_line(event)


def test_course_without_its_last_event_is_another_one() -> None:
    events = public(random_play(5).events)
    links = {course_of(HAND, SEAL, events[:count]) for count in range(len(events) + 1)}
    assert len(links) == len(events) + 1
    assert course_of(HAND, SEAL, []) == first_link(HAND, SEAL)
    later = [event | {"new_field": 1} for event in events]
    assert course_of(HAND, SEAL, later) == course_of(HAND, SEAL, events)


def test_openings_are_the_shown_cards_the_own_ones_and_the_hands_looked_up() -> None:
    for number in range(HANDS):
        events = public(random_play(number).events)
        dealt = dealt_positions(events)
        void = dealt_positions(events[:-1])
        live = dealt.hole.keys() - dealt.folded
        assert events[-1]["type"] == "hand_ended" and void.showdown == set()
        assert dealt.showdown == (live if len(live) > 1 else set())
        everybody = open_positions(dealt)
        assert everybody == dict.fromkeys(sorted(dealt.shown), "all")
        assert open_positions(dealt, viewer=99, looked_up=list(dealt.hole)) == everybody
        for viewer in dealt.hole:
            opened = open_positions(dealt, viewer=viewer, looked_up=list(dealt.hole))
            assert open_positions(void, viewer=viewer, looked_up=list(dealt.hole)).keys() == (
                void.shown.keys() | set(dealt.hole[viewer])
            )
            own = {at for seat in {viewer, *dealt.showdown} for at in dealt.hole[seat]}
            assert opened.keys() == dealt.shown.keys() | own
            assert {at for at in opened if opened[at] == "all"} == dealt.shown.keys()


@pytest.mark.parametrize("variant", VARIANTS)
def test_proofs_of_random_hands_hold_for_every_viewer(variant: str) -> None:
    for number, limit in enumerate(VARIANTS[variant].limits):
        hand = Forger(number, variant=variant, seats=3)
        rules = replace(hand.setup.rules, limit=limit)
        hand.setup = replace(hand.setup, rules=rules)
        hand.viewer = hand.seats[number % 3]
        assert failures(hand.forge(), forger.LOG_PUBLIC, forger.CALL_PUBLIC) == set()


def test_malformed_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="longer than a tag"):
        tag("a purpose too long")
    with pytest.raises(ValueError, match="31 bytes"):
        optional_hash(bytes(31))
    with pytest.raises(ValueError, match="31 bytes"):
        seal_deck(bytes(31), HAND)
    with pytest.raises(OverflowError):
        hand_id(ROOM, table=1, epoch=1, hand=2**32)
    with pytest.raises(ValueError, match="ran out"):
        permute(52, bytes(100))


KEY = bytes([3]) * 32
HEAD = notes.LogHead("room.example/fair", 7, bytes(32))


@pytest.mark.parametrize(
    "damage",
    [
        lambda note: note.replace("\n7\n", "\n8\n"),
        lambda note: note.replace("\n7\n", "\n07\n"),
        lambda note: note.replace("room", "doom"),
        lambda note: note.replace("AAAA", "BAAA", 1),
        lambda note: note.replace("AAAA", "?AAA", 1),
        lambda note: note.replace("\n\n", "\n"),
        lambda note: note.partition("\n\n")[0] + "\n\n",
        lambda note: note.replace("\n\n", "\nmore\n\n"),
        lambda note: note[:-8] + "AAAAAA=\n",
        lambda note: "",
    ],
)
def test_heads_of_others_and_damaged_ones_are_refused(damage: Any) -> None:
    note, key = notes.sign_head(HEAD, KEY), signing.public_key_of(KEY)
    witnessed = note + "\N{EM DASH} witness.example AAAA\n"
    assert notes.open_head(note, HEAD.origin, key) == HEAD
    assert notes.open_head(witnessed, HEAD.origin, key) == HEAD
    with pytest.raises(ValueError, match=r"head|base64"):
        notes.open_head(damage(note), HEAD.origin, key)
