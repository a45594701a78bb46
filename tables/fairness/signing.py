"""Ed25519 signatures of calls and heads (RFC 8032)."""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)


def public_key_of(private_key: bytes) -> bytes:
    """Return the public key of a private key of 32 bytes; raise ValueError for another length."""
    return _signer(private_key).public_key().public_bytes_raw()


def sign_message(private_key: bytes, message: bytes) -> bytes:
    """Return the 64 bytes of the signature; raise ValueError for a key of another length."""
    return _signer(private_key).sign(message)


# A process signs with few keys, and making one takes as long as a signature.
_signer = lru_cache(8)(Ed25519PrivateKey.from_private_bytes)


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether the signature is that of the message; False for a malformed key too."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
