"""Verifier of players: known answers, damaged files, and the command line."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.tables.fairness import forger
from tests.tables.fairness.cheats import void_hand
from tests.tables.fairness.cheats_with_cards import another_board_card
from tests.tables.fairness.forger import Forger
from tests.tables.fairness.known_answers import hands, vectors
from tests.tables.fairness.verifier import SCRIPT, checked, failures, script

KEYS = (bytes.fromhex(vectors()["log_key"]), bytes.fromhex(vectors()["call_key"]))
FORGED_KEYS = (forger.LOG_PUBLIC, forger.CALL_PUBLIC)
UNUSED = {("case",), ("notes", "in_time")}
"""Values that no check can use: the name of a test case, and a cut noted as late that counted."""

UNUSED_IN_VOID = {("variant",), ("viewer",)}
CHANGES_LEAST = 1_733


def with_older_head(proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with a head of the log that was seen before."""
    return proof | {"log": proof["log"] | {"older": vectors()["log"]["older"]}}


def with_newer_head(proof: dict[str, Any]) -> dict[str, Any]:
    """The proof under a head that was seen before, with the one of today as seen since."""
    path, then = vectors()["log"]["older"]["path"], vectors()["log"]["older"]["checkpoint"]
    newer = {"checkpoint": proof["log"]["checkpoint"], "path": path}
    return proof | {"log": proof["log"] | {"checkpoint": then, "newer": newer}}


def test_a_head_seen_since_must_continue_that_of_the_proof() -> None:
    proof = with_newer_head(hands()[0])
    assert "V15" not in failures(proof, *KEYS)
    path = proof["log"]["newer"]["path"]
    for other in ([], path[:-1], [*path, path[0]], [changed(path[0]), *path[1:]]):
        assert "V15" in failures(with_value(proof, ("log", "newer", "path"), other), *KEYS)
    swapped = {"older": proof["log"]["newer"], "newer": None}
    assert "V15" in failures(proof | {"log": proof["log"] | swapped}, *KEYS)


@pytest.mark.parametrize("proof", hands(), ids=lambda proof: str(proof["case"]))
def test_known_hands_hold(proof: dict[str, Any]) -> None:
    assert failures(proof, *KEYS) == set()
    assert failures(with_older_head(proof), *KEYS) == set()


def test_hand_that_nobody_cut_holds_with_its_sentence() -> None:
    remarks = [checked(proof, *KEYS)[1] for proof in hands()]
    assert remarks == [[], [], [], ["Nobody cut: only the room shuffled this deck."]]


def test_proof_without_notes_and_auditor_holds() -> None:
    proof = {key: value for key, value in hands()[0].items() if key not in ("notes", "auditor")}
    assert failures(proof, *KEYS) == set()


def test_other_keys_are_refused() -> None:
    log_key, call_key = KEYS
    assert failures(hands()[0], call_key, call_key) == {"V13", "V14", "V15"}
    assert failures(hands()[0], log_key, log_key) == {"V03"}


def leaves_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all single values."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves_of(inner, (*path, key))
    elif value is not None:
        yield path


def value_at(value: Any, path: tuple[Any, ...]) -> Any:
    """Value at a path."""
    return reduce(lambda inner, key: inner[key], path, value)


def with_value(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """The value with another one at a path; all else is shared."""
    if not path:
        return other
    copied = copy.copy(value)
    copied[path[0]] = with_value(value[path[0]], path[1:], other)
    return copied


def changed(value: Any) -> Any:
    """Another value of the same form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 if value != 51 else 50
    if value in script.DECK:
        return script.DECK[script.DECK.index(value) - 1]
    if value == "??":
        return "As"
    return ("1" if value[0] != "1" else "2") + value[1:]


def single_changes(proof: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The proof with each of its values changed alone; of events, those that a line has."""
    events = [json.loads(told) if isinstance(told, str) else told for told in proof["course"]]
    proof = proof | {
        "course": [{key: told[key] for key in ("type", *_fields(told))} for told in events]
    }
    for path in leaves_of(proof):
        yield path, with_value(proof, path, changed(value_at(proof, path)))


def _fields(told: dict[str, Any]) -> list[str]:
    return [field.rstrip("?") for field in script.EVENTS[told["type"]]]


def test_every_single_changed_value_is_found() -> None:
    forged = [
        Forger(3, variant="omaha5_hilo", seats=3).forge(),
    ]
    void = void_hand().forge()
    proofs = [(proof, KEYS, UNUSED) for proof in map(with_older_head, hands())]
    proofs += [(proof, FORGED_KEYS, UNUSED) for proof in forged]
    proofs += [(void, FORGED_KEYS, UNUSED | UNUSED_IN_VOID)]
    missed, changes = set(), 0
    for proof, keys, unused in proofs:
        assert failures(proof, *keys) == set()
        for path, damaged in single_changes(proof):
            changes += 1
            if path not in unused and not failures(damaged, *keys):
                missed.add((proof["hand"], path))
    assert missed == set()
    assert changes >= CHANGES_LEAST


UNREADABLE = {
    "empty": b"",
    "no JSON": b"{",
    "no object": b"[]",
    "number": b"5",
    "null": b"null",
    "no text": b"\xff\xfe\x00",
    "nested": b"[" * 100_000,
    "nested objects": b'{"a":' * 100_000,
    "huge number": b'{"version":' + b"9" * 100_000 + b"}",
    "float": b'{"version":1.0}',
    "infinity": b'{"version":Infinity}',
    "several hands": b'{"hands":[]}',
}


def write_damaged(proof: dict[str, Any], path: tuple[Any, ...], value: Any) -> bytes:
    """JSON of the proof with another value at a path."""
    return json.dumps(with_value(proof, path, value)).encode()


WRONG = {
    "version": (("version",), 2),
    "true for a number": (("table",), True),
    "text for a number": (("epoch",), "1"),
    "negative": (("hand",), -1),
    "too big": (("hand",), 2**32),
    "far too big": (("sealed_ms",), 2**64),
    "no digits": (("seal",), "z" * 64),
    "upper case": (("seal",), "A" * 64),
    "too short": (("seal",), "ab"),
    "number for digits": (("seal",), 5),
    "object for a list": (("envelopes",), {}),
    "list for an object": (("roster", 0), []),
    "null in the course": (("course", 0), None),
    "null among openings": (("openings", 0), None),
    "null in the cut": (("cut", 0), None),
    "null looked up": (("looked_up",), [None]),
    "null among noted cards": (("notes", "hole"), [None, "Ts"]),
    "no card": (("openings", 0, "card"), "1x"),
    "list for a card": (("openings", 0, "card"), []),
    "position beyond the deck": (("openings", 0, "position"), 52),
    "place beyond the deck": (("cut", 0), 52),
    "fate unknown": (("fate",), 5),
    "no fate": (("fate",), 0),
    "reason unknown": (("reason",), 8),
    "event of another kind": (("course", 0), {"type": "chat"}),
    "event without a field": (("course", 0), {"type": "posted"}),
    "event that is no JSON": (("course", 0), "{"),
    "event nested": (("course", 0), "[" * 100_000),
    "too many seats": (("roster",), [{"seat": 1, "entry": 1, "state": 0}] * 256),
    "list without end": (("envelopes",), ["00" * 32] * 2_001),
    "long text": (("origin",), "x" * 10_000),
    "path of numbers": (("log", "seal", "path"), [1]),
    "checkpoint of another kind": (("log", "checkpoint"), 7),
    "index of another kind": (("log", "seal", "index"), None),
    "notes of another kind": (("notes",), []),
    "in time of another kind": (("notes", "in_time"), 1),
}


def is_unreadable(source: bytes) -> bool:
    """Refusal of the bytes by the script; any other error escapes."""
    try:
        checked(script.parse(source.decode()), *KEYS)
    except (script.Unreadable, UnicodeDecodeError):
        return True
    return False


@pytest.mark.parametrize("name", UNREADABLE)
def test_files_that_are_no_proof_are_unreadable(name: str) -> None:
    assert is_unreadable(UNREADABLE[name])


@pytest.mark.parametrize("name", WRONG)
def test_values_of_a_wrong_kind_are_unreadable(name: str) -> None:
    assert is_unreadable(write_damaged(hands()[0], *WRONG[name]))


def test_sentence_names_the_value_of_a_wrong_kind_as_the_file_does() -> None:
    with pytest.raises(script.Unreadable, match=r"^call is not text of the form"):
        checked(hands()[0] | {"call": 5}, *KEYS)


def test_missing_keys_are_unreadable() -> None:
    optional = {"case", "notes", "auditor", "secret"}
    for key in hands()[0].keys() - optional:
        proof = {name: value for name, value in hands()[0].items() if name != key}
        assert failures(proof, *KEYS), key
        lists = key in ("course", "openings", "looked_up")
        assert is_unreadable(json.dumps(proof).encode()) == (
            lists or key + "?" not in script.PROOF
        ), key


def test_keys_named_twice_are_unreadable() -> None:
    source = json.dumps(hands()[0])
    assert not is_unreadable(source.encode())
    assert is_unreadable(source.replace('"table":', '"table": 1, "table":', 1).encode())


def test_unknown_keys_are_told() -> None:
    proof = hands()[0] | {"n\u00f6tes": 1}
    assert "Not checked, as not known" in checked(proof, *KEYS)[1][0]


def test_text_without_a_byte_form_does_not_break_the_script() -> None:
    assert failures(hands()[0] | {"origin": "\ud800"}, *KEYS)
    log = hands()[0]["log"] | {"checkpoint": "\ud800\n1\n" + "A" * 43 + "=\n\n\u2014 \ud800 x\n"}
    assert failures(hands()[0] | {"log": log, "origin": "\ud800"}, *KEYS)


def test_damaged_bytes_never_break_the_script() -> None:
    random = Random(8)
    source = json.dumps(hands()[2]).encode()
    refused = 0
    for _ in range(400):
        damaged = bytearray(source)
        for _ in range(random.randint(1, 3)):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        refused += is_unreadable(bytes(damaged))
    assert refused > 0


def run_script(path: Path, *keys: str) -> subprocess.CompletedProcess[str]:
    """Exit and output of the script without any library of the project."""
    arguments = ["--log-key", keys[0], "--call-key", keys[1]]
    return subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), str(path), *arguments],
        capture_output=True, text=True, check=False, cwd=path.parent,
    )  # fmt: skip


def test_script_prints_each_check_and_exits_0_when_all_hold(tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(hands()[3]))
    run = run_script(proof, *(key.hex() for key in KEYS))
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert [line[:7] for line in lines[:15]] == [f"V{number:02} ok " for number in range(1, 16)]
    assert lines[15:] == ["Note: Nobody cut: only the room shuffled this deck.", "All checks hold."]


def test_script_exits_1_when_a_check_fails(tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(another_board_card()))
    run = run_script(proof, *(key.hex() for key in FORGED_KEYS))
    assert run.returncode == 1
    assert "V10 FAILED Another card was told for position" in run.stdout
    assert run.stderr == ""


@pytest.mark.parametrize("name", ["no JSON", "no text", "nested", "huge number", "null"])
def test_script_exits_2_with_one_sentence(name: str, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    proof.write_bytes(UNREADABLE[name])
    run = run_script(proof, *(key.hex() for key in KEYS))
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("This cannot be checked: ")
    assert len(run.stderr.splitlines()) == 1


def test_script_exits_2_for_a_missing_file_and_a_malformed_key(tmp_path: Path) -> None:
    keys = [key.hex() for key in KEYS]
    missing = run_script(tmp_path / "none.json", *keys)
    assert (missing.returncode, "Traceback" in missing.stderr) == (2, False)
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(hands()[0]))
    malformed = run_script(proof, "abc", keys[1])
    assert malformed.returncode == 2
    assert "--log-key is not" in malformed.stderr


def test_script_needs_the_standard_library_alone_and_has_400_lines_at_most() -> None:
    source = SCRIPT.read_text()
    assert len(source.splitlines()) <= 400
    assert not [name for name in ("tables", "django", "cryptography") if f"import {name}" in source]
