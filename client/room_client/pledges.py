"""Hashes of cuts: the pledge that binds a seed to a seat's entry (docs/fairness.md)."""

from __future__ import annotations

from hashlib import sha256

SEED_BYTES = 32
_TAG = b"fair1/pledge".ljust(16, b"\0")

OPENED = 2
"""State of a seat in `deck_cut` whose seed counted."""


def pledge_of(room: bytes, entry: int, seed: bytes) -> bytes:
    """Return the hash that binds a seed of 32 bytes to an entry of the room."""
    assert len(seed) == SEED_BYTES
    return sha256(_TAG + room + entry.to_bytes(8, "big") + seed).digest()
