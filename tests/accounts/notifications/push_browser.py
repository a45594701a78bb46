"""A browser that takes pushes: its keys, its endpoint at a receiver, and its decryption."""

from __future__ import annotations

import asyncio
import base64
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import sync_to_async
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.db import connections

from accounts.models import User
from accounts.notifications import endpoints, telling
from accounts.notifications.models import PushEndpoint
from tests.config.outside.receiver import Receiver


def text(raw: bytes) -> str:
    """Bytes as base64url."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def raw(written: str) -> bytes:
    """The bytes of base64url."""
    return base64.urlsafe_b64decode(written + "=" * (-len(written) % 4))


class PushBrowser:
    """Keys of a browser; an endpoint of its own path at a receiver."""

    def __init__(self, private: ec.EllipticCurvePrivateKey | None = None) -> None:
        self._private = private or ec.generate_private_key(ec.SECP256R1())
        self._secret = bytes(range(16))

    @property
    def point(self) -> bytes:
        """Its public key as an uncompressed point."""
        form = (Encoding.X962, PublicFormat.UncompressedPoint)
        return self._private.public_key().public_bytes(*form)

    def keys(self) -> dict[str, str]:
        """The keys it gives to the room."""
        return {"public_key": text(self.point), "secret": text(self._secret)}

    def subscribe(self, user: User, receiver: Receiver, path: str = "one") -> PushEndpoint:
        """Let the room know this browser as one of a user."""
        address = f"http://127.0.0.1:{receiver.port}/push/{path}"
        return endpoints.add_endpoint(user, "session", "Test", address=address, **self.keys())

    def decrypt(self, body: bytes) -> bytes:
        """The text of a push message, by RFC 8188 and RFC 8291 as they are written."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        their_point, sealed = body[21 : 21 + length], body[21 + length :]
        assert size >= len(sealed) and length == 65
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), their_point)
        shared = self._private.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + self.point + their_point
        seed = HKDF(SHA256(), 32, self._secret, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(seed)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(seed)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain[-1:] == b"\2"
        return plain[:-1]

    def read(self, body: bytes) -> dict[str, Any]:
        """The notification in a push message."""
        told: dict[str, Any] = json.loads(self.decrypt(body))
        return told


def push_due(*users: User) -> list[int]:
    """Send what is due to users side by side, as the loop does; return the numbers of attempts."""

    async def sent() -> list[int]:
        try:
            return list(await asyncio.gather(*(telling.push_user(user.pk) for user in users)))
        finally:
            await sync_to_async(connections.close_all)()

    # A thread of its own: a browser of the test has a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(sent())).result()
