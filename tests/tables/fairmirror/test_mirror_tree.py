"""Heads, tiles and the kept file: a log that is rewritten, shrinks, forks, or is another one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tables.fairness.leaves import keys_leaf
from tables.fairness.signing import public_key_of
from tables.fairness.tiles import bundle, range_root
from tests.tables.fairmirror.served_log import LOG_KEY, PUBLIC, ServedLog, mirror
from tests.tables.fairmirror.stories import BEGAN_MS, SealedName, beginning, hands, honest

OTHER_KEY = bytes(range(1, 33))
OTHER_PUBLIC = public_key_of(OTHER_KEY).hex()


@pytest.fixture
def log() -> Iterator[ServedLog]:
    """The log of an honest room without undealt decks."""
    with ServedLog([*beginning(), *hands(1, 1, range(1, 20))]).running() as served:
        yield served


def test_a_log_of_many_tiles_is_followed_from_any_size(log: ServedLog, tmp_path: Path) -> None:
    story, kept = [*beginning(), *hands(1, 1, range(1, 420))], tmp_path / "kept"
    for size in (3, 255, 256, 257, 511, 512, 600, 600, len(story)):
        log.show(story[:size])
        run = mirror(log.address, kept)
        assert run.status == 0 and f"over {size} leaves" in run.text, run.text
    whole = mirror(log.address, tmp_path / "anew")
    assert whole.status == 0 and "419 played (100.00%)" in whole.text
    assert (tmp_path / "anew").read_text() == kept.read_text()


@pytest.mark.parametrize("size", [20, 256, 300, 512])
@pytest.mark.parametrize("place", [2, 19])
def test_a_leaf_that_was_changed_since_is_a_fork(
    log: ServedLog, tmp_path: Path, size: int, place: int
) -> None:
    story, kept = [*beginning(), *hands(1, 1, range(1, 300))], tmp_path / "kept"
    log.show(story[:size])
    assert mirror(log.address, kept).status == 0
    before = kept.read_text()
    other = SealedName(1, 9, 9).both()[place % 2]
    for longer in (size, size + 1, 590):
        log.show([*story[:place], other, *story[place + 1 : longer]])
        run = mirror(log.address, kept)
        assert run.status == 1 and run.failed == {"L02"}, run.text
        assert "The log was forked" in run.text and "other-head" in run.text
    assert kept.read_text() == before, "the head that convicts the room is kept"
    evidence = Path(f"{kept}.other-head").read_text()
    assert evidence == log._note()


def test_a_log_from_which_a_leaf_was_dropped_is_a_fork_or_shorter(
    log: ServedLog, tmp_path: Path
) -> None:
    story, kept = log.leaves, tmp_path / "kept"
    assert mirror(log.address, kept).status == 0
    log.show([*story[:5], *story[6:]])
    run = mirror(log.address, kept)
    assert run.failed == {"L02"} and "The log shrank: 40 leaves were signed before" in run.text
    log.show([*story[:5], *story[6:], *hands(2, 1, [1])])
    run = mirror(log.address, kept)
    assert run.failed == {"L02"} and "forked: leaf 5 is another one" in run.text


def test_a_fork_behind_honest_tiles_is_found_by_its_root(log: ServedLog, tmp_path: Path) -> None:
    story, kept = log.leaves, tmp_path / "kept"
    assert mirror(log.address, kept).status == 0
    log.show([*story, *hands(2, 1, [1])])
    files: dict[str, bytes | int | None] = {
        path: log.file(path) for path in ("tile/entries/000.p/42", "tile/0/000.p/42")
    }
    log.show([*story[:3], *hands(5, 1, [1]), *story[5:], *hands(2, 1, [1])])
    log.changed = files
    run = mirror(log.address, kept)
    assert run.failed == {"L02"} and "does not continue the kept one of 40" in run.text


def test_a_damaged_or_missing_tile_is_found(log: ServedLog, tmp_path: Path) -> None:
    log.show([*beginning(), *hands(1, 1, range(1, 300))])
    for path, sentence in (
        ("tile/0/000", "hash 0 of tile/0/000 is not"),
        ("tile/0/002.p/88", "hash 0 of tile/0/002.p/88 is not"),
        ("tile/1/000.p/2", "hash 0 of tile/1/000.p/2 is not"),
        ("tile/entries/001", "holds"),
    ):
        whole = log.file(path)
        for damaged, told in (
            (bytes([whole[0] ^ 1]) + whole[1:], sentence),
            (whole[:-1], "tile" if "entries" not in path else "holds"),
            (b"", sentence),
            (None, "is missing"),
        ):
            log.changed = {path: damaged}
            run = mirror(log.address, tmp_path / "kept")
            assert run.status == 1 and run.failed == {"L03"} and told in run.text, run.text
    assert not (tmp_path / "kept").exists()
    log.changed = {"tile/entries/000": bundle([b"x", *log.leaves[1:256]])}
    run = mirror(log.address, tmp_path / "kept")
    assert run.failed == {"L03"} and "hash 0 of tile/0/000" in run.text, "a leaf was changed"
    log.changed = {}
    assert mirror(log.address, tmp_path / "kept").status == 0


def test_a_head_that_another_key_signed_is_refused(log: ServedLog, tmp_path: Path) -> None:
    log.keys = [OTHER_KEY]
    run = mirror(log.address, tmp_path / "kept")
    assert run.status == 1 and run.failed == {"L01"}
    assert "signed with none of the keys" in run.text
    assert mirror(log.address, tmp_path / "kept", OTHER_PUBLIC).status == 0


def test_a_log_key_that_changes_is_followed_by_a_leaf(log: ServedLog, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert mirror(log.address, kept).status == 0
    new = keys_leaf(
        call_key=bytes(32),
        log_key=bytes.fromhex(OTHER_PUBLIC),
        manifest=bytes(32),
        changed_ms=BEGAN_MS,
    )
    log.keys = [OTHER_KEY, LOG_KEY]
    log.show([*log.leaves, new])
    run = mirror(log.address, kept)
    assert run.status == 0 and f"another log key, {OTHER_PUBLIC}" in run.text
    log.keys = [OTHER_KEY]
    assert mirror(log.address, kept).failed == {"L01"}
    run = mirror(log.address, kept, OTHER_PUBLIC)
    assert run.status == 0 and "another log key" not in run.text, "both keys signed the kept head"


def test_a_new_origin_is_followed_when_its_genesis_names_the_kept_head(
    log: ServedLog, tmp_path: Path
) -> None:
    kept, size = tmp_path / "kept", len(log.leaves)
    assert mirror(log.address, kept).status == 0
    root = range_root(log._tile)(0, size)
    log.origin, log.keys = "new.example/fair", [OTHER_KEY]
    for wrong in (beginning(), beginning(root, size - 1), beginning(bytes(32), size)):
        log.show(wrong)
        run = mirror(log.address, kept, PUBLIC, OTHER_PUBLIC)
        assert run.status == 2 and "keeps the log room.example/fair, and this" in run.text
        assert "does not name the kept head" in run.text
    log.show(beginning(root, size))
    run = mirror(log.address, kept, PUBLIC, OTHER_PUBLIC)
    assert run.status == 0 and "new.example/fair goes on from it" in run.text, run.text
    assert mirror(log.address, kept, OTHER_PUBLIC).status == 0


def test_a_file_that_is_damaged_or_of_another_log_is_refused(
    log: ServedLog, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    assert mirror(log.address, kept).status == 0
    whole = kept.read_bytes()
    for damaged in (b"", b"{}", b"\xff\xfe", whole[:-1], whole[:80] + b"9" + whole[81:]):
        kept.write_bytes(damaged)
        run = mirror(log.address, kept)
        assert run.status == 2 and "is none that this script wrote" in run.text
    kept.write_bytes(whole)
    run = mirror(log.address, kept, OTHER_PUBLIC)
    assert run.failed == {"L01"} and "The head that" in run.text
    assert mirror(log.address, tmp_path).status == 2, "a folder"
    assert mirror(log.address, tmp_path / "none" / "kept").status == 2


def test_an_address_without_a_log_is_one_clear_sentence(log: ServedLog, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    for address in ("file:///etc/passwd", "ftp://room.example", "room.example", "http://a@b/"):
        run = mirror(address, kept)
        assert run.status == 2 and "begins with https:// or http://" in run.text
    run = mirror("http://127.0.0.1:9", kept)
    assert run.status == 2 and "does not answer" in run.text
    run = mirror(log.address, kept, "12")
    assert run.status == 2 and "64 hexadecimal digits" in run.text
    log.changed = {"checkpoint": None}
    assert "has no log" in mirror(log.address, kept).text
    for status in (302, 403, 500):
        log.changed = {"checkpoint": status}
        run = mirror(log.address, kept)
        assert run.status == 2 and f"answers with status {status}" in run.text
    for text in (b"<html>", b"\xff" * 100, b"x" * 30_000):
        log.changed = {"checkpoint": text}
        run = mirror(log.address, kept)
        assert run.status == 2 and "This cannot be checked" in run.text
    assert not kept.exists()


def test_an_answer_about_opened_decks_that_is_none_is_refused(
    log: ServedLog, tmp_path: Path
) -> None:
    log.show(honest())
    for wrong in (b"[", b"[]", b'{"decks": [{"seal": 1}]}', json.dumps({"decks": 3}).encode()):
        log.changed = {"opened/000": wrong}
        run = mirror(log.address, tmp_path / "kept")
        assert run.status == 2 and "tells no secrets of undealt decks" in run.text
