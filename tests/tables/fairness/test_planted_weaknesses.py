"""Weaknesses planted in the room itself: what a player or an audit sees convicts it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from redis import Redis

from tables.dealer import record
from tables.dealer.sealed import call_hand
from tables.fairaudit.hands import KeptDeck, KeptHand, RoomNames, judge_hand
from tables.fairaudit.logs import judge_decks, judge_head
from tables.fairlog import audit, log_keys
from tables.fairness import openings, tree
from tables.fairness.leaves import Fate
from tables.fairness.positions import DealtCards
from tables.fairness.signing import public_key_of, sign_message
from tables.history import hand_proofs
from tables.models import Hand, SealedDeck, Table
from tables.monitor import seals
from tables.records import parts, stored
from tables.workers import recovery, sealing
from tests.simulation.defects import seal_bugs
from tests.tables import playing
from tests.tables.fairlog.log_scene import keep_all, leaves, play, read_head
from tests.tables.fairness.verifier import failures

pytestmark = pytest.mark.django_db(transaction=True)


def _kept(table: Table, number: int = 1) -> record.HandRecord:
    return stored.decode(bytes(Hand.objects.get(table=table, number=number).record))


def _with_hidden_cards(room: Redis) -> record.HandRecord:
    """Play until a hand ends in which somebody's cards were not shown."""
    table = play(room, 1)
    number = 1
    while set(parts.hole_cards(kept := _kept(table, number))) == set(dict(kept.result.shown)):
        number += 1
        while Hand.objects.filter(table=table).count() < number:
            playing.step_on(room, table.pk)
    return kept


def _proof(kept: record.HandRecord, user: int | None = None) -> dict[str, Any]:
    proof = hand_proofs.hand_proof(kept, origin=settings.FAIR_ORIGIN, user=user)
    assert proof is not None
    return proof


def _call_key() -> bytes:
    return public_key_of(sealing.call_key())


def _failures(proof: dict[str, Any]) -> set[str]:
    # Without a log V13 to V15 have nothing to hold.
    return failures(proof, b"\0" * 32, _call_key()) - {"V13", "V14", "V15"}


def test_a_folded_card_that_a_proof_opens_is_found(
    room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = _with_hidden_cards(room)
    assert _failures(_proof(kept)) == set()
    real = openings.open_positions

    def open_all(dealt: DealtCards, **how: Any) -> Any:
        folded = {at: "all" for seat in dealt.hole for at in dealt.hole[seat]}
        return real(dealt, **how) | folded

    monkeypatch.setattr(hand_proofs, "open_positions", open_all)
    assert _failures(_proof(kept)) == {"V11"}


def test_a_deck_sealed_after_the_call_is_found_by_the_audit(room: Redis) -> None:
    with seal_bugs.seal_made_after_the_call():
        table = play(room, 1)
    kept, row, deck = _kept(table), Hand.objects.get(), SealedDeck.objects.get(hand=1)
    names = RoomNames(settings.FAIR_ORIGIN, [_call_key()])
    rows = KeptDeck(bytes(deck.seal), deck.sealed_ms, deck.fate, deck.reason, deck.ended_ms)
    hand = KeptHand(table.pk, 1, 1, row.digest, bytes(row.record), rows, None, None)
    assert {str(kind) for kind, _ in judge_hand(hand, kept, names)} == {"deck"}


def test_a_call_to_two_rosters_convicts_the_room_by_the_notes_of_a_browser(room: Redis) -> None:
    """Two signed calls of one hand: the noted one and the one that the proof holds."""
    kept = _kept(play(room, 1))
    assert kept.called is not None
    first = kept.called
    other = call_hand(
        first.sealed,
        first.seats[:-1],
        sign=lambda message: sign_message(sealing.call_key(), message),
        now_ms=first.called_ms,
    )
    assert other.call != first.call and other.sealed == first.sealed
    seat = kept.seats[0]
    proof = _proof(kept, seat.user)
    notes = {
        "seal": first.sealed.seal.hex(),
        "entry": seat.entry,
        "pledge": None,
        "seed": None,
        "in_time": False,
        "hole": None,
        "course": None,
    }
    heard = notes | {"call": first.call.hex(), "signature": first.signature.hex()}
    assert _failures(proof | {"notes": heard}) == set()
    heard = notes | {"call": other.call.hex(), "signature": other.signature.hex()}
    assert _failures(proof | {"notes": heard}) == {"V05"}


def test_a_head_that_forgets_a_leaf_is_found_by_the_auditor(
    room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keeper refuses to sign such a head; here it signs it all the same."""
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    play(room, 1)
    with seal_bugs.head_forgets_a_leaf():
        size = keep_all()
    head = read_head()
    hashes = [tree.leaf_hash(leaf) for leaf in leaves()]
    assert head.size == size == len(hashes) and head.root != tree.root_of(hashes)
    assert any("leaves of the log" in told for told in audit.violations())
    keys = [told.log for told in log_keys.told_keys()]
    assert {str(one.kind) for one in judge_head(settings.FAIR_ORIGIN, keys)} == {"head"}


def test_a_void_hand_that_keeps_its_seal_is_found_by_the_auditor(room: Redis) -> None:
    table = play(room, 1)
    playing.run(room, table.pk)
    with seal_bugs.void_keeps_its_seal():
        assert recovery.rebuild(room, table.pk, seen_epoch=1)
    [told] = seals.violations()
    assert told == f"the seal of table {table.pk} hand 2 in epoch 1 has no fate"
    assert SealedDeck.objects.filter(fate=None).count() == 1
    SealedDeck.objects.filter(fate=None).update(fate=Fate.VOID_IN_PLAY, reason=1)
    assert not [*seals.violations(), *judge_decks(settings.FAIR_ORIGIN)]
