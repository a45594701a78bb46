"""Laws of the log against a room that signs whatever it likes: each cheat is found by its law."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tables.fairness.leaves import FateReason, fate_leaf
from tests.tables.fairmirror.served_log import ServedLog, mirror
from tests.tables.fairmirror.stories import (
    EARLY,
    PLAYED,
    UNPLAYED,
    VOID,
    SealedName,
    beginning,
    hands,
    honest,
    opened,
)


@pytest.fixture
def log() -> Iterator[ServedLog]:
    """The log of an honest room."""
    with ServedLog(honest()).running() as served:
        opened(served, SealedName(3, 1, 2))
        yield served


def test_an_honest_log_holds_and_tells_its_numbers(log: ServedLog, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    run = mirror(log.address, kept)
    assert run.status == 0 and run.failed == set(), run.text
    assert "8 played (80.00%), 1 void in play (10.00%)" in run.text
    assert "void in play, superseded: 1" in run.text and "never played, superseded: 1" in run.text
    assert "wait for their fate: 1, the oldest since" in run.text
    assert "(table 1, epoch 2, hand 5)" in run.text
    assert "L02 had nothing to compare" in run.text
    assert "1 opened, 0 not opened" in run.text and "1 void (10.00%), 1 never played" in run.text
    log.show([*honest(), SealedName(1, 2, 5).fate(EARLY), *hands(1, 3, [5, 6])])
    run = mirror(f"{log.address}/fair/", kept)
    assert run.status == 0, run.text
    assert "5 of them new" in run.text and "nothing to compare" not in run.text
    assert "wait for their fate" not in run.text
    assert "1 opened, 1 not opened, the oldest since" in run.text
    opened(log, SealedName(1, 2, 5))
    assert "2 opened, 0 not opened" in mirror(log.address, kept).text


CHEATS: list[tuple[str, Callable[[], list[bytes]], str]] = [
    (
        "L05",
        lambda: [*honest(), SealedName(1, 1, 4).fate()],
        "epoch 1, hand 4 has a second fate",
    ),
    (
        "L05",
        lambda: [*beginning(), *SealedName(1, 1, 1).both()[::-1]],
        "hand 1 has its fate before its seal",
    ),
    (
        "L05",
        lambda: [*beginning(), SealedName(1, 1, 1).seal(), _fate_of_another_hand()],
        "does not fit its seal",
    ),
    ("L06", lambda: [*honest(), SealedName(1, 1, 1).seal()], "for the second time"),
    ("L07", lambda: [*beginning(), *hands(1, 1, [1, 3])], "hand 3 comes after hand 1"),
    (
        "L07",
        lambda: [*honest(), *hands(1, 1, [5])],
        "epoch 1, hand 5 comes after hand 5 of epoch 2",
    ),
    (
        "L08",
        lambda: [*beginning(), *hands(1, 1, [1, 2]), *hands(1, 2, [2])],
        "follows epoch 1, whose last hand 2 was played",
    ),
    (
        "L08",
        lambda: [*beginning(), SealedName(1, 1, 1).seal(), *hands(1, 2, [1])],
        "whose last hand 1 has no fate",
    ),
    ("L04", lambda: [*beginning(), b"\x01\x09"], "Leaf 2 has no form"),
    ("L04", lambda: [*beginning(), beginning()[0]], "Leaf 2 has no form"),
    (
        "L04",
        lambda: [*beginning(), SealedName(1, 1, 1, origin="other.example/fair").seal()],
        "another room",
    ),
]


def _fate_of_another_hand() -> bytes:
    named: dict[str, Any] = {"fate": PLAYED, "reason": FateReason.NONE, "ended_ms": 2**60}
    other = SealedName(9, 1, 1).name
    return fate_leaf(other, SealedName(1, 1, 1).value, **named, public=None, course=None)


@pytest.mark.parametrize(("law", "leaves", "sentence"), CHEATS)
def test_a_cheat_in_the_leaves_is_found_by_its_law_and_stays_found(
    log: ServedLog, tmp_path: Path, law: str, leaves: Callable[[], list[bytes]], sentence: str
) -> None:
    log.show(leaves())
    run = mirror(log.address, tmp_path / "kept")
    assert run.status == 1 and law in run.failed and sentence in run.text, run.text
    assert run.failed <= {law, "L07"} if law == "L06" else run.failed == {law}, run.text
    log.show([*leaves(), *hands(7, 1, [1])])
    again = mirror(log.address, tmp_path / "kept")
    assert again.status == 1 and again.failed == run.failed and sentence in again.text


def test_a_void_deck_may_be_the_last_of_its_epoch_by_any_of_three_fates(
    log: ServedLog, tmp_path: Path
) -> None:
    for fate in (VOID, EARLY, UNPLAYED):
        log.show([*beginning(), *SealedName(1, 1, 1).both(fate), *hands(1, 4, [1])])
        run = mirror(log.address, tmp_path / fate.name)
        assert run.status == 0, run.text


def test_a_secret_that_does_not_remake_its_seal_is_found(log: ServedLog, tmp_path: Path) -> None:
    log.secrets[SealedName(3, 1, 2).value] = bytes(32)
    run = mirror(log.address, tmp_path / "kept")
    assert run.status == 1 and run.failed == {"L09"}
    assert "table 3, epoch 1, hand 2" in run.text and "makes another seal" in run.text
