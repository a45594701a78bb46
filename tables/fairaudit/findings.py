"""Closed list of what an audit of fair dealing can find."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class FairDifference(StrEnum):
    """Name of a difference, with its sentence."""

    sentence: str

    UNREADABLE = "unreadable", "the record of the hand cannot be read"
    RECORD = "record", "record and row name another hand, or another course"
    UNSEALED = "unsealed", "the hand has no sealed deck, and its table sealed decks before"
    SECRET = "secret", "the secret does not make the seal that was kept before the hand"
    TIMES = "times", "deck and hand were not sealed, called, dealt and ended in this order"
    CALL = "call", "the call is not that of seal, seats and pledges, or not signed by the room"
    SEED = "seed", "a seed does not open its pledge"
    DECK = "deck", "the hand was dealt from another deck than the sealed one, as it was cut"
    BUTTON = "button", "the first button does not follow from the cut"
    CARD = "card", "a card that was shown is not the one that was dealt"
    RESULT = "result", "the actions lead to another result than the one kept"
    STACK = "stack", "a stack before or after the hand is not that of its result"
    SEAL_LEAF = "seal_leaf", "the log tells another seal, or none"
    FATE_LEAF = "fate_leaf", "the log tells another end, course or public part, or none"
    HEAD = "head", "the newest head is not signed by the room, or not that of the leaves"
    ESCROW = "escrow", "the escrow does not open to the secret that makes the seal"
    FATE = "fate", "a seal has no fate that fits its table, or is in the log without its row"
    NUMBER = "number", "hands of an epoch of a table do not count up by one"
    EPOCH = "epoch", "an epoch was followed by another, and its last deck was not void or unplayed"
    OPENED = "opened", "the secret of an opened deck does not make its seal"
    ENGINES = "engines", "the second engine plays the hand differently, without a named reason"

    def __new__(cls, name: str, sentence: str) -> FairDifference:
        """Return the difference with this name and sentence."""
        made = str.__new__(cls, name)
        made._value_ = name
        made.sentence = sentence
        return made


class Finding(NamedTuple):
    """Difference of one deck, or of the log (table 0), with what was found."""

    kind: FairDifference
    table: int = 0
    epoch: int = 0
    hand: int = 0
    detail: str = ""

    def text(self) -> str:
        """Return the finding as one line."""
        where = f"table {self.table} hand {self.hand} in epoch {self.epoch}"
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.kind}: {where if self.table else 'log'}: {self.kind.sentence}{detail}"
