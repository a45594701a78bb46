"""Planted cheats: a verifier that misses one fails the build."""

from __future__ import annotations

from typing import Any

import pytest

from tables.engine.variants import VARIANTS
from tables.fairness import leaves
from tables.fairness.cutting import CutState
from tests.tables.fairness import (
    cheats_with_cards,
    cheats_with_cuts,
    cheats_with_endings,
    forger,
)
from tests.tables.fairness.cheats import CHEATS, cut_short, showdown, void_hand, void_in_play
from tests.tables.fairness.forger import Forger
from tests.tables.fairness.verifier import checked, failures

PLANTED = (cheats_with_cards, cheats_with_cuts, cheats_with_endings)
"""Modules that fill CHEATS."""

KEYS = (forger.LOG_PUBLIC, forger.CALL_PUBLIC)


@pytest.mark.parametrize("name", CHEATS)
def test_cheat_is_found_by_its_check(name: str) -> None:
    assert CHEATS[name].code in failures(CHEATS[name].forge(), *KEYS)


def test_all_37_cheats_of_the_specification_are_planted() -> None:
    beyond = {
        "own_cut_called_late",
        "other_hand_in_the_log",
        "log_that_grew_and_kept_its_root",
        "way_between_two_equal_heads",
        "played_hand_told_as_void_before_cards",
        "cards_of_a_void_hand_dealt_without_a_cut",
        "hand_looked_up_to_which_all_others_folded",
        "hand_looked_up_of_a_void_hand",
        "secret_of_a_played_hand_published",
        "secret_of_a_hand_void_in_play_published",
        "folded_hand_shown",
        "hand_ended_before_its_last_street",
        "stud_hand_ended_before_its_last_street",
        "unplayed_deck_that_was_called",
        "more_cards_dealt_than_the_deck_has",
    }
    assert len(CHEATS.keys() - beyond) == 37
    assert {cheat.code for cheat in CHEATS.values()} == {f"V{code:02}" for code in range(1, 16)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_honest_hands_of_every_variant_hold(variant: str) -> None:
    for seed, seats in enumerate((2, 5, min(8, VARIANTS[variant].seats_max))):
        assert failures(Forger(seed, variant=variant, seats=seats).forge(), *KEYS) == set()


def test_honest_first_button_holds() -> None:
    hand = Forger()
    hand.first_button = True
    assert failures(hand.forge(), *KEYS) == set()


def test_hand_looked_up_after_a_showdown_holds() -> None:
    hand = showdown()
    hand.looked_up = [showdown_seat(hand)]
    assert failures(hand.forge(), *KEYS) == set()


def showdown_seat(hand: Forger) -> int:
    """A seat that reached the showdown in the same hand of another forger."""
    twin = showdown()
    twin.forge()
    folded = {event["seat"] for event in twin.events if event["type"] == "folded"}
    return max(set(hand.seats) - folded - {hand.viewer})


def remarks(proof: dict[str, Any]) -> list[str]:
    results, sentences = checked(proof, *KEYS)
    assert all(holds for _, holds, _ in results)
    return list(sentences)


def test_void_hand_is_valid_with_its_reason() -> None:
    assert remarks(void_hand().forge()) == ["This hand was void before the cards: Redis was new."]


def test_hand_that_was_void_in_play_holds_and_need_not_open_its_cards() -> None:
    assert remarks(void_in_play().forge(played=cut_short)) == [
        "This hand was void in play: not in Redis."
    ]

    def leave_shut(hand: Forger) -> None:
        hand.openings = []

    proof = void_in_play().forge(played=cut_short, opened=leave_shut) | {"notes": None}
    sentences = told_by(proof)
    assert "a void hand need open none" in sentences["V10"]


def test_sentences_claim_nothing_of_cards_that_the_file_does_not_tell() -> None:
    sentences = told_by(void_hand().forge())
    assert sentences["V09"] == "No cards were dealt, or the file does not tell them."
    proof = void_in_play().forge(played=lambda hand: hand.events.clear())
    proof["notes"] |= {"hole": ["As", "Ad"], "course": "00" * 32}
    assert "not compared with the notes" in told_by(proof)["V05"]


def told_by(proof: dict[str, Any]) -> dict[str, str]:
    """Sentence of each check of a proof that holds."""
    assert failures(proof, *KEYS) == set()
    return {code: sentence for code, _, sentence in checked(proof, *KEYS)[0]}


def test_void_hand_may_leave_out_lists_that_a_played_hand_must_have() -> None:
    empty = {"course": None, "openings": None, "looked_up": None, "cut": None}
    assert len(remarks(void_hand().forge() | empty)) == 1
    for key in empty.keys() - {"cut"}:
        assert failures(Forger().forge() | {key: None}, *KEYS) == {"unreadable"}


def test_void_hand_without_its_secret_is_refused() -> None:
    hand = void_hand()
    hand.public_secret = None
    assert "V02" in failures(hand.forge() | {"auditor": None}, *KEYS)


def test_deck_that_was_never_called_is_valid_once_opened() -> None:
    hand = void_hand()
    hand.fate, hand.reason = leaves.Fate.UNPLAYED, leaves.FateReason.CLOSED
    proof = hand.forge(called=lambda forged: forged.roster.clear())
    proof |= {"call": None, "call_signature": None, "notes": None}
    [sentence] = checked(proof, *KEYS)[1]
    assert "never played: closed" in sentence
    assert failures(proof, *KEYS) <= {"V14"}


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (CutState.NO_PLEDGE, "You did not cut this deck: you had no pledge."),
        (CutState.SILENT, "You did not cut this deck: your cut did not come."),
        (CutState.LATE, "You did not cut this deck: your cut came too late."),
    ],
)
def test_hand_without_the_own_cut_is_valid_with_its_reason(state: CutState, sentence: str) -> None:
    def stay_silent(hand: Forger) -> None:
        hand.noted["in_time"] = False
        hand.replace_row(hand.viewer, state=state)
        if state < CutState.LATE:
            hand.replace_row(hand.viewer, seed=None)
        if state is CutState.NO_PLEDGE:
            hand.replace_row(hand.viewer, pledge=None)

    hand = Forger()
    proof = hand.forge(called=stay_silent)
    if state is CutState.NO_PLEDGE:
        proof["notes"] |= {"call": proof["call"], "pledge": None}
    assert remarks(proof) == [sentence]
