"""Recorded hands of people replay exactly; faults of a record are named."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from functools import reduce
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tables.engine.actions import Bet, Call, Check, Fold
from tables.engine.events import Stakes
from tables.history.real_hands.record import STUD_STREETS, read
from tables.history.real_hands.replay import NotExact, replay
from tables.history.real_hands.report import report
from tests.tables.engine.scene import scene

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
def test_a_wrong_record_is_not_exact_and_names_its_reason(
    changed: dict[str, object], reason: str
) -> None:
    with pytest.raises(NotExact, match=reason):
        replay(read(line(**changed)))


def stud(folds: dict[str, int], **changed: object) -> bytes:
    """A record of stud with eight players, of whom the given number fold on each street."""
    stakes = Stakes(0, 0, 5, "per_seat", bring_in=10, small_bet=40, big_bet=80)
    hand = scene(
        dict.fromkeys(range(1, 9), 1000), variant="stud", limit="fixed_limit", stakes=stakes
    )
    acts: list[list[object]] = []
    left = dict(folds)
    while (seat := hand.now.actor) is not None:
        street, option = hand.now.street, hand.option()
        name = {value: key for key, value in STUD_STREETS.items()}.get(street, "river")
        if not option.fold:
            acts.append([name, seat, "bring_in", option.call])
            hand.does((seat, Call()))
        elif left.get(street, 0) and option.call:
            left[street] -= 1
            acts.append([name, seat, "fold"])
            hand.does((seat, Fold()))
        elif option.call:
            acts.append([name, seat, "call", option.call])
            hand.does((seat, Call()))
        elif left.get(street, 0):
            acts.append([name, seat, "bet", option.bet_min])
            hand.does((seat, Bet(option.bet_min or 0)))
        else:
            acts.append([name, seat, "check"])
            hand.does((seat, Check()))
    outcome = hand.result()
    record = {
        "game": "stud",
        "limit": "fixed_limit",
        "small_blind": 40,
        "big_blind": 80,
        "button": 1,
        "seats": [{"seat": seat, "stack": 1000} for seat in range(1, 9)],
        "posts": [[seat, "ante", 5] for seat in range(1, 9)],
        "actions": acts,
        "board": list(outcome.board),
        "cards": {str(seat.seat): seat.cards for seat in hand.now.seats},
        "uncalled": None,
        "total_pot": sum(pot.amount for pot in outcome.pots),
        "collected": {
            str(share.seat): share.amount for award in outcome.awards for share in award.winners
        },
    }
    return line(**record | changed)


@pytest.mark.rule("D-03")
@pytest.mark.parametrize(
    ("folds", "common"),
    [({}, 1), ({"fourth": 1}, 1), ({"fifth": 3, "sixth": 1}, 0), ({"fifth": 5}, 0)],
)
def test_a_stud_hand_replays_with_a_common_card_and_without(
    folds: dict[str, int], common: int
) -> None:
    recorded = read(stud(folds))
    assert len(recorded.board) == common
    assert len(replay(recorded).board) == common


@pytest.mark.rule("D-03")
def test_an_unknown_common_card_may_be_any_card() -> None:
    found = report([stud({}, board=[], cards={}, collected={})], {})
    assert found.summary() == "1 hands, 1 exact, 0 not exact, 0 unreadable"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"board": ["2c"]}, "a common card is recorded"),
        ({"cards": {"8": ["As", "Ah", "Ad", "Ac", "Ks", "Kh", "Kd", "Kc"]}}, "is dealt 7"),
        ({"actions": [["4th", 1, "check"], ["4th", 1, "fold"], ["5th", 1, "bet", 5]]}, "acts on"),
    ],
)
def test_an_impossible_stud_deal_is_reported(changed: dict[str, object], reason: str) -> None:
    plain: dict[str, object] = {"board": [], "cards": {}, "collected": {}}
    found = report([stud({"fifth": 5}, **plain | changed)], {})
    assert found.counts()["not_exact"] == 1
    assert reason in found.odd[0].reason


JUNK: tuple[Any, ...] = (
    None,
    -1,
    0,
    1,
    10**30,
    3.5,
    "",
    "x",
    "NaN",
    "1e999",
    "As",
    [],
    {},
    [1, 2],
    {"1": ["As"]},
)


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Positions of values inside a record."""
    if path:
        yield path
    inside: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, deeper in inside:
        yield from places(deeper, (*path, key))


def test_a_damaged_record_is_reported_without_an_exception() -> None:
    records = [HAND, *(json.loads(stud(folds)) for folds in ({}, {"fifth": 3, "sixth": 1}))]
    random, odd = Random(3), 0
    for number in range(900):
        record = json.loads(json.dumps(records[number % 3]))
        for _ in range(random.choice((1, 1, 2, 3))):
            *path, last = random.choice(list(places(record)))
            holder = reduce(lambda inside, key: inside[key], path, record)
            if random.random() < 0.3:
                del holder[last]
            else:
                holder[last] = json.loads(json.dumps(random.choice(JUNK)))
        odd += len(report([json.dumps(record).encode()], {}).odd)
    assert odd > 300


def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"no\.jsonl cannot be read: No such file"):
        call_command("replay_hands", str(tmp_path / "no.jsonl"), stdout=StringIO())


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
def test_an_impossible_value_makes_a_record_unreadable(changed: dict[str, object]) -> None:
    found = report([line(**changed)], {})
    assert found.counts()["unreadable"] == 1
