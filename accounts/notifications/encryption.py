"""Encryption of a push message for one browser (RFC 8291, over RFC 8188's `aes128gcm`)."""

from __future__ import annotations

import base64
import binascii

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from config import entropy

PLAIN_MAX_BYTES = 3_993
"""Longest text: push services take bodies of 4,096 bytes with header, delimiter and tag."""

POINT_BYTES, SECRET_BYTES, SALT_BYTES = 65, 16, 16
_RECORD_BYTES = 4_096


class WrongKeys(ValueError):
    """Keys of a browser that are no point of the curve, or no secret of sixteen bytes."""


def encrypt(plain: bytes, public_key: str, secret: str) -> bytes:
    """Return the body of a push message, with a fresh key and salt; raises WrongKeys."""
    salt = entropy.system().randbytes(SALT_BYTES)
    return encrypt_with(plain, public_key, secret, ec.generate_private_key(ec.SECP256R1()), salt)


def encrypt_with(
    plain: bytes, public_key: str, secret: str, own: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Return the body of a push message for a browser's keys, which are base64url.

    `own` and `salt` belong to this message alone. Raises WrongKeys.
    """
    assert len(plain) <= PLAIN_MAX_BYTES and len(salt) == SALT_BYTES
    theirs, known = read_keys(public_key, secret)
    own_point, their_point = point_of(own.public_key()), point_of(theirs)
    # 1. A key that only the browser can derive: shared point, then its secret (8291, 3.4).
    shared = own.exchange(ec.ECDH(), theirs)
    seed = _derived(shared, known, b"WebPush: info\x00" + their_point + own_point, 32)
    # 2. Key and nonce of the one record (8188, 2.2 and 2.3).
    key = _derived(seed, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derived(seed, salt, b"Content-Encoding: nonce\x00", 12)
    # 3. The record is the last one: its delimiter is 2, and there is no padding.
    header = salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([POINT_BYTES]) + own_point
    return header + AESGCM(key).encrypt(nonce, plain + b"\x02", None)


def read_keys(public_key: str, secret: str) -> tuple[ec.EllipticCurvePublicKey, bytes]:
    """Return a browser's public key and secret, decoded; raises WrongKeys."""
    try:
        point, known = decoded(public_key), decoded(secret)
        if len(point) != POINT_BYTES or len(known) != SECRET_BYTES:
            raise WrongKeys
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point), known
    except (ValueError, binascii.Error) as wrong:
        raise WrongKeys from wrong


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(raw: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of base64url, with or without padding; raises ValueError."""
    plain = text.rstrip("=").replace("-", "+").replace("_", "/").encode("ascii")
    return base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True)


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(key)
