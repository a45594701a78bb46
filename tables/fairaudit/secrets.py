"""Secrets of decks for an audit: in the boxes of records, and in escrow for the auditor."""

from __future__ import annotations

from msgspec.structs import replace

from tables.dealer.record import HandRecord
from tables.dealer.seen_record import SeenRecord
from tables.fairness.escrow import DamagedEscrow, open_escrow
from tables.fairness.sealing import seal_deck
from tables.records.parts import SecretPart, whole


def deck_secret(kept: HandRecord) -> bytes:
    """Return the secret of a played deck; it is in the box of its hand's record."""
    assert kept.called is not None, "a hand without a seal has no secret"
    return kept.called.sealed.secret


def opens_escrow(escrow: bytes, seal: bytes, name: bytes, auditor: bytes) -> bool:
    """Return whether an escrow opens to the secret that makes the seal of the hand `name`.

    True without an escrow, and for an audit without the auditor's private key.
    """
    if not escrow or not auditor:
        return True
    try:
        return seal_deck(open_escrow(escrow, seal, auditor), name).seal == seal
    except ValueError:
        return False


def whole_again(kept: HandRecord, escrow: bytes, auditor: bytes) -> HandRecord | None:
    """Return the whole record of a hand whose record key was deleted; None without its secret."""
    if not isinstance(kept, SeenRecord) or kept.called is None or not escrow:
        return None
    sealed = kept.called.sealed
    try:
        secret = open_escrow(escrow, sealed.seal, auditor)
    except DamagedEscrow:
        return None
    called = replace(kept.called, sealed=replace(sealed, secret=secret))
    return whole(kept, SecretPart(secret, "".join(called.deck())))
