"""Boxes of bytes that only the holder of a key opens (AES-256-GCM), under keys for one purpose."""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tables.fairness.encoding import digest, tag
from tables.fairness.sampling import expand

KEY_SIZE = 32
NAME_SIZE = 4
"""Bytes of the name of a key, by which a box says what opens it."""

NONCE_SIZE = 12

BoxKey = AESGCM
"""A key ready for use."""


class DamagedBox(ValueError):
    """A box was changed, or moved to another place than the one it was closed for."""


def key_of(text: str, purpose: str) -> bytes:
    """Return the 32 bytes of the key whose file holds `text`."""
    return expand(text.encode(), tag(purpose), KEY_SIZE)


def name_of(key: bytes) -> bytes:
    """Return the name of a key, which tells nothing of it."""
    return digest(tag("keyname"), key)[:NAME_SIZE]


def derived(key: bytes, purpose: str, place: bytes) -> BoxKey:
    """Return the key for boxes of one purpose at one place: fewer boxes share one key."""
    return AESGCM(expand(key, tag(purpose) + place, KEY_SIZE))


def close_box(key: BoxKey, nonce: bytes, plain: bytes, place: bytes) -> bytes:
    """Return the box of `plain`, bound to its `place`; a `nonce` is used once under a key."""
    return nonce + key.encrypt(nonce, plain, place)


def open_box(key: BoxKey, box: bytes, place: bytes) -> bytes:
    """Return the bytes in a box; raises DamagedBox for a changed or moved one."""
    try:
        return key.decrypt(box[:NONCE_SIZE], box[NONCE_SIZE:], place)
    except (InvalidTag, ValueError) as error:
        raise DamagedBox("a box was changed") from error
