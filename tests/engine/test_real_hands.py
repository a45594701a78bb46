"""Hands that people played replay exactly; where the record is odd, that is named."""

from __future__ import annotations

import json
import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tables.real_hands.record import read
from tables.real_hands.replay import NotExact, replay
from tables.real_hands.report import report

CORPUS = Path(os.environ.get("REAL_HANDS", "../shared/corpus/real_hands.jsonl"))
corpus = pytest.mark.skipif(
    not CORPUS.exists(), reason=f"the real hands are not part of the project: no {CORPUS}"
)
HAND = {
    "id": "1",
    "tournament": True,
    "game": "holdem",
    "limit": "no_limit",
    "small_blind": 10,
    "big_blind": 20,
    "button": 1,
    "seats": [{"seat": 1, "stack": 500}, {"seat": 2, "stack": 500}],
    "posts": [[1, "small_blind", 10], [2, "big_blind", 20]],
    "actions": [["preflop", 1, "raise_to", 60], ["preflop", 2, "fold"]],
    "board": [],
    "cards": {},
    "uncalled": [1, 40],
    "pots": [],
    "total_pot": 40,
    "rake": 0,
    "collected": {"1": 40},
}


def line(**changed: object) -> bytes:
    """A small correct record with some fields changed."""
    return json.dumps(HAND | changed).encode()


@corpus
def test_every_real_hand_is_exact_or_explained(tmp_path: Path) -> None:
    out, written = StringIO(), tmp_path / "out.json"
    call_command("replay_hands", str(CORPUS), "--report", str(written), stdout=out)
    found = json.loads(written.read_text())
    assert out.getvalue().splitlines()[-1] == (
        f"{found['hands']} hands, {found['exact']} exact, {found['not_exact']} not exact, "
        f"{found['unreadable']} unreadable"
    )
    assert found["hands"] == 887
    assert found["exact"] >= 880
    assert found["unexplained"] == found["unreadable"] == 0


def test_a_correct_record_is_exact() -> None:
    assert replay(read(line())).stacks_after[0].chips in (480, 520)
    assert report([line(), b"\n"], {}).summary() == ("1 hands, 1 exact, 0 not exact, 0 unreadable")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"actions": [["preflop", 1, "raise_to", 39], ["preflop", 2, "fold"]]}, "amount_too_small"),
        ({"actions": [["preflop", 2, "fold"]]}, "seat 1 is asked"),
        ({"actions": [["preflop", 1, "call", 11], ["preflop", 2, "check"]]}, "takes 10"),
        ({"actions": [["preflop", 1, "raise_to", 60]]}, "the record ends"),
        ({"uncalled": [1, 30]}, "uncalled"),
        ({"collected": {"2": 40}}, "collected"),
        ({"posts": [[1, "small_blind", 10], [2, "big_blind", 15]]}, "posts"),
    ],
)
def test_a_wrong_record_is_not_exact_and_the_reason_is_told(
    changed: dict[str, object], reason: str
) -> None:
    with pytest.raises(NotExact, match=reason):
        replay(read(line(**changed)))


def test_a_command_with_an_unexplained_hand_fails(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_bytes(line() + b"\n" + line(id="2", uncalled=[1, 30]) + b"\n{not json\n")
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("replay_hands", str(path), stdout=out)
    assert ended.value.code == 1
    assert out.getvalue().splitlines()[-1] == "3 hands, 1 exact, 1 not exact, 1 unreadable"


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "razz"},
        {"seats": [{"seat": 1, "stack": 500}]},
        {"board": ["As", "As", "Kd"]},
        {"small_blind": 0.001},
        {"actions": [["preflop", 9, "fold"]]},
    ],
)
def test_what_no_table_could_have_given_is_unreadable(changed: dict[str, object]) -> None:
    found = report([line(**changed)], {})
    assert found.counts()["unreadable"] == 1
