"""Leaves of the public log: genesis, seal, fate, keys (section 3, "Leaves")."""

from __future__ import annotations

from enum import IntEnum

from tables.fairness.encoding import optional_hash, u8, u64

VERSION = 1


class LeafKind(IntEnum):
    """Second byte of a leaf."""

    GENESIS = 0
    SEAL = 1
    FATE = 2
    KEYS = 3


class Fate(IntEnum):
    """End of a sealed deck; each seal has exactly one."""

    PLAYED = 1
    VOID_IN_PLAY = 2
    VOID_BEFORE_CARDS = 3
    UNPLAYED = 4


class FateReason(IntEnum):
    """Reason of a fate other than played."""

    NONE = 0
    REDIS_ADOPTED = 1
    SUPERSEDED = 2
    MISSING_IN_REDIS = 3
    CLOSED = 4
    KEY_LOST = 5
    ENGINE_FAULT = 6
    OTHER_DECK_NEEDED = 7


def genesis_leaf(*, hands: int, root: bytes, created_ms: int) -> bytes:
    """Return the first leaf of a log: number and root of the hands dealt before it."""
    return _leaf(LeafKind.GENESIS, u64(hands), optional_hash(root), u64(created_ms))


def seal_leaf(hand: bytes, seal: bytes, *, sealed_ms: int, escrow_hash: bytes | None) -> bytes:
    """Return the leaf of a seal; `escrow_hash` is that of the secret kept for an auditor."""
    return _leaf(
        LeafKind.SEAL, hand, optional_hash(seal), u64(sealed_ms), optional_hash(escrow_hash)
    )


def fate_leaf(
    hand: bytes,
    seal: bytes,
    *,
    fate: Fate,
    reason: FateReason,
    ended_ms: int,
    public: bytes | None,
    course: bytes | None,
) -> bytes:
    """Return the leaf of a hand's end; None for a hash that the room does not know any more."""
    return _leaf(
        LeafKind.FATE,
        hand,
        optional_hash(seal),
        u8(fate),
        u8(reason),
        u64(ended_ms),
        optional_hash(public),
        optional_hash(course),
    )


def keys_leaf(*, call_key: bytes, log_key: bytes, manifest: bytes, changed_ms: int) -> bytes:
    """Return the leaf of the public keys and of the hash over the static files of a release."""
    return _leaf(
        LeafKind.KEYS,
        optional_hash(call_key),
        optional_hash(log_key),
        optional_hash(manifest),
        u64(changed_ms),
    )


def _leaf(kind: LeafKind, *parts: bytes) -> bytes:
    return b"".join([u8(VERSION), u8(kind), *parts])
