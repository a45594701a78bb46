"""The open state of a table has no card that was not shown to all, and plays on with the rest."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from tables.dealer import boundary
from tables.dealer import state as states
from tables.dealer.commands import Received
from tables.dealer.hiding import hide, reveal
from tables.dealer.snapshot import private_groups
from tables.dealer.state import TableState
from tables.engine.events import HIDDEN
from tables.engine.state import Rules
from tables.engine.variants import VARIANTS
from tests.tables import playing, stages
from tests.tables.whole_state import snapshot


def _played(seed: int, variant: str) -> list[TableState]:
    """States of one random hand, of every step with its run-out, up to its boundary."""
    chance = random.Random(seed)
    limit = "fixed_limit" if VARIANTS[variant].brings_in else "no_limit"
    stakes = replace(stages.STAKES, bring_in=10 if VARIANTS[variant].brings_in else 0)
    rules = Rules(variant=variant, limit=limit, stakes=stakes)
    state = stages.empty(6)
    seats = stages.roster(*(chance.randrange(150, 900) for _ in range(5)))
    grant = replace(stages.grant(state, seats), rules=rules)
    timing = replace(grant.timing, street_pause_ms=100)
    state, _ = boundary.answer(state, replace(grant, timing=timing), now_ms=stages.START_MS)
    found: list[TableState] = []
    now_ms = stages.START_MS
    for number in range(300):
        if state.phase == "finished":
            return [*found, boundary.confirm(state)]
        now_ms = max(now_ms, state.due_ms)
        received: tuple[Received, ...] = ()
        if state.phase == "hand":
            received = (stages.by_actor(state, playing.choose(state, chance, number), now_ms),)
        state, _ = stages.at(state, now_ms, *received, seed=seed)
        found.append(state)
    raise AssertionError("the hand never ended")


def _may_be_seen(state: TableState) -> set[str]:
    """Cards that all were shown: board, open and shown cards."""
    hand = state.hand
    assert hand is not None
    return {HIDDEN, *hand.board, *(card for seat in hand.seats for card in seat.shown)}


def _cards_in(value: object) -> set[str]:
    """Every card anywhere in a state, as its stored form has them."""
    text = msgspec.json.encode(value).decode()
    cards = {card for one in VARIANTS.values() for card in one.deck}
    hand = getattr(value, "hand", None)
    deck = "" if hand is None else hand.deck
    return {card for card in cards if f'"{card}"' in text} | {
        deck[at : at + 2] for at in range(0, len(deck), 2)
    }


@pytest.mark.parametrize("variant", sorted(VARIANTS))
@pytest.mark.parametrize("seed", range(4))
def test_an_open_state_has_only_cards_that_all_were_shown(variant: str, seed: int) -> None:
    for state in _played(seed, variant):
        open_state, hidden = hide(state)
        assert hidden is not None
        assert _cards_in(open_state) <= _may_be_seen(state)
        assert reveal(open_state, hidden) == state
        # The folded cards and the deck are there to be found in the whole state.
        assert not _cards_in(state) <= _may_be_seen(state)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_a_player_sees_the_own_cards_and_others_see_them_hidden(variant: str) -> None:
    for state in _played(7, variant):
        assert state.hand is not None
        seat = state.seats[0]
        held = state.hand.seat(seat.seat)
        [own] = [one for one in snapshot(state, seat.user).seats if one.seat == seat.seat]
        [seen] = [one for one in snapshot(state, None).seats if one.seat == seat.seat]
        assert own.cards == held.cards and private_groups(hide(state)[0], seat.user) > 0
        assert seen.cards == (held.shown or (HIDDEN,) * len(held.cards))


@pytest.mark.parametrize("seed", range(3))
def test_a_state_of_the_release_before_hides_as_one_of_this_release(seed: int) -> None:
    for state in _played(seed, "holdem"):
        old = states.decode(states.encode(replace(state, ending=())))
        assert hide(old)[0] == hide(state)[0]


def test_secrets_of_both_decks_are_hidden() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000))
    sealed = stages.sealed_hand(state)
    whole = replace(state, next_seal=sealed)
    open_state, hidden = hide(whole)
    assert open_state.next_seal is not None and hidden is not None
    assert open_state.next_seal.secret == b"" and open_state.next_seal.seal == sealed.seal
    assert reveal(open_state, hidden) == whole
