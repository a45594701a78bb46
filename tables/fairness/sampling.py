"""Streams of bytes from a key, and unbiased permutations from bytes (section 3)."""

from __future__ import annotations

import hmac

from tables.fairness.encoding import tag

STREAM_BYTES_MAX = 255 * 32
PERMUTATION_BYTES = 256
"""Bytes asked for to permute a deck; running out has a chance below 2**-200."""

_BLOCK = 32
_WORDS = 65_536


def expand(key: bytes, info: bytes, length: int, *, salt: bytes = b"") -> bytes:
    """Return `length` bytes of HKDF-SHA-256 (RFC 5869); raise ValueError above 8,160."""
    if not 0 <= length <= STREAM_BYTES_MAX:
        raise ValueError(f"{length} bytes of a stream of {STREAM_BYTES_MAX}")
    secret = hmac.digest(salt or bytes(_BLOCK), key, "sha256")
    output, block = b"", b""
    for number in range(1, -(-length // _BLOCK) + 1):
        block = hmac.digest(secret, block + info + bytes([number]), "sha256")
        output += block
    return output[:length]


def stream(key: bytes, purpose: str, hand: bytes, length: int) -> bytes:
    """Return `length` bytes of the key for one purpose and one hand."""
    return expand(key, tag(purpose) + hand, length)


def permute(count: int, source: bytes) -> tuple[int, ...]:
    """Return a permutation of the numbers below `count` from 16-bit words of `source`.

    Words that would favour a place are skipped. Raises ValueError when the bytes run out.
    """
    order = list(range(count))
    at = 0
    for last in range(count - 1, 0, -1):
        places = last + 1
        limit = _WORDS - _WORDS % places
        while True:
            if at + 2 > len(source):
                raise ValueError("the bytes of a permutation ran out")
            word = int.from_bytes(source[at : at + 2], "big")
            at += 2
            if word < limit:
                break
        place = word % places
        order[last], order[place] = order[place], order[last]
    return tuple(order)
