"""Key with which the room names itself to push services (VAPID, RFC 8292)."""

from __future__ import annotations

from functools import cache
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from accounts.notifications.encryption import encoded, point_of

TOKEN_S = 12 * 3_600
"""Lifetime of a token; push services accept a day."""

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_PART = 32


def public_key() -> str:
    """Return the public key that browsers subscribe for, as base64url."""
    return encoded(point_of(_key(settings.PUSH_KEY).public_key()))


def authorization(address: str, at_s: int) -> str:
    """Return the header that names the room to the push service of an address."""
    parts = urlsplit(address)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": at_s + TOKEN_S,
        "sub": _contact(),
    }
    head = {"typ": "JWT", "alg": "ES256"}
    signed = ".".join(encoded(msgspec.json.encode(part)) for part in (head, claims))
    signature = _key(settings.PUSH_KEY).sign(signed.encode(), ec.ECDSA(SHA256()))
    halves = b"".join(half.to_bytes(_PART, "big") for half in decode_dss_signature(signature))
    return f"vapid t={signed}.{encoded(halves)}, k={public_key()}"


def _contact() -> str:
    return settings.PUBLIC_URL if settings.SECURE else f"mailto:{settings.DEFAULT_FROM_EMAIL}"


@cache
def _key(secret: str) -> ec.EllipticCurvePrivateKey:
    """Return the private key that a secret stands for, equal in all processes of a room."""
    wide = HKDF(algorithm=SHA256(), length=48, salt=None, info=b"room push key")
    number = int.from_bytes(wide.derive(secret.encode()), "big") % (_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())
