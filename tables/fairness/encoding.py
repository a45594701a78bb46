"""Bytes of the protocol: integers, tags of purposes, ids of room and hand (section 3)."""

from __future__ import annotations

from hashlib import sha256

HASH_SIZE = 32
ZEROS = bytes(HASH_SIZE)
"""Bytes of a hash, pledge or seed that is not there."""

TAG_SIZE = 16


def tag(purpose: str) -> bytes:
    """Return the 16 bytes that begin all data hashed for one purpose."""
    text = f"fair1/{purpose}".encode("ascii")
    if len(text) > TAG_SIZE:
        raise ValueError(f"purpose {purpose!r} is longer than a tag")
    return text.ljust(TAG_SIZE, b"\0")


def digest(*parts: bytes) -> bytes:
    """Return the SHA-256 hash of the joined parts."""
    return sha256(b"".join(parts)).digest()


def u8(number: int) -> bytes:
    """Return the number as one byte; raise OverflowError outside 0 to 255."""
    return number.to_bytes(1, "big")


def u32(number: int) -> bytes:
    """Return the number as four bytes, most significant first; raise OverflowError if too big."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """Return the number as eight bytes, most significant first; raise OverflowError if too big."""
    return number.to_bytes(8, "big")


def room_id(origin: str) -> bytes:
    """Return the 16 bytes that name the room whose log has this origin, e.g. "host/fair"."""
    return digest(tag("room"), origin.encode())[:16]


def hand_id(room: bytes, *, table: int, epoch: int, hand: int) -> bytes:
    """Return the 36 bytes that name a hand; an epoch of a table deals a number once."""
    return room + u64(table) + u64(epoch) + u32(hand)


def optional_hash(value: bytes | None) -> bytes:
    """Return the 32 bytes of a hash, pledge or seed, zeros for None; raise ValueError otherwise."""
    if value is None:
        return ZEROS
    if len(value) != HASH_SIZE:
        raise ValueError(f"{len(value)} bytes instead of {HASH_SIZE}")
    return value
