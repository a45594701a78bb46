"""Proofs from the log: leaves of a deck under the newest signed head, and its consistency."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from tables.dealer.record import HandRecord
from tables.dealer.sealed import decode_call
from tables.fairlog import log_keys, storage
from tables.fairlog.models import LogLeaf, OpenedDeck
from tables.fairness.encoding import hand_id
from tables.fairness.escrow import escrow_hash
from tables.fairness.leaves import Fate, FateReason, LeafKind
from tables.fairness.proof import (
    FinishedHand,
    HandName,
    HandTimes,
    LeafProof,
    LogProof,
    proof_of,
)
from tables.fairness.sealing import seal_deck
from tables.fairness.tiles import range_root
from tables.fairness.tree import consistency_in, inclusion_in
from tables.history.hand_proofs import hand_proof
from tables.models import CallKey
from tables.workers import sealing


def proof_of_hand(kept: HandRecord, user: int | None) -> dict[str, Any] | None:
    """Return the proof of a released hand for a user (None: the public), with that of the log.

    None for a hand that was dealt without a seal.
    """
    if kept.called is None:
        return None
    log = log_proof(kept.called.sealed.seal)
    return hand_proof(kept, origin=settings.FAIR_ORIGIN, user=user, log=log)


def proof_of_opened(deck: OpenedDeck) -> dict[str, Any]:
    """Return the proof of a deck that was never dealt, with its secret and all its cards."""
    row, secret = deck.deck, bytes(deck.secret)
    called = None if deck.called is None else decode_call(bytes(deck.called))
    name = hand_id(sealing.room(), table=row.table_id, epoch=row.epoch, hand=row.hand)
    finished = FinishedHand(
        name=HandName(settings.FAIR_ORIGIN, row.table_id, row.epoch, row.hand),
        variant="holdem",
        times=HandTimes(row.sealed_ms, called.called_ms if called else 0, 0, row.ended_ms),
        deck=seal_deck(secret, name),
        call=called.call if called else None,
        call_signature=called.signature if called else None,
        cut_key=None,
        cut=(),
        roster=called.roster() if called else (),
        course=(),
        escrow_hash=escrow_hash(bytes(row.escrow or b"")),
        fate=Fate(row.fate or Fate.UNPLAYED),
        reason=FateReason(row.reason),
        secret=secret,
    )
    return proof_of(finished, (), viewer=None, log=log_proof(bytes(row.seal)))


def opened_decks(first: int, end: int) -> list[dict[str, Any]]:
    """Return index of the fate, seal and secret of opened decks, by index.

    Only those whose fates are at `first` up to, not including, `end`, and under a signed head.
    """
    rows = LogLeaf.objects.filter(kind=LeafKind.FATE, index__gte=first)
    found = rows.filter(index__lt=min(end, signed_size()), deck__opened__isnull=False)
    return [
        {"index": index, "seal": bytes(seal).hex(), "secret": bytes(secret).hex()}
        for index, seal, secret in found.order_by("index").values_list(
            "index", "deck__seal", "deck__opened__secret"
        )
    ]


def public_keys() -> dict[str, list[str]]:
    """Return the public keys of calls and of the log's heads, newest first."""
    heads = dict.fromkeys(keys.log.hex() for keys in reversed(log_keys.told_keys()))
    return {"call": [str(key) for key in CallKey.objects.order_by("-pk")], "log": list(heads)}


def log_proof(seal: bytes) -> LogProof | None:
    """Return the proofs of a seal and its fate; None until a signed head has both."""
    head = storage.head()
    rows = LogLeaf.objects.filter(deck__seal=seal, index__isnull=False)
    places = {kind: int(at or 0) for kind, at in rows.values_list("kind", "index")}
    if head is None or len(places) != 2 or max(places.values()) >= head.size:
        return None
    root = range_root(storage.reader)
    seal_at, fate_at = (
        LeafProof(places[kind], inclusion_in(places[kind], head.size, root))
        for kind in (LeafKind.SEAL, LeafKind.FATE)
    )
    return LogProof(seal_at, fate_at, head.note)


def leaf_path(index: int, size: int) -> list[bytes]:
    """Return the path of a leaf to a head over `size` leaves; raise ValueError beyond it."""
    return inclusion_in(index, size, range_root(storage.reader))


def consistency(old_size: int, size: int) -> list[bytes]:
    """Return the proof that the head over `size` leaves continues that over `old_size`.

    Raises ValueError for sizes beyond the newest head.
    """
    if size > signed_size():
        raise ValueError(f"no head of {size} leaves was signed")
    return consistency_in(old_size, size, range_root(storage.reader))


def signed_size() -> int:
    """Return the number of leaves under the newest signed head."""
    head = storage.head()
    return 0 if head is None else head.size
