"""Paths of the log as its readers make and check them, apart from the tiles of the room."""

from __future__ import annotations

from collections.abc import Sequence

from tables.fairness.tree import consistency_in, inclusion_in, node_hash, root_of

PATH_MAX = 64


def inclusion_path(index: int, hashes: Sequence[bytes]) -> list[bytes]:
    """Return the path of a leaf to the root; raise ValueError for an index outside the log."""
    return inclusion_in(index, len(hashes), lambda first, end: root_of(hashes[first:end]))


def consistency_path(size: int, hashes: Sequence[bytes]) -> list[bytes]:
    """Return the proof that the log's first `size` leaves are unchanged; raise ValueError."""
    return consistency_in(size, len(hashes), lambda first, end: root_of(hashes[first:end]))


def root_from_path(
    index: int, size: int, leaf: bytes, path: Sequence[bytes]
) -> bytes:  # RFC 9162, 2.1.3.2
    """Return the root that a leaf hash and its path lead to; raise ValueError if they fit none."""
    if not 0 <= index < size or len(path) > PATH_MAX:
        raise ValueError("no leaf of this log")
    first, last, node = index, size - 1, leaf
    for other in path:
        if last == 0:
            raise ValueError("the path is too long")
        if first & 1 or first == last:
            node = node_hash(other, node)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            node = node_hash(node, other)
        first, last = first >> 1, last >> 1
    if last:
        raise ValueError("the path is too short")
    return node


def is_consistent(
    old_size: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]
) -> bool:  # RFC 9162, 2.1.4.2
    """Return whether the path proves that the smaller log is the beginning of the larger one."""
    if old_size == size:
        return old_root == root and not path
    if not 0 < old_size < size or not path or len(path) > PATH_MAX:
        return False
    nodes = list(path) if old_size & (old_size - 1) else [old_root, *path]
    first, last = old_size - 1, size - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    old_node = node = nodes[0]
    for other in nodes[1:]:
        if last == 0:
            return False
        if first & 1 or first == last:
            old_node, node = node_hash(other, old_node), node_hash(other, node)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            node = node_hash(node, other)
        first, last = first >> 1, last >> 1
    return last == 0 and old_node == old_root and node == root
