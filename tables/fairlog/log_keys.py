"""Keys of the log: private keys of the keeper, and the public ones as leaves tell them."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from django.contrib.staticfiles.storage import staticfiles_storage

from config import environment
from tables.fairlog.models import LogLeaf
from tables.fairness.encoding import HASH_SIZE, ZEROS, tag
from tables.fairness.leaves import LeafKind
from tables.fairness.sampling import expand
from tables.fairness.signing import public_key_of

_FIRST = 2
"""Bytes of a leaf before its values: version and kind."""


class PublicKeys(NamedTuple):
    """Public keys that sign calls and heads, and the digest of the room's static files."""

    call: bytes
    log: bytes
    manifest: bytes


class RetiredKey(Exception):
    """This process holds a log key that another one has replaced."""


def private_keys() -> list[bytes]:
    """Return the private keys that sign heads: the current one, then the one before, if kept."""
    texts = [environment.log_key(), environment.log_key_before()]
    return [_private(text) for text in texts if text]


def public_log_key(text: str) -> bytes:
    """Return the public half of a log key, given the text of its file."""
    return public_key_of(_private(text))


def _private(text: str) -> bytes:
    return expand(text.encode(), tag("logkey"), HASH_SIZE)


def told_keys() -> list[PublicKeys]:
    """Return the public keys that leaves of the log tell, oldest first."""
    # Leaves without a deck are few, and found by the index of decks: the log has millions.
    rows = LogLeaf.objects.filter(deck=None, kind=LeafKind.KEYS, index__isnull=False)
    return [
        _decoded(bytes(leaf or b""))
        for leaf in rows.order_by("index").values_list("leaf", flat=True)
    ]


def _decoded(leaf: bytes) -> PublicKeys:
    return PublicKeys(*(leaf[at : at + HASH_SIZE] for at in range(_FIRST, 98, HASH_SIZE)))


def static_manifest() -> bytes:
    """Return the digest over names and hashed names of all static files of this release.

    Zeros where they are served under their own names, or were not gathered.
    """
    names = getattr(staticfiles_storage, "hashed_files", {})
    if not names:
        return ZEROS
    lines = "".join(f"{name} {hashed}\n" for name, hashed in sorted(names.items()))
    return sha256(lines.encode()).digest()
