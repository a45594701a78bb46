"""Proof of a hand as the JSON that a player checks (section 7, `proof.json`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tables.fairness.course import PublicEvent
from tables.fairness.cutting import RosterRow
from tables.fairness.leaves import Fate, FateReason
from tables.fairness.openings import Opening
from tables.fairness.sealing import CARDS, SealedCards

VERSION = 1


class HandName(NamedTuple):
    """Origin of the room's log, table, epoch and number of a hand."""

    origin: str
    table: int
    epoch: int
    hand: int


class HandTimes(NamedTuple):
    """UTC milliseconds at which a hand was sealed, called, dealt and ended; 0 for never."""

    sealed_ms: int
    called_ms: int
    dealt_ms: int
    ended_ms: int


class FinishedHand(NamedTuple):
    """A hand with its fate: all that a proof of it is written from.

    Call, cut and course are None or empty for a deck that did not come so far.
    """

    name: HandName
    variant: str
    times: HandTimes
    deck: SealedCards
    call: bytes | None
    call_signature: bytes | None
    cut_key: bytes | None
    cut: tuple[int, ...]
    roster: tuple[RosterRow, ...]
    course: tuple[PublicEvent, ...]
    escrow_hash: bytes | None = None
    fate: Fate = Fate.PLAYED
    reason: FateReason = FateReason.NONE
    secret: bytes | None = None
    """Published secret of a deck that was never dealt (fates 3 and 4)."""


@dataclass(frozen=True)
class LeafProof:
    """Index of a leaf in the log and its path to the root of a head."""

    index: int
    path: Sequence[bytes]


class LogProof(NamedTuple):
    """Proofs of the leaves of a seal and its fate under one signed head."""

    seal: LeafProof
    fate: LeafProof
    checkpoint: str


def proof_of(
    hand: FinishedHand,
    openings: Sequence[Opening],
    *,
    viewer: int | None,
    looked_up: Sequence[int] = (),
    log: LogProof | None = None,
) -> dict[str, Any]:
    """Return the proof for one viewer; without `log` its leaves are not proved.

    The room's secret is no part of it, unless the deck was never dealt.
    """
    proof: dict[str, Any] = {
        "version": VERSION,
        **hand.name._asdict(),
        "variant": hand.variant,
        "cards": CARDS,
        "fate": int(hand.fate),
        "reason": int(hand.reason),
        **hand.times._asdict(),
        "seal": hand.deck.seal.hex(),
        "envelopes": [envelope.hex() for envelope in hand.deck.envelopes],
        "call": _hex(hand.call),
        "call_signature": _hex(hand.call_signature),
        "cut_key": _hex(hand.cut_key),
        "cut": list(hand.cut),
        "roster": [_row(row) for row in hand.roster],
        "course": [json.dumps(event, separators=(",", ":")) for event in hand.course],
        "viewer": viewer,
        "looked_up": list(looked_up),
        "openings": [_opening(opening) for opening in openings],
        "escrow_hash": _hex(hand.escrow_hash),
        "log": _log(log),
    }
    if hand.secret is not None:
        proof["secret"] = hand.secret.hex()
    return proof


def _row(row: RosterRow) -> dict[str, Any]:
    return {
        "seat": row.seat,
        "entry": row.entry,
        "state": int(row.state),
        "pledge": _hex(row.pledge),
        "seed": _hex(row.seed),
    }


def _opening(opening: Opening) -> dict[str, Any]:
    return {
        "position": opening.position,
        "place": opening.place,
        "card": opening.name,
        "salt": opening.salt.hex(),
        "to": opening.to,
    }


def _log(log: LogProof | None) -> dict[str, Any] | None:
    if log is None:
        return None
    seal, fate, checkpoint = log
    return {
        "seal": {"index": seal.index, "path": [node.hex() for node in seal.path]},
        "fate": {"index": fate.index, "path": [node.hex() for node in fate.path]},
        "checkpoint": checkpoint,
    }


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()
