"""Tiles of the log: its hash tree in pieces of 256 hashes, which are written once (C2SP)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from tables.fairness.encoding import HASH_SIZE
from tables.fairness.tree import RangeRoot, node_hash, root_of

WIDTH = 256
HEIGHT = 8
"""Levels of the tree in one tile: 256 hashes and the nodes above them up to their root."""

TILE_SIZE = WIDTH * HASH_SIZE

TileReader = Callable[[int, int], bytes]
"""Return the hashes of a tile by level and number as one text; empty for a tile not begun."""

Tiles = dict[tuple[int, int], bytes]


def extended(read: TileReader, size: int, hashes: Sequence[bytes]) -> Tiles:
    """Return the tiles that change, by level and number, when a log of `size` leaves grows.

    Raises ValueError when the tiles read are not those of `size` leaves.
    """
    changed: Tiles = {}
    level, first, added = 0, size, list(hashes)
    while added:
        full_roots: list[bytes] = []
        at = first
        while added:
            number, filled = divmod(at, WIDTH)
            before = read(level, number) if filled else b""
            if len(before) != filled * HASH_SIZE:
                raise ValueError(f"tile {level}/{number} does not hold {filled} hashes")
            taken, added = added[: WIDTH - filled], added[WIDTH - filled :]
            changed[level, number] = tile = before + b"".join(taken)
            if len(tile) == TILE_SIZE:
                full_roots.append(root_of(split_hashes(tile)))
            at += len(taken)
        level, first, added = level + 1, first // WIDTH, full_roots
    return changed


def range_root(read: TileReader) -> RangeRoot:
    """Return the function that gives the root of each part of the log from its tiles.

    It raises ValueError for hashes that the tiles do not hold.
    """

    @cache
    def tile(level: int, number: int) -> tuple[bytes, ...]:
        return tuple(split_hashes(read(level, number)))

    @cache
    def node(height: int, index: int) -> bytes:
        if height % HEIGHT:
            return node_hash(node(height - 1, 2 * index), node(height - 1, 2 * index + 1))
        number, place = divmod(index, WIDTH)
        hashes = tile(height // HEIGHT, number)
        if place >= len(hashes):
            raise ValueError(f"tile {height // HEIGHT}/{number} holds no hash {place}")
        return hashes[place]

    def root(first: int, end: int) -> bytes:
        count = end - first
        height = count.bit_length() - 1
        if count == 1 << height and first % count == 0:
            return node(height, first >> height)
        middle = first + (1 << (count - 1).bit_length() - 1)
        return node_hash(root(first, middle), root(middle, end))

    return root


def split_hashes(tile: bytes) -> list[bytes]:
    """Return the hashes of a tile."""
    return [tile[at : at + HASH_SIZE] for at in range(0, len(tile), HASH_SIZE)]


def bundle(entries: Iterable[bytes]) -> bytes:
    """Return an entry bundle: each entry after its length in two bytes."""
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def tile_count(level: int, size: int) -> int:
    """Return the number of hashes at a level of tiles in a log of `size` leaves."""
    return size >> HEIGHT * level
