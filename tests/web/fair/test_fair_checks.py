"""Checks of a proof in the browser: the same answers as those of the players' script."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tables.engine.variants import VARIANTS
from tables.fairness.openings import Opening
from tables.fairness.positions import dealt_positions
from tests.tables.fairness import (
    cheats_with_cards,
    cheats_with_cuts,
    cheats_with_endings,
    forger,
)
from tests.tables.fairness.cheats import CHEATS, cut_short, showdown, void_hand, void_in_play
from tests.tables.fairness.forger import Forger
from tests.tables.fairness.verifier import failures
from tests.web import browsing

PLANTED = (cheats_with_cards, cheats_with_cuts, cheats_with_endings)
"""Modules that fill CHEATS."""

KEYS = (forger.LOG_PUBLIC, forger.CALL_PUBLIC)
VECTORS = json.loads(
    (Path(__file__).parents[3] / "static" / "fair" / "vectors.json").read_text(encoding="utf-8")
)
HERE = {f"V{code:02}" for code in range(1, 16)}
TOLD = (KEYS[1].hex(), KEYS[0].hex())
CHANGES = 120
"""Single values changed at random, of about 1,700 in the vectors."""

Check = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def check() -> Iterator[Check]:
    """Check proofs in one page, which is a secure context, or as if it were none (`plain`)."""
    with browsing.empty_page() as page:
        page.evaluate("globalThis.known = crypto.subtle")

        def run(
            proofs: list[Any], call: str, log: str, *, plain: bool = False
        ) -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = page.evaluate(
                "async ([proofs, keys, plain]) => {"
                " const { checked } = await import('/static/js/fair/checks.js');"
                " const subtle = plain ? { value: undefined } : { value: known };"
                " Object.defineProperty(crypto, 'subtle', { ...subtle, configurable: true });"
                " const found = [];"
                " for (const proof of proofs) found.push(await checked(proof, keys));"
                " return found; }",
                [proofs, {"call": [call], "log": [log]}, plain],
            )
            return found

        yield run


def _by_script(proof: dict[str, Any], log_key: bytes, call_key: bytes) -> set[str]:
    """Checks that fail in the script; the browser leaves those of a log that is not there open."""
    found = failures(proof, log_key, call_key)
    return found if proof.get("log") else found - {"V13", "V14", "V15"}


def _failed(found: dict[str, Any]) -> set[str]:
    return {code for code, holds in found.items() if holds is False}


@pytest.mark.parametrize("plain", [False, True])
def test_all_vectors_hold_and_their_signatures_are_checked(check: Check, plain: bool) -> None:
    older = VECTORS["log"]["older"]
    hands = [{**hand, "log": {**hand["log"], "older": older}} for hand in VECTORS["hands"]]
    found = check(hands, VECTORS["call_key"], VECTORS["log_key"], plain=plain)
    assert len(found) == 4
    other = check(hands[:1], VECTORS["log_key"], VECTORS["call_key"], plain=plain)
    assert _failed(other[0]) == {"V03", "V13", "V14", "V15"}
    for one in found:
        assert one.keys() == HERE and _failed(one) == set()
        assert one["V03"] is one["V13"] is one["V14"] is one["V15"] is True


def test_honest_hands_of_every_variant_hold(check: Check) -> None:
    proofs = [Forger(seed, variant=variant).forge() for variant in VARIANTS for seed in (0, 1)]
    assert [_failed(one) for one in check(proofs, *TOLD)] == [set()] * len(proofs)


def test_every_planted_cheat_is_found_as_the_script_finds_it(check: Check) -> None:
    proofs = {name: cheat.forge() for name, cheat in CHEATS.items()}
    found = check(list(proofs.values()), *TOLD)
    for name, one in zip(proofs, found, strict=True):
        assert _failed(one) == _by_script(proofs[name], *KEYS), name
    assert len(CHEATS) >= 37


def test_void_hands_hold(check: Check) -> None:
    in_play = void_in_play().forge(played=cut_short)
    for found in check([void_hand().forge(), in_play], *TOLD):
        assert _failed(found) == set()


def test_a_seat_that_acts_before_it_has_its_cards_fails_the_same_checks(check: Check) -> None:
    proof = Forger().forge()
    course = [json.loads(event) for event in proof["course"]]
    last = max(at for at, event in enumerate(course) if event["type"] == "hole_cards_dealt")
    course[last] = {"type": "checked", "seat": course[last]["seat"]}
    [found] = check([proof | {"course": course}], *TOLD)
    assert _failed(found) == failures(proof | {"course": course}, *KEYS)
    assert _failed(found) == {"V05", "V09", "V10", "V11", "V14"}


def _folded_card_opened_by_a_seat_as_text() -> dict[str, Any]:
    """A hand that opens a folded card: the course hashes the same, and the seat never folds."""

    def open_it(hand: Forger) -> None:
        dealt = dealt_positions(hand.events)
        seat = min(dealt.folded - {hand.viewer})
        for position in dealt.hole[seat]:
            place = hand.cut[position]
            card, salt = hand.deck.order[place], hand.deck.salts[place]
            hand.openings.append(Opening(position, place, card, salt, "you"))
        hand.looked_up = [seat]
        for event in hand.events:
            if event["type"] == "folded" and event["seat"] == seat:
                event["seat"] = str(seat)

    return showdown().forge(opened=open_it)


def _with(path: str, value: Any) -> dict[str, Any]:
    """The first known hand with another value at a path."""
    proof: dict[str, Any] = copy.deepcopy(VECTORS["hands"][0])
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    box: Any = proof
    for key in way:
        box = box[key]
    box[last] = value
    return proof


def test_values_of_another_kind_are_read_by_neither(check: Check) -> None:
    folded = _folded_card_opened_by_a_seat_as_text()
    assert failures(folded, *KEYS) == {"unreadable"}
    assert [_failed(found) for found in check([folded], *TOLD)] == [HERE]
    row, opening = (VECTORS["hands"][0][name][0] for name in ("roster", "openings"))
    proofs = [
        _with("version", 2),
        _with("table", "11"),
        _with("roster.0.entry", str(row["entry"])),
        _with("roster.0.seed", row["seed"].upper()),
        _with("openings.0.salt", opening["salt"] + "0"),
        _with("cut.3", "50"),
        _with("looked_up", [None]),
        _with("openings", None),
        _with("course.3", None),
        _with("course.1", {"type": "folded", "seat": "1"}),
    ]
    for proof, found in zip(
        proofs, check(proofs, VECTORS["call_key"], VECTORS["log_key"]), strict=True
    ):
        assert failures(proof, *KEYS) == {"unreadable"}
        assert _failed(found) == HERE, proof


def test_single_changes_are_found_as_the_script_finds_them(check: Check) -> None:
    chance = random.Random(20)
    proofs = [_changed(chance.choice(VECTORS["hands"]), chance) for _ in range(CHANGES)]
    call_key, log_key = (bytes.fromhex(VECTORS[name]) for name in ("call_key", "log_key"))
    readable = 0
    for proof, one in zip(
        proofs, check(proofs, VECTORS["call_key"], VECTORS["log_key"]), strict=True
    ):
        by_script = _by_script(proof, log_key, call_key)
        if by_script == {"unreadable"}:
            continue
        readable += 1
        assert _failed(one) == by_script, proof
    assert readable > CHANGES / 2


def test_every_check_fails_for_other_files(check: Check) -> None:
    for found in check(
        [{}, [], {"origin": 7}, {"course": ["{"]}], VECTORS["call_key"], VECTORS["log_key"]
    ):
        assert _failed(found) == HERE


def _changed(hand: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a hand with one number or one digit of it changed."""
    proof = copy.deepcopy(hand)
    places = [
        (box, key)
        for box, key in _leaves(proof)
        if isinstance(box[key], int | str) and not isinstance(box[key], bool)
    ]
    box, key = chance.choice(places)
    value = box[key]
    if isinstance(value, int):
        box[key] = value + 1
    else:
        at = chance.randrange(max(1, len(value)))
        box[key] = value[:at] + chance.choice("0123456789abcdef") + value[at + 1 :]
    return proof


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in rows:
        if isinstance(inner, dict | list):
            yield from _leaves(inner)
        else:
            yield value, key
