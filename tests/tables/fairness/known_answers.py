"""Known answers of the protocol, as the room and every verifier must give them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tables.engine.cards import DECK
from tables.fairness.cutting import CutState, RosterRow
from tables.fairness.encoding import hand_id, room_id
from tables.fairness.openings import Opening

VECTORS = Path(__file__).parents[3] / "static" / "fair" / "vectors.json"


@cache
def vectors() -> dict[str, Any]:
    """The file of known answers; read only."""
    answers: dict[str, Any] = json.loads(VECTORS.read_text())
    return answers


def hands() -> list[dict[str, Any]]:
    """Proofs of four whole hands; read only."""
    proofs: list[dict[str, Any]] = vectors()["hands"]
    return proofs


def optional_bytes(text: str | None) -> bytes | None:
    """Bytes of hexadecimal digits, None for null."""
    return None if text is None else bytes.fromhex(text)


def hand_id_of(proof: dict[str, Any]) -> bytes:
    """Id of a proof's hand."""
    room = room_id(proof["origin"])
    return hand_id(room, table=proof["table"], epoch=proof["epoch"], hand=proof["hand"])


def roster_of(proof: dict[str, Any]) -> list[RosterRow]:
    """Seats that were called."""
    return [
        RosterRow(
            row["seat"],
            row["entry"],
            optional_bytes(row["pledge"]),
            CutState(row["state"]),
            optional_bytes(row["seed"]),
        )
        for row in proof["roster"]
    ]


def course_of_proof(proof: dict[str, Any]) -> list[dict[str, Any]]:
    """Public events of a proof."""
    return [json.loads(event) for event in proof["course"]]


def openings_of(proof: dict[str, Any]) -> tuple[Opening, ...]:
    """Opened envelopes of a proof, lowest position first."""
    return tuple(
        Opening(
            opened["position"],
            opened["place"],
            DECK.index(opened["card"]),
            bytes.fromhex(opened["salt"]),
            opened["to"],
        )
        for opened in proof["openings"]
    )
