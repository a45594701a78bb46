"""Streams of bytes from a key, and unbiased permutations from bytes (section 3)."""

from __future__ import annotations

from struct import unpack_from

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tables.fairness.encoding import tag

STREAM_BYTES_MAX = 255 * 32
PERMUTATION_BYTES = 256
"""Bytes asked for to permute a deck; running out has a chance below 2**-200."""

_WORDS = 65_536


def expand(key: bytes, info: bytes, length: int, *, salt: bytes = b"") -> bytes:
    """Return `length` bytes of HKDF-SHA-256 (RFC 5869); raise ValueError above 8,160."""
    if not 0 <= length <= STREAM_BYTES_MAX:
        raise ValueError(f"{length} bytes of a stream of {STREAM_BYTES_MAX}")
    return HKDF(SHA256(), length, salt or None, info).derive(key) if length else b""


def stream(key: bytes, purpose: str, hand: bytes, length: int) -> bytes:
    """Return `length` bytes of the key for one purpose and one hand."""
    return expand(key, tag(purpose) + hand, length)


def permute(count: int, source: bytes) -> tuple[int, ...]:
    """Return a permutation of the numbers below `count` from 16-bit words of `source`.

    Words that would favour a place are skipped. Raises ValueError when the bytes run out.
    """
    order = list(range(count))
    words = iter(unpack_from(f">{len(source) // 2}H", source))
    for last in range(count - 1, 0, -1):
        places = last + 1
        limit = _WORDS - _WORDS % places
        for word in words:
            if word < limit:
                break
        else:
            raise ValueError("the bytes of a permutation ran out")
        place = word % places
        order[last], order[place] = order[place], order[last]
    return tuple(order)
