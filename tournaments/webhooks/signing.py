"""Signature of a webhook's message after the Standard Webhooks specification (version 1)."""

from __future__ import annotations

import base64
import hmac
from hashlib import sha256

from tournaments.models.webhook import SECRET_PREFIX


def headers(secret: str, message: str, at_s: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message: its id, its time in seconds since the epoch, its signature.

    A repeated delivery has the same id, so that a receiver drops what it knows.
    """
    return {
        "webhook-id": message,
        "webhook-timestamp": str(at_s),
        "webhook-signature": f"v1,{signature(secret, message, at_s, body)}",
    }


def signature(secret: str, message: str, at_s: int, body: bytes) -> str:
    """Return the HMAC-SHA256 of id, time and body in base64."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{message}.{at_s}.".encode() + body
    return base64.b64encode(hmac.new(key, signed, sha256).digest()).decode()
