"""Escrow of a deck's secret for an auditor outside the room: HPKE (RFC 9180), bound to its seal."""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from tables.fairness.encoding import digest, tag

ESCROW_SIZE = 80
"""Bytes of an escrow: the encapsulated key, the secret, the tag."""

_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)


class DamagedEscrow(ValueError):
    """An escrow was changed, belongs to another seal, or was made for another auditor."""


def escrow_of(secret: bytes, seal: bytes, public: bytes) -> bytes:
    """Return the escrow of a secret for the auditor with this public key; ValueError for none."""
    return _SUITE.encrypt(secret, X25519PublicKey.from_public_bytes(public), info=_info(seal))


def open_escrow(escrow: bytes, seal: bytes, private: bytes) -> bytes:
    """Return the secret in an escrow; raises DamagedEscrow."""
    try:
        key = X25519PrivateKey.from_private_bytes(private)
        return _SUITE.decrypt(escrow, key, info=_info(seal))
    except (InvalidTag, ValueError) as error:
        raise DamagedEscrow("an escrow was changed, or is for another auditor") from error


def escrow_hash(escrow: bytes) -> bytes | None:
    """Return the hash of an escrow as the leaf of its seal has it; None for a deck without one."""
    return digest(escrow) if escrow else None


def new_auditor() -> tuple[bytes, bytes]:
    """Return the private and the public key of a new auditor, 32 bytes each."""
    key = X25519PrivateKey.generate()
    return key.private_bytes_raw(), key.public_key().public_bytes_raw()


def public_of(private: bytes) -> bytes:
    """Return the public key of an auditor's private one; raises ValueError."""
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def _info(seal: bytes) -> bytes:
    return tag("escrow") + seal
