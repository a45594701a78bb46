"""Encryption of pushes and the room's key, against the answers of their standards."""

from __future__ import annotations

import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from accounts.notifications import encryption, room_key
from tests.accounts.notifications.push_browser import PushBrowser, raw, text

# RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
ROOM_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
SECRET, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
    "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qul"
    "cy4a-fN"
)


def test_a_message_is_encrypted_as_in_the_standard() -> None:
    private = ec.derive_private_key(int.from_bytes(raw(ROOM_PRIVATE), "big"), ec.SECP256R1())
    body = encryption.encrypt_with(PLAIN, BROWSER_PUBLIC, SECRET, private, raw(SALT))
    assert text(body) == BODY


@given(st.binary(max_size=encryption.PLAIN_MAX_BYTES))
def test_the_browser_reads_every_message_and_two_are_never_alike(plain: bytes) -> None:
    browser = PushBrowser()
    first, second = (encryption.encrypt(plain, **browser.keys()) for _ in range(2))
    assert browser.decrypt(first) == browser.decrypt(second) == plain
    assert first != second and len(first) <= 4_096
    assert first[:16] != second[:16] and first[21:86] != second[21:86], "fresh salt and key"


@pytest.mark.parametrize(
    ("public_key", "secret"),
    [
        ("", SECRET),
        (BROWSER_PUBLIC, ""),
        (BROWSER_PUBLIC[:-4], SECRET),
        (BROWSER_PUBLIC[:-1] + "!", SECRET),
        (text(b"\4" + bytes(64)), SECRET),
        (text(b"\2" + raw(BROWSER_PUBLIC)[1:33]), SECRET),
        (BROWSER_PUBLIC, SECRET + "AAAA"),
        (BROWSER_PUBLIC, "é" * 22),
    ],
)
def test_keys_that_are_none_are_refused(public_key: str, secret: str) -> None:
    with pytest.raises(encryption.WrongKeys):
        encryption.read_keys(public_key, secret)


def test_the_room_names_itself_to_one_push_service_for_half_a_day(settings: Settings) -> None:
    header = room_key.authorization("https://push.example:8443/send/abc?x=1", 1_000_000)
    scheme, _space, rest = header.partition(" ")
    token, key = (part.partition("=")[2] for part in rest.split(", "))
    head, claims, signature = token.split(".")
    assert scheme == "vapid" and key == room_key.public_key()
    assert json.loads(raw(head)) == {"typ": "JWT", "alg": "ES256"}
    told = json.loads(raw(claims))
    assert told["aud"] == "https://push.example:8443"
    assert told["exp"] == 1_000_000 + 12 * 3_600 and told["sub"].startswith("mailto:")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(key))
    halves = raw(signature)
    assert len(halves) == 64
    both = (int.from_bytes(halves[:32], "big"), int.from_bytes(halves[32:], "big"))
    signed = encode_dss_signature(*both)
    public.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        public.verify(signed, f"{head}.{claims}x".encode(), ec.ECDSA(SHA256()))
    settings.PUSH_KEY = "another"
    assert room_key.public_key() != key
