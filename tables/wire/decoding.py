"""Decode messages of clients strictly: text of a bounded size, JSON, one of the known structs."""

from __future__ import annotations

import msgspec

from config import limits
from config.inputs.json_text import decoded
from tables.wire.client_commands import ClientMessage


class Unreadable(msgspec.Struct, frozen=True):
    """Code of a message that cannot be decoded, its id if it has one, and the decoder's words."""

    code: str
    id: str | None = None
    detail: str = ""


class _Named(msgspec.Struct):
    id: str | None = None


_message = msgspec.json.Decoder(ClientMessage).decode
_named = msgspec.json.Decoder(_Named).decode


def decode(text: str | None) -> ClientMessage | Unreadable:
    """Return the message in the text of a frame; None stands for a frame of bytes."""
    if text is None:
        return Unreadable("not_text")
    raw = text.encode()
    if len(raw) > limits.CLIENT_MESSAGE_MAX_BYTES:
        return Unreadable("too_large")
    try:
        message: ClientMessage = decoded(_message, raw)
    except msgspec.ValidationError as error:
        return Unreadable("bad_message", _id_of(raw), str(error))
    except msgspec.DecodeError:
        return Unreadable("not_json")
    return message


def _id_of(raw: bytes) -> str | None:
    try:
        return decoded(_named, raw).id
    except msgspec.DecodeError:
        return None
