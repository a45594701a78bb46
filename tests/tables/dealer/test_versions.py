"""Stored bytes carry a version: newer ones are refused, those of before versions are read."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
import pytest

from tables.dealer import state as states
from tables.dealer import versions
from tables.dealer.state import TableState
from tests.tables import stages

SHAPE = "535af0e050108df6"
"""Digest of the shape of states of version 1.

Whoever changes the shape decides here: raise VERSION in tables/dealer/state.py when a release
before the change would misread the new states, then pin the new digest.
"""


def test_a_state_keeps_its_value_with_and_without_a_version() -> None:
    state = stages.empty()
    raw = states.encode(state)
    assert raw[0] == states.VERSION
    assert states.decode(raw) == state == states.decode(raw[1:])


@pytest.mark.parametrize("version", [0, states.VERSION + 1, 127])
def test_an_unknown_version_is_refused_even_of_a_state_that_would_decode(version: int) -> None:
    raw = versions.marked(version, states.encode(stages.empty())[1:])
    with pytest.raises(versions.UnknownVersion, match=f"version {version}"):
        states.decode(raw)


@pytest.mark.parametrize("raw", [b"", b"\x01", b"\xc1", b"\x80", b"text", b"\x01\xdc"])
def test_damaged_bytes_are_refused(raw: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        states.decode(raw)


def test_a_changed_shape_of_states_is_a_decision_about_their_version() -> None:
    schema = _without_words(msgspec.json.schema(TableState))
    digest = sha256(msgspec.json.encode(schema, order="deterministic")).hexdigest()
    assert digest[:16] == SHAPE


def _without_words(schema: Any) -> Any:
    """A schema without its descriptions, which are docstrings."""
    if isinstance(schema, dict):
        return {key: _without_words(part) for key, part in schema.items() if key != "description"}
    return [_without_words(part) for part in schema] if isinstance(schema, list) else schema
