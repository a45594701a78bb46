"""Course of a hand as it is chained in play, beside the one of the whole hand replayed."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tables.dealer import boundary, record
from tables.dealer.commands import Received
from tables.dealer.cuts import pledged
from tables.dealer.sealed import CalledHand, call_hand
from tables.dealer.state import TableState
from tables.engine.state import Rules
from tables.engine.variants import VARIANTS
from tables.fairness.cutting import CutState, pledge_of
from tables.fairness.leaves import Fate, FateReason, fate_leaf
from tables.history.hand_proofs import logged_parts
from tables.records import hand_leaves, parts
from tables.wire.client_commands import CutDeck, ShowCards
from tests.tables import playing, stages

ROOM = bytes(16)
ORIGIN = "room.example/fair"
SEED = bytes(range(32))
SEALED = sorted(name for name, game in VARIANTS.items() if len(game.deck) == 52)


def _granted(chance: random.Random, variant: str, *, pause_ms: int) -> TableState:
    """Return a table whose first hand is granted and called, with one seed opened."""
    limit = "fixed_limit" if VARIANTS[variant].brings_in else "no_limit"
    stakes = replace(stages.STAKES, bring_in=10 if VARIANTS[variant].brings_in else 0)
    state = replace(stages.empty(6), next_seal=stages.sealed_hand(stages.empty(6)))
    seats = stages.roster(*(chance.randrange(150, 900) for _ in range(5)))
    pledge = pledge_of(ROOM, seats[0].entry, SEED)
    seats[0] = replace(seats[0], pledge=pledge)
    rules = Rules(variant=variant, limit=limit, stakes=stakes)
    grant = replace(stages.grant(state, seats), rules=rules)
    timing = replace(grant.timing, street_pause_ms=pause_ms)
    granted, _ = boundary.answer(
        state, replace(grant, timing=timing), now_ms=stages.START_MS, call=_call
    )
    cut = CutDeck(granted.table, granted.epoch, granted.hand_number, seed=SEED.hex())
    return stages.at(granted, stages.START_MS, Received(201, stages.START_MS, cut))[0]


def _call(granted: TableState) -> CalledHand:
    assert granted.next_seal is not None
    seats = [(seat.seat, seat.entry) for seat in granted.seats]
    cuts = pledged(granted.seats)
    return call_hand(
        granted.next_seal, seats, sign=lambda _: bytes(64), now_ms=stages.START_MS, cuts=cuts
    )


def _finished(seed: int, variant: str, *, pause_ms: int = 0) -> TableState:
    chance = random.Random(f"{variant} {seed}")
    state = _granted(chance, variant, pause_ms=pause_ms)
    now_ms = stages.START_MS
    for number in range(300):
        if state.phase == "finished":
            return state
        now_ms = max(now_ms, state.due_ms)
        received: tuple[Received, ...] = ()
        if state.phase == "hand":
            received = (stages.by_actor(state, playing.choose(state, chance, number), now_ms),)
        state, _ = stages.at(state, now_ms, *received)
    raise AssertionError("the hand never ended")


@pytest.mark.parametrize("variant", SEALED)
@pytest.mark.parametrize("pause_ms", [0, 100], ids=["at once", "beat by beat"])
def test_the_chained_course_is_that_of_the_replayed_hand(variant: str, pause_ms: int) -> None:
    for seed in range(12):
        state = _finished(seed, variant, pause_ms=pause_ms)
        kept = record.of(state)
        public, course = logged_parts(kept, origin=ORIGIN)
        assert state.course == course
        leaf = hand_leaves.of_played(parts.split(kept).open, state.course)
        assert leaf is not None and kept.called is not None
        assert leaf.leaf == fate_leaf(
            kept.called.sealed.hand_id,
            kept.called.sealed.seal,
            fate=Fate.PLAYED,
            reason=FateReason.NONE,
            ended_ms=kept.ended_ms,
            public=public,
            course=course,
        )
        assert leaf.states == bytes([CutState.OPENED, *[CutState.NO_PLEDGE] * 4])


def test_a_hand_after_whose_end_cards_were_shown_has_no_chained_course() -> None:
    for seed in range(40):
        state = _finished(seed, "holdem")
        assert state.hand is not None
        hidden = [seat for seat in state.hand.seats if not seat.folded and not seat.shown]
        if not hidden:
            continue
        held = hidden[0]
        command = ShowCards("s", state.table, state.epoch, state.hand_number, "both")
        user = state.at(held.seat).user
        later, told = stages.at(state, state.due_ms, Received(user, state.due_ms, command))
        assert told and (state.course, later.course) != (b"", b"") and later.course == b""
        kept = record.of(later)
        assert hand_leaves.of_played(parts.split(kept).open, later.course) is None
        assert logged_parts(kept, origin=ORIGIN)[1] == state.course
        return
    raise AssertionError("every winner had to show")


def test_a_hand_begun_by_an_older_release_has_no_chained_course() -> None:
    state = _granted(random.Random(1), "holdem", pause_ms=0)
    begun = replace(state, course=b"")
    played, _ = stages.at(begun, begun.due_ms)
    while played.phase == "hand":
        now_ms = played.due_ms
        command = playing.choose(played, random.Random(2), 1)
        played, _ = stages.at(played, now_ms, stages.by_actor(played, command, now_ms))
        assert played.course == b""


def test_a_hand_without_a_seal_has_no_course() -> None:
    state = stages.dealt(stages.roster(900, 900))
    assert state.called is None and state.course == b""
