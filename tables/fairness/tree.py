"""Hash tree of the log: roots, inclusion and consistency proofs (RFC 6962, RFC 9162)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tables.fairness.encoding import digest

PATH_MAX = 64


def leaf_hash(leaf: bytes) -> bytes:
    """Return the hash of an entry."""
    return digest(b"\0", leaf)


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return digest(b"\1", left, right)


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes; that of an empty log is the hash of nothing."""
    if not hashes:
        return digest()
    level = list(hashes)
    while len(level) > 1:
        paired = [node_hash(*level[at : at + 2]) for at in range(0, len(level) - 1, 2)]
        level = paired + level[len(level) // 2 * 2 :]
    return level[0]


RangeRoot = Callable[[int, int], bytes]
"""Return the root over the leaves from the first index up to, not including, the second."""


def inclusion_path(index: int, hashes: Sequence[bytes]) -> list[bytes]:
    """Return the path of a leaf to the root; raise ValueError for an index outside the log."""
    return inclusion_in(index, len(hashes), lambda first, end: root_of(hashes[first:end]))


def consistency_path(size: int, hashes: Sequence[bytes]) -> list[bytes]:
    """Return the proof that the log's first `size` leaves are unchanged; raise ValueError."""
    return consistency_in(size, len(hashes), lambda first, end: root_of(hashes[first:end]))


def inclusion_in(index: int, size: int, root: RangeRoot) -> list[bytes]:
    """Return the path of a leaf in a log of `size` leaves whose parts have these roots.

    Raises ValueError for an index outside the log.
    """
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} among {size}")
    path: list[bytes] = []
    first, end = 0, size
    while end - first > 1:
        middle = first + _split(end - first)
        if index < middle:
            path.append(root(middle, end))
            end = middle
        else:
            path.append(root(first, middle))
            first = middle
    return path[::-1]


def consistency_in(old_size: int, size: int, root: RangeRoot) -> list[bytes]:
    """Return the proof that a log of `size` leaves begins with one of `old_size`.

    Raises ValueError for a size outside the log.
    """
    if not 0 < old_size <= size:
        raise ValueError(f"no head of {old_size} among {size} leaves")
    path: list[bytes] = []
    first, end, whole = 0, size, True
    while end > old_size:
        middle = first + _split(end - first)
        if old_size <= middle:
            path.append(root(middle, end))
            end = middle
        else:
            path.append(root(first, middle))
            first, whole = middle, False
    return ([] if whole else [root(first, end)]) + path[::-1]


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


def _split(count: int) -> int:
    """Return the largest power of two below `count`."""
    return 1 << (count - 1).bit_length() - 1
