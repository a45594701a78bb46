"""Hash tree of the log: roots, inclusion and consistency proofs (RFC 6962, RFC 9162)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tables.fairness.encoding import digest


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


def _split(count: int) -> int:
    """Return the largest power of two below `count`."""
    return 1 << (count - 1).bit_length() - 1
