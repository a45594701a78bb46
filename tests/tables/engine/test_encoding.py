"""Encoding of hands: versioned, stable and strict."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tables.engine.events import HandEvent
from tables.engine.evolve import evolve
from tables.engine.state import (
    FORMAT,
    HandSetup,
    HandState,
    Player,
    Positions,
    Post,
    SeatState,
)

GOLDEN = Path(__file__).parents[2] / "golden"
FORMATS = range(1, FORMAT + 1)


def kept_hands(version: int = FORMAT) -> list[list[str]]:
    """Hands of a golden file, separated by empty lines."""
    kept = (GOLDEN / f"encoding_v{version}.jsonl").read_text()
    return [block.splitlines() for block in kept.strip().split("\n\n")]


def test_a_stored_hand_is_written_back_unchanged() -> None:
    for first, *events, last in kept_hands():
        assert msgspec.json.encode(msgspec.json.decode(first, type=HandSetup)).decode() == first
        assert msgspec.json.encode(msgspec.json.decode(last, type=HandState)).decode() == last
        for event in events:
            read: HandEvent = msgspec.json.decode(event, type=HandEvent)
            assert msgspec.json.encode(read).decode() == event


@pytest.mark.parametrize("version", FORMATS)
def test_hands_written_in_any_format_are_read_and_fold_to_the_same_state(version: int) -> None:
    for first, *events, last in kept_hands(version):
        setup = msgspec.json.decode(first, type=HandSetup)
        state: HandState | None = None
        for event in events:
            state = evolve(state, msgspec.json.decode(event, type=HandEvent))
        assert state is not None
        assert state == msgspec.json.decode(last, type=HandState)
        assert setup.deck == tuple(state.deck[n : n + 2] for n in range(0, len(state.deck), 2))


@pytest.mark.parametrize("kind", [HandSetup, HandState])
def test_an_array_with_one_value_too_many_is_refused(kind: type) -> None:
    first, *_, last = kept_hands()[0]
    values = json.loads(first if kind is HandSetup else last)
    msgspec.json.decode(json.dumps(values), type=kind)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps([*values, 1]), type=kind)


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"folded"}',
        '{"type":"folded","seat":"3"}',
        '{"type":"raised","seat":3,"to":5}',
        '{"type":"vanished","seat":3}',
        '{"type":"posted","seat":3,"kind":"tip","amount":5}',
        '{"seat":3}',
    ],
)
def test_an_unknown_event_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=HandEvent)


def test_every_format_has_its_golden_file_and_a_new_one_differs() -> None:
    assert len(list(GOLDEN.glob("encoding_v*.jsonl"))) == FORMAT
    assert len({(GOLDEN / f"encoding_v{version}.jsonl").read_text() for version in FORMATS}) == (
        FORMAT
    )


FIELDS: dict[type[msgspec.Struct], int] = {
    HandSetup: 5,
    HandState: 33,
    SeatState: 9,
    Player: 5,
    Positions: 5,
    Post: 2,
}


@pytest.mark.parametrize("kind", FIELDS, ids=lambda kind: kind.__name__)
def test_a_new_field_of_an_array_needs_a_new_format(kind: type[msgspec.Struct]) -> None:
    assert len(msgspec.structs.fields(kind)) == FIELDS[kind]
