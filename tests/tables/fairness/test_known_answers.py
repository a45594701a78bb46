"""Known answers: primitives, four whole hands and a log agree byte by byte."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tables.engine.cards import DECK
from tables.fairness import cutting, leaves, notes, sampling, signing, tree
from tables.fairness.course import course_of
from tables.fairness.encoding import ZEROS, hand_id, room_id, tag
from tables.fairness.openings import open_envelopes, open_positions
from tables.fairness.positions import dealt_positions
from tables.fairness.proof import FinishedHand, HandName, HandTimes, LeafProof, LogProof, proof_of
from tables.fairness.public_part import public_hash, public_part
from tables.fairness.sealing import seal_deck
from tests.tables.fairness import known_answers, log_reader
from tests.tables.fairness.known_answers import hands, vectors

ANSWERS = vectors()
LEAVES = [bytes.fromhex(leaf) for leaf in ANSWERS["log"]["leaves"]]
HASHES = [tree.leaf_hash(leaf) for leaf in LEAVES]

each_hand = pytest.mark.parametrize("hand", hands(), ids=lambda hand: str(hand["case"]))


def test_primitives() -> None:
    answers = ANSWERS["primitives"]
    room = room_id(ANSWERS["origin"])
    hand = hand_id(room, table=12, epoch=3, hand=345)
    secret = bytes.fromhex(answers["secret"])
    deck = seal_deck(secret, hand)
    assert tag("card").hex() == answers["tag_card"]
    assert room.hex() == answers["room_id"]
    assert hand.hex() == answers["hand_id_table_12_epoch_3_hand_345"]
    assert sampling.stream(secret, "order", hand, 64).hex() == answers["stream_order_first_64"]
    assert list(deck.order) == answers["order"]
    assert "".join(DECK[card] for card in deck.order) == answers["order_as_cards"]
    assert [salt.hex() for salt in deck.salts[:2]] == answers["salts_first_two"]
    assert deck.envelopes[0].hex() == answers["envelope_0"]
    assert deck.seal.hex() == answers["seal"]
    seed = bytes(range(0x20, 0x40))
    assert cutting.pledge_of(room, 77, seed).hex() == answers["pledge_entry_77"]


def test_permutation_of_zeros_and_of_words_that_are_skipped() -> None:
    answers = ANSWERS["primitives"]
    assert list(sampling.permute(52, bytes(256))) == answers["permute_52_of_zeros"]
    skipped = bytes.fromhex("ffff00010000")
    with pytest.raises(ValueError, match="ran out"):
        sampling.permute(3, skipped[:4])
    assert sampling.permute(3, skipped) == sampling.permute(3, skipped[2:])


@each_hand
def test_seal_call_and_cut(hand: dict[str, Any]) -> None:
    name = known_answers.hand_id_of(hand)
    roster = known_answers.roster_of(hand)
    deck = seal_deck(bytes.fromhex(hand["auditor"]["secret"]), name)
    assert [envelope.hex() for envelope in deck.envelopes] == hand["envelopes"]
    assert deck.seal.hex() == hand["seal"]
    call = cutting.call_of(name, deck.seal, roster)
    assert call.hex() == hand["call"]
    signature = bytes.fromhex(hand["call_signature"])
    call_key = bytes.fromhex(ANSWERS["call_key"])
    assert signing.is_signed(call_key, cutting.called_message(call), signature)
    key = cutting.cut_key_of(call, roster)
    assert key.hex() == hand["cut_key"]
    cut = cutting.cut_of(key, name)
    assert list(cut) == hand["cut"]
    dealt = cutting.cut_deck(deck.order, cut)
    assert "".join(DECK[card] for card in dealt) == hand["auditor"]["deck"]
    room = room_id(hand["origin"])
    for row in roster:
        assert row.seed is None or cutting.pledge_of(room, row.entry, row.seed) == row.pledge


@each_hand
def test_proof(hand: dict[str, Any]) -> None:
    name = known_answers.hand_id_of(hand)
    deck = seal_deck(bytes.fromhex(hand["auditor"]["secret"]), name)
    course = known_answers.course_of_proof(hand)
    dealt = dealt_positions(course)
    positions = open_positions(dealt, viewer=hand["viewer"], looked_up=hand["looked_up"])
    openings = open_envelopes(deck, hand["cut"], positions)
    assert openings == known_answers.openings_of(hand)
    log = hand["log"]
    seal_at, fate_at = (
        LeafProof(at["index"], log_reader.inclusion_path(at["index"], HASHES))
        for at in (log["seal"], log["fate"])
    )
    finished = FinishedHand(
        HandName(hand["origin"], hand["table"], hand["epoch"], hand["hand"]),
        hand["variant"],
        HandTimes(*(hand[f"{moment}_ms"] for moment in ("sealed", "called", "dealt", "ended"))),
        deck,
        bytes.fromhex(hand["call"]),
        bytes.fromhex(hand["call_signature"]),
        bytes.fromhex(hand["cut_key"]),
        tuple(hand["cut"]),
        tuple(known_answers.roster_of(hand)),
        tuple(course),
        bytes.fromhex(hand["escrow_hash"]),
    )
    written = proof_of(
        finished, openings, viewer=hand["viewer"], log=LogProof(seal_at, fate_at, log["checkpoint"])
    )
    assert written == {
        key: value for key, value in hand.items() if key not in ("case", "auditor", "notes")
    }
    assert json.loads(json.dumps(written)) == written


def test_first_button_is_drawn_from_the_cut() -> None:
    [hand] = [hand for hand in hands() if '"button_drawn"' in hand["course"][0]]
    drawn = cutting.button_draw(
        bytes.fromhex(hand["cut_key"]), known_answers.hand_id_of(hand), [4, 2, 1, 3]
    )
    event = known_answers.course_of_proof(hand)[0]
    assert event["cards"] == [[seat, DECK[card]] for seat, card in drawn.items()]
    assert event["button"] == max(drawn, key=lambda seat: drawn[seat])


@each_hand
def test_leaves_of_a_hand(hand: dict[str, Any]) -> None:
    name, seal = known_answers.hand_id_of(hand), bytes.fromhex(hand["seal"])
    sealed = leaves.seal_leaf(
        name, seal, sealed_ms=hand["sealed_ms"], escrow_hash=bytes.fromhex(hand["escrow_hash"])
    )
    assert sealed == LEAVES[hand["log"]["seal"]["index"]]
    part = public_part(
        name,
        seal,
        called_ms=hand["called_ms"],
        dealt_ms=hand["dealt_ms"],
        roster=known_answers.roster_of(hand),
        openings=known_answers.openings_of(hand),
    )
    course = course_of(name, seal, known_answers.course_of_proof(hand))
    if hand["notes"]:
        assert course.hex() == hand["notes"]["course"]
    ended = leaves.fate_leaf(
        name,
        seal,
        fate=leaves.Fate(hand["fate"]),
        reason=leaves.FateReason(hand["reason"]),
        ended_ms=hand["ended_ms"],
        public=public_hash(part),
        course=course,
    )
    assert ended == LEAVES[hand["log"]["fate"]["index"]]


def test_genesis_and_keys_begin_the_log() -> None:
    began_ms = int.from_bytes(LEAVES[0][-8:], "big")
    genesis = leaves.genesis_leaf(hands=0, root=tree.root_of([]), created_ms=began_ms)
    assert genesis == LEAVES[0]
    keys = leaves.keys_leaf(
        call_key=bytes.fromhex(ANSWERS["call_key"]),
        log_key=bytes.fromhex(ANSWERS["log_key"]),
        manifest=LEAVES[1][66:98],
        changed_ms=int.from_bytes(LEAVES[1][-8:], "big"),
    )
    assert keys == LEAVES[1]


def test_deck_void_before_the_cards_has_no_course() -> None:
    last = LEAVES[-1]
    ended = leaves.fate_leaf(
        last[2:38],
        last[38:70],
        fate=leaves.Fate.VOID_BEFORE_CARDS,
        reason=leaves.FateReason.REDIS_ADOPTED,
        ended_ms=int.from_bytes(last[72:80], "big"),
        public=last[80:112],
        course=None,
    )
    assert ended == last
    assert ended[-32:] == ZEROS


def test_log() -> None:
    log, origin = ANSWERS["log"], ANSWERS["origin"]
    key = bytes.fromhex(ANSWERS["log_key"])
    assert [entry.hex() for entry in HASHES] == log["leaf_hashes"]
    root = tree.root_of(HASHES)
    assert root.hex() == log["root"]
    head = notes.open_head(log["checkpoint"], origin, key)
    assert head == notes.LogHead(origin, len(LEAVES), root)
    older = notes.open_head(log["older"]["checkpoint"], origin, key)
    path = log_reader.consistency_path(older.size, HASHES)
    assert [node.hex() for node in path] == log["older"]["path"]
    assert log_reader.is_consistent(older.size, older.root, head.size, head.root, path)
