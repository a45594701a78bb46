"""Signed heads of the log: checkpoints in signed notes (C2SP tlog-checkpoint, signed-note)."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from typing import NamedTuple

from tables.fairness.encoding import HASH_SIZE, digest
from tables.fairness.signing import is_signed, public_key_of, sign_message

_ED25519 = b"\x0a\x01"
_DASH = "\N{EM DASH} "
_KEY_ID_SIZE = 4


class LogHead(NamedTuple):
    """Origin, number of leaves and root of a log at one time."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """Return the three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


def key_id(origin: str, public_key: bytes) -> bytes:
    """Return the four bytes that name a log's key in its signatures."""
    return digest(origin.encode(), _ED25519, public_key)[:_KEY_ID_SIZE]


def sign_head(head: LogHead, private_key: bytes) -> str:
    """Return the head as a note signed by the log key."""
    text = head.text()
    named = key_id(head.origin, public_key_of(private_key))
    signature = b64encode(named + sign_message(private_key, text.encode())).decode()
    return f"{text}\n{_DASH}{head.origin} {signature}\n"


def open_head(note: str, origin: str, public_key: bytes) -> LogHead:
    """Return the head of a note signed by this log's key; raise ValueError for any other text.

    Signatures of others, witnesses for example, are passed over.
    """
    text, gap, signatures = note.rpartition("\n\n")
    lines = text.split("\n")
    if not gap or len(lines) < 3 or lines[0] != origin or not _is_number(lines[1]):
        raise ValueError("no head of this log")
    head = LogHead(origin, int(lines[1]), _decoded(lines[2]))
    if len(head.root) != HASH_SIZE or len(lines) != 3:
        raise ValueError("no head of this log")
    named = key_id(origin, public_key)
    for line in signatures.splitlines():
        signer, _, value = line.removeprefix(_DASH).partition(" ")
        if not line.startswith(_DASH) or signer != origin:
            continue
        signature = _decoded(value)
        if signature[:_KEY_ID_SIZE] == named and is_signed(
            public_key, head.text().encode(), signature[_KEY_ID_SIZE:]
        ):
            return head
    raise ValueError("the head is not signed by this log's key")


def _is_number(text: str) -> bool:
    digits_max = 19
    return text.isascii() and text.isdigit() and len(text) <= digits_max and text == str(int(text))


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (Error, ValueError) as error:
        raise ValueError("not base64") from error
