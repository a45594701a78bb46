"""Tiles of the log give the roots and paths of the whole tree, at every size around their edges."""

from __future__ import annotations

import random
from functools import partial

import pytest

from tables.fairness import tiles, tree
from tables.fairness.encoding import digest, u64
from tests.tables.fairness import log_reader
from tests.tables.fairness.known_answers import vectors

SIZES = (1, 2, 3, 14, 255, 256, 257, 511, 512, 700, 66_000)
HASHES = [digest(u64(number)) for number in range(66_000)]


def _read(held: tiles.Tiles, level: int, number: int) -> bytes:
    return held.get((level, number), b"")


def grown(chance: random.Random, size: int) -> dict[tuple[int, int], bytes]:
    """Tiles of a log that grew in steps."""
    held: dict[tuple[int, int], bytes] = {}
    at = 0
    while at < size:
        more = min(size - at, chance.choice((1, 2, 100, 256, 1_000, 20_000)))
        held |= tiles.extended(partial(_read, held), at, HASHES[at : at + more])
        at += more
    return held


@pytest.mark.parametrize("size", SIZES)
def test_tiles_give_the_roots_and_paths_of_the_tree(size: int) -> None:
    chance = random.Random(size)
    held = grown(chance, size)
    root = tiles.range_root(partial(_read, held))
    assert root(0, size) == tree.root_of(HASHES[:size])
    for level in (0, 1, 2):
        stored = sum(len(tile) for (at, _), tile in held.items() if at == level)
        assert stored == 32 * tiles.tile_count(level, size)
    for index in {0, size - 1, chance.randrange(size)}:
        path = tree.inclusion_in(index, size, root)
        assert log_reader.root_from_path(index, size, HASHES[index], path) == root(0, size)
    for old in {1, size, chance.randint(1, size)}:
        path = tree.consistency_in(old, size, root)
        assert log_reader.is_consistent(old, root(0, old), size, root(0, size), path)


def test_tiles_of_another_log_are_refused() -> None:
    with pytest.raises(ValueError, match="does not hold 3 hashes"):
        tiles.extended(lambda *_: HASHES[0], 3, HASHES[3:4])
    with pytest.raises(ValueError, match="holds no hash 1"):
        tiles.range_root(lambda *_: HASHES[0])(0, 2)
    root = tiles.range_root(lambda *_: b"".join(HASHES[:8]))
    for index, size in ((-1, 8), (8, 8), (0, 0)):
        with pytest.raises(ValueError, match="no leaf"):
            tree.inclusion_in(index, size, root)
    for old, size in ((0, 8), (9, 8)):
        with pytest.raises(ValueError, match="no head"):
            tree.consistency_in(old, size, root)


def test_a_bundle_has_each_entry_after_its_length() -> None:
    leaves = [bytes.fromhex(leaf) for leaf in vectors()["log"]["leaves"]]
    text = tiles.bundle(leaves)
    found = []
    while text:
        length = int.from_bytes(text[:2], "big")
        found.append(text[2 : 2 + length])
        text = text[2 + length :]
    assert found == leaves
