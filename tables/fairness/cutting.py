"""Pledges, call and cut: the players' seeds decide where each envelope lies (section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from tables.fairness.encoding import ZEROS, digest, optional_hash, tag, u8, u64
from tables.fairness.sampling import PERMUTATION_BYTES, permute, stream
from tables.fairness.sealing import CARDS


class CutState(IntEnum):
    """State of a seat's seed when the hand was dealt."""

    NO_PLEDGE = 0
    SILENT = 1
    OPENED = 2
    LATE = 3
    """Opened after the deal: published, and silent in the cut key."""


class RosterRow(NamedTuple):
    """A seat of the called hand: entry or ring session, pledge, and the seed if it was opened."""

    seat: int
    entry: int
    pledge: bytes | None = None
    state: CutState = CutState.NO_PLEDGE
    seed: bytes | None = None


def pledge_of(room: bytes, entry: int, seed: bytes) -> bytes:
    """Return the hash that binds a seed of 32 bytes to an entry of the room."""
    return digest(tag("pledge"), room, u64(entry), optional_hash(seed))


def call_of(hand: bytes, seal: bytes, roster: Sequence[RosterRow]) -> bytes:
    """Return the hash that fixes seal, seats and pledges before any seed is open.

    Rows are taken by seat.
    """
    rows = [
        u8(row.seat) + u64(row.entry) + optional_hash(row.pledge)
        for row in sorted(roster, key=lambda row: row.seat)
    ]
    return digest(tag("call"), hand, seal, u8(len(rows)), *rows)


def called_message(call: bytes) -> bytes:
    """Return the bytes that the room signs with its call key."""
    return tag("called") + call


def cut_key_of(call: bytes, roster: Sequence[RosterRow]) -> bytes:
    """Return the key of the cut from the call and the seeds opened in time; late is silent."""
    rows = []
    for row in sorted(roster, key=lambda row: row.seat):
        state = CutState.SILENT if row.state is CutState.LATE else row.state
        rows.append(u8(state) + (optional_hash(row.seed) if state is CutState.OPENED else ZEROS))
    return digest(tag("cutkey"), call, u8(len(rows)), *rows)


def cut_of(key: bytes, hand: bytes, *, cards: int = CARDS) -> tuple[int, ...]:
    """Return the place of the envelope at each position of the deck, the first dealt first."""
    return permute(cards, stream(key, "cut", hand, PERMUTATION_BYTES))


def cut_deck(order: Sequence[int], cut: Sequence[int]) -> tuple[int, ...]:
    """Return the card number at each position of the deck."""
    return tuple(order[place] for place in cut)


def button_draw(
    key: bytes, hand: bytes, seats: Sequence[int], *, cards: int = CARDS
) -> dict[int, int]:
    """Return the card number that each seat draws for the first button, lowest seat first."""
    drawn = permute(cards, stream(key, "button", hand, PERMUTATION_BYTES))
    return dict(zip(sorted(seats), drawn, strict=False))
