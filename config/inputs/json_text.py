"""JSON from outside: text that is nested too deeply for the decoder is no JSON either."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


def decoded(decode: Callable[[bytes | str], T], text: bytes | str) -> T:
    """Return what `decode` of msgspec makes of a text; raise msgspec.DecodeError for any other.

    A few thousand brackets end the decoder with RecursionError, which no caller expects.
    """
    try:
        return decode(text)
    except RecursionError as deep:
        raise msgspec.DecodeError("JSON is nested too deeply") from deep


def object_of(text: bytes | str) -> dict[str, Any]:
    """Return the members of a JSON object; raise msgspec.DecodeError for any other text."""
    return decoded(_decode_object, text)
