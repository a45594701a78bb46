"""Cheats with cards, openings, courses and the log."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tables.engine.cards import DECK
from tables.fairness import cutting, leaves, notes, tree
from tables.fairness.openings import Opening
from tables.fairness.positions import dealt_positions
from tables.fairness.sealing import envelope_of, seal_of
from tests.tables.fairness.cheats import (
    OTHER_KEY,
    cut_short,
    first,
    found_by,
    showdown,
    undealt,
    void_hand,
    void_in_play,
)
from tests.tables.fairness.forger import LOG_KEY, ORIGIN, Forger


@found_by("V10")
def another_board_card() -> dict[str, Any]:
    def tell(forger: Forger) -> None:
        first(forger, "street_dealt")["cards"][0] = undealt(forger)

    return showdown().forge(played=tell)


@found_by("V05")
def another_board_card_in_a_new_envelope() -> dict[str, Any]:
    def swap(forger: Forger) -> None:
        place = forger.cut[dealt_positions(forger.events).board[0]]
        card = DECK.index(undealt(forger))
        order, envelopes = list(forger.deck.order), list(forger.deck.envelopes)
        order[place] = card
        envelopes[place] = envelope_of(place, card, forger.deck.salts[place])
        seal = seal_of(forger.hand, envelopes)
        forger.deck = forger.deck._replace(
            order=tuple(order), envelopes=tuple(envelopes), seal=seal
        )
        forger.call = cutting.call_of(forger.hand, seal, forger.roster)
        first(forger, "street_dealt")["cards"][0] = DECK[card]

    return showdown().forge(played=swap)


@found_by("V10")
def board_dealt_without_burns() -> dict[str, Any]:
    forger = showdown()
    hole = 2 * len(forger.seats)
    board = [hole + 1, hole + 2, hole + 3, hole + 5, hole + 7]
    taken = dict(zip(board, range(hole, hole + 5), strict=True))
    forger.engine_order = _completed(taken, hole)
    return forger.forge()


@found_by("V10")
def four_cards_at_once() -> dict[str, Any]:
    forger = showdown(variant="omaha", seats=4)
    taken = {card * 4 + turn: turn * 4 + card for card in range(4) for turn in range(4)}
    forger.engine_order = _completed(taken, 0)
    return forger.forge()


def _completed(taken: dict[int, int], untouched: int) -> list[int]:
    """Positions that a deal takes instead of the right ones, without repetition."""
    order = list(range(untouched))
    rest = [place for place in range(untouched, len(DECK)) if place not in taken.values()]
    for place in range(untouched, len(DECK)):
        order.append(taken[place] if place in taken else rest.pop(0))
    return order


@found_by("V08")
def card_sealed_twice_and_both_up() -> dict[str, Any]:
    for seed in range(300):
        forger = Forger(seed, variant="stud", seats=8)
        proof = forger.forge(sealed=_seal_twice, played=_tell_twice)
        names = [opening.name for opening in forger.openings]
        if len(set(names)) < len(names):
            return proof | {"auditor": None}
    raise AssertionError("no seed deals both")


@found_by("V02")
def card_sealed_twice_and_opened_by_an_auditor() -> dict[str, Any]:
    forger = Forger(variant="stud", seats=2)
    return forger.forge(sealed=_seal_twice, played=_tell_twice)


def _seal_twice(forger: Forger) -> None:
    """Seal the card of envelope 1 in envelope 0 too; the engine plays with the honest deck."""
    forger.engine_cards = forger.deck.order
    order = (forger.deck.order[1], *forger.deck.order[1:])
    envelopes = (envelope_of(0, order[0], forger.deck.salts[0]), *forger.deck.envelopes[1:])
    seal = seal_of(forger.hand, envelopes)
    forger.deck = forger.deck._replace(order=order, envelopes=envelopes, seal=seal)


def _tell_twice(forger: Forger) -> None:
    assert forger.engine_cards is not None
    missing, twice = (DECK[card] for card in forger.engine_cards[:2])
    told = json.dumps(forger.events).replace(f'"{missing}"', f'"{twice}"')
    forger.events = json.loads(told)


@found_by("V10")
def shown_hand_told_better() -> dict[str, Any]:
    def tell(forger: Forger) -> None:
        shown = first(forger, "cards_shown")["cards"]
        told = json.dumps(forger.events).replace(f'"{shown[0]}"', f'"{undealt(forger)}"')
        forger.events = json.loads(told)

    return showdown().forge(played=tell)


@found_by("V10")
def own_card_not_opened() -> dict[str, Any]:
    def leave_shut(forger: Forger) -> None:
        own = dealt_positions(forger.events).hole[forger.viewer]
        forger.openings = [card for card in forger.openings if card.position != own[0]]

    return showdown().forge(opened=leave_shut)


@found_by("V10")
def board_card_not_opened() -> dict[str, Any]:
    def leave_shut(forger: Forger) -> None:
        board = dealt_positions(forger.events).board
        forger.openings = [card for card in forger.openings if card.position != board[-1]]

    return showdown().forge(opened=leave_shut)


@found_by("V11")
def folded_card_opened() -> dict[str, Any]:
    def open_it(forger: Forger) -> None:
        dealt = dealt_positions(forger.events)
        seat = min(dealt.folded - {forger.viewer})
        position = dealt.hole[seat][0]
        place = forger.cut[position]
        card, salt = forger.deck.order[place], forger.deck.salts[place]
        forger.looked_up = [seat]
        forger.openings.append(Opening(position, place, card, salt, "you"))

    return showdown().forge(opened=open_it)


@found_by("V01")
def envelopes_left_out() -> dict[str, Any]:
    return Forger().forge() | {"envelopes": []}


@found_by("V09")
def course_left_out() -> dict[str, Any]:
    return Forger().forge() | {"course": []}


@found_by("V14")
def another_course_logged() -> dict[str, Any]:
    forger = Forger()
    forger.logged_course = bytes([5]) * 32
    return forger.forge()


@found_by("V08")
def wrong_salt() -> dict[str, Any]:
    def change(forger: Forger) -> None:
        forger.openings[0] = forger.openings[0]._replace(salt=bytes(16))

    return showdown().forge(opened=change)


@found_by("V14")
def played_hand_logged_as_void() -> dict[str, Any]:
    forger = Forger()
    forger.logged_fate = leaves.Fate.VOID_IN_PLAY
    return forger.forge()


@found_by("V13")
def hand_not_in_the_log() -> dict[str, Any]:
    return Forger().forge() | {"log": None}


@found_by("V13")
def other_hand_in_the_log() -> dict[str, Any]:
    proof = Forger(2).forge()
    return proof | {"log": Forger(1).forge()["log"]}


@found_by("V14")
def fate_before_seal() -> dict[str, Any]:
    forger = Forger()
    forger.swap_leaves = True
    return forger.forge()


@found_by("V13")
def foreign_log_key() -> dict[str, Any]:
    forger = Forger()
    forger.log_private = OTHER_KEY
    return forger.forge()


@found_by("V15")
def rewritten_log() -> dict[str, Any]:
    forger = Forger()
    forger.older_leaves[1] = bytes(50)
    return forger.forge()


@found_by("V15")
def log_that_grew_and_kept_its_root() -> dict[str, Any]:
    forger = Forger()
    proof = forger.forge()
    head = notes.LogHead(ORIGIN, len(forger.hashes) - 1, tree.root_of(forger.hashes))
    proof["log"]["older"] = {"checkpoint": notes.sign_head(head, LOG_KEY), "path": []}
    return proof


@found_by("V15")
def way_between_two_equal_heads() -> dict[str, Any]:
    proof = Forger().forge()
    proof["log"]["older"] = {"checkpoint": proof["log"]["checkpoint"], "path": ["00" * 32]}
    return proof


@found_by("V05")
def played_hand_told_as_void_before_cards() -> dict[str, Any]:
    played = Forger().forge()
    told = {key: played["notes"][key] for key in ("hole", "course")}
    proof = void_hand().forge()
    return proof | {"notes": proof["notes"] | told}


@found_by("V07")
def cards_of_a_void_hand_dealt_without_a_cut() -> dict[str, Any]:
    def leave_shut(forger: Forger) -> None:
        forger.openings = []

    proof = void_in_play().forge(played=cut_short, opened=leave_shut)
    return proof | {"cut_key": None, "cut": [], "notes": None, "auditor": None}


@found_by("V02")
def another_deck_opened_for_a_void() -> dict[str, Any]:
    forger = void_hand()
    forger.public_secret = Random(5).randbytes(32)
    return forger.forge() | {"auditor": None}


@found_by("V05")
def proof_of_another_hand() -> dict[str, Any]:
    return Forger(2).forge() | {"notes": Forger(1).forge()["notes"]}


@found_by("V09")
def stud_street_out_of_order() -> dict[str, Any]:
    def exchange(forger: Forger) -> None:
        streets = [event for event in forger.events if event["type"] == "street_dealt"]
        streets[0]["street"], streets[1]["street"] = "fifth", "fourth"

    return showdown(variant="stud").forge(played=exchange)
