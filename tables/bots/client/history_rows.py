"""The lines of a history: one file per client, one JSON object per line, in the order it happened.

`{"user":7,"name":"Ann"}` begins a file, and again every process that goes on with it.
`{"at":12.3,"sent":{...}}` stands there before the message was sent, `{"at":12.4,"got":{...}}` after
one came; `at` is in seconds on that process' clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec


class HistoryRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line: who this is, a message that was sent, or one that came."""

    user: int | None = None
    name: str | None = None
    at: float | None = None
    sent: msgspec.Raw = msgspec.Raw()
    got: msgspec.Raw = msgspec.Raw()


class Torn(Exception):
    """A line in the middle of a history that cannot be read."""


_decode = msgspec.json.Decoder(HistoryRow).decode
_json = msgspec.json.Encoder().encode


def begin(user: int, name: str) -> bytes:
    """The line with which a process begins; a line that a killed process left torn ends before."""
    return b"\n" + _json(HistoryRow(user=user, name=name)) + b"\n"


def sent(at: float, text: str) -> bytes:
    """The line of a message that is about to be sent."""
    return b'{"at":%.3f,"sent":%b}\n' % (at, text.encode())


def got(at: float, text: str | bytes) -> bytes:
    """The line of a message that came."""
    raw = text.encode() if isinstance(text, str) else text
    return b'{"at":%.3f,"got":%b}\n' % (at, raw)


def read(raw: Iterable[bytes]) -> Iterator[HistoryRow]:
    """The lines of a file; only the last one of a process may be torn, else Torn is raised."""
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
