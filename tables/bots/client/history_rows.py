"""Rows of a history: one file per client, one JSON object per line, in order of time.

`{"user":7,"name":"Ann"}` begins a file, and again every process that continues it.
`{"at":12.3,"sent":{...}}` is written before its message is sent, `{"at":12.4,"got":{...}}` after
one arrived; `at` is in seconds on the clock of that process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec


class HistoryRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line: an identity, a message that was sent, or a message that arrived."""

    user: int | None = None
    name: str | None = None
    at: float | None = None
    sent: msgspec.Raw = msgspec.Raw()
    got: msgspec.Raw = msgspec.Raw()


class Torn(Exception):
    """An unreadable line in the middle of a history."""


_decode = msgspec.json.Decoder(HistoryRow).decode
_json = msgspec.json.Encoder().encode


def begin(user: int, name: str) -> bytes:
    """Return the first line of a process; its newline ends a line torn by a killed process."""
    return b"\n" + _json(HistoryRow(user=user, name=name)) + b"\n"


def sent(at: float, text: str) -> bytes:
    """Return the line of a message that is about to be sent."""
    return b'{"at":%.3f,"sent":%b}\n' % (at, text.encode())


def got(at: float, text: str | bytes) -> bytes:
    """Return the line of a message that arrived."""
    raw = text.encode() if isinstance(text, str) else text
    return b'{"at":%.3f,"got":%b}\n' % (at, raw)


def read(raw: Iterable[bytes]) -> Iterator[HistoryRow]:
    """Yield the lines of a file; only the last line of a process may be torn, else raise Torn."""
    torn: bytes | None = None
    for text in raw:
        if not text.strip():
            continue
        try:
            line = _decode(text)
        except msgspec.DecodeError:
            if torn is not None:
                raise Torn(torn[:80]) from None
            torn = text
            continue
        if torn is not None and line.user is None:
            raise Torn(torn[:80])
        torn = None
        yield line
