"""Escrow of decks for an auditor: as RFC 9180 says, in each leaf, opened by the audit alone."""

from __future__ import annotations

import hmac
import stat
from io import StringIO
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from redis import Redis

from config import environment
from config.environment import KeyFileMissing
from tables.fairlog import storage
from tables.fairness import escrow
from tables.fairness.encoding import digest, tag
from tables.fairness.signing import public_key_of
from tables.models import Hand, SealedDeck
from tables.records import month_keys
from tables.records.month_keys import record_keys
from tables.workers import sealing
from tests.tables.fairlog.log_scene import keep_all, play
from tests.tables.fairness.verifier import failures
from tests.tables.history.downloading import proof_of

NO_LOG_KEY = None
SECRET, SEAL = bytes(range(32)), bytes(range(32, 64))


def _labelled(suite: bytes, salt: bytes, label: bytes, ikm: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + ikm, "sha256")


def _expanded(suite: bytes, prk: bytes, label: bytes, info: bytes, length: int) -> bytes:
    labelled = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(prk, labelled + b"\x01", "sha256")[:length]


def opened_by_the_rfc(sealed: bytes, info: bytes, private: bytes) -> bytes:
    """Open a box of one shot in base mode, step by step as sections 4 and 5 of RFC 9180 say."""
    key = X25519PrivateKey.from_private_bytes(private)
    enc, box = sealed[:32], sealed[32:]
    kem = b"KEM" + (0x20).to_bytes(2, "big")
    suite = b"HPKE" + b"".join(part.to_bytes(2, "big") for part in (0x20, 0x01, 0x02))
    shared = key.exchange(X25519PublicKey.from_public_bytes(enc))
    context = enc + key.public_key().public_bytes_raw()
    prk = _labelled(kem, b"", b"eae_prk", shared)
    secret = _expanded(kem, prk, b"shared_secret", context, 32)
    mode = b"\x00" + _labelled(suite, b"", b"psk_id_hash", b"")
    mode += _labelled(suite, b"", b"info_hash", info)
    prk = _labelled(suite, secret, b"secret", b"")
    aes = AESGCM(_expanded(suite, prk, b"key", mode, 32))
    return aes.decrypt(_expanded(suite, prk, b"base_nonce", mode, 12), box, b"")


def test_an_escrow_is_that_of_the_rfc() -> None:
    private, public = escrow.new_auditor()
    made = escrow.escrow_of(SECRET, SEAL, public)
    assert len(made) == escrow.ESCROW_SIZE and escrow.public_of(private) == public
    assert opened_by_the_rfc(made, tag("escrow") + SEAL, private) == SECRET
    assert escrow.open_escrow(made, SEAL, private) == SECRET


def test_a_changed_escrow_another_seal_and_another_auditor_open_nothing() -> None:
    private, public = escrow.new_auditor()
    made = escrow.escrow_of(SECRET, SEAL, public)
    other, _ = escrow.new_auditor()
    changed = [made[:at] + bytes((made[at] ^ 1,)) + made[at + 1 :] for at in range(0, 80, 9)]
    for one, seal, key in (
        *((raw, SEAL, private) for raw in changed),
        (made, SEAL[::-1], private),
        (made, SEAL, other),
        (made[:40], SEAL, private),
    ):
        with pytest.raises(escrow.DamagedEscrow):
            escrow.open_escrow(one, seal, key)


@pytest.mark.parametrize("wrong", ["no hexadecimal", "ab" * 31])
def test_a_wrong_public_key_stops_a_worker_in_clear_words(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("AUDITOR_KEY", wrong)
    with pytest.raises(KeyFileMissing, match="auditor's public key"):
        environment.auditor_key()


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The private key of the room's auditor, made by the command."""
    path, told = tmp_path / "auditor", StringIO()
    call_command("fair_keys", "auditor", "--private", str(path), stdout=told)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    monkeypatch.setenv("AUDITOR_KEY", told.getvalue().strip())
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    monkeypatch.setattr(sealing, "auditor", environment.auditor_key)
    return path


def audited(*options: str) -> str:
    """Run an audit of one engine; return what it told, and whether it found a difference."""
    told = StringIO()
    try:
        call_command("fair_audit", "--one-engine", *options, stdout=told, stderr=told)
    except CommandError as error:
        return f"{told.getvalue()}{error}"
    return told.getvalue()


@pytest.mark.django_db(transaction=True)
def test_the_auditor_opens_every_deck_and_finds_a_changed_escrow(
    room: Redis, private: Path
) -> None:
    table = play(room, 2)
    keep_all()
    decks = list(SealedDeck.objects.order_by("pk"))
    assert len(decks) == 3 and all(len(bytes(deck.escrow or b"")) == 80 for deck in decks)
    leaves = storage.entries(0, storage.size())
    for deck in decks:
        hashed = escrow.escrow_hash(bytes(deck.escrow or b""))
        assert hashed is not None and any(leaf.endswith(hashed) for leaf in leaves)
    proof = proof_of(table, 1, Client())
    assert proof["escrow_hash"] == digest(bytes(decks[0].escrow or b"")).hex()
    call_key = public_key_of(sealing.call_key())
    assert failures(proof, NO_LOG_KEY, call_key) == set()
    assert "no differences" in audited("--auditor-key", str(private))
    assert "no differences" in audited()
    foreign = private.with_name("foreign")
    call_command("fair_keys", "auditor", "--private", str(foreign), stdout=StringIO())
    assert "3 differences" in audited("--auditor-key", str(foreign))
    SealedDeck.objects.filter(pk=decks[-1].pk).update(escrow=decks[0].escrow)
    told = audited("--auditor-key", str(private))
    assert "does not open to the secret" in told and "2 differences" in told
    assert "the log tells another seal" in audited(), "its hash is in the leaf"
    with pytest.raises(CommandError, match="cannot be made"):
        call_command("fair_keys", "auditor", "--private", str(private))


@pytest.mark.django_db(transaction=True)
def test_burnt_hands_are_whole_for_the_auditor(
    room: Redis, private: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(room, 2)
    keep_all()
    burnt = tmp_path / "burnt"
    burnt.write_text(record_keys.path().read_text())
    month_keys.burn(burnt, "record key", record_keys.first + 1)
    told = audited("--record-key", str(burnt))
    assert "burnt: 2" in told and "no differences" in told
    told = audited("--record-key", str(burnt), "--auditor-key", str(private))
    assert "burnt" not in told and "no differences" in told
    Hand.objects.filter(number=1).update(digest="00" * 32)
    assert "1 differences" in audited("--record-key", str(burnt), "--auditor-key", str(private))
    record_keys.load_file()
