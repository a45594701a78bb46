"""Sums of records of numbers, field by field."""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import astuple

Key = TypeVar("Key", bound=Hashable)
Record = TypeVar("Record", bound=msgspec.Struct)


def added(one: Record, other: Record) -> Record:
    """Return the sum of two records, of tuples place by place."""
    return type(one)(*map(_sum, astuple(one), astuple(other)))


def add_to(sums: MutableMapping[Key, Record], key: Key, one: Record) -> None:
    """Add a record to the sum of a key, which begins with its first record."""
    sums[key] = added(sums[key], one) if key in sums else one


def _sum(left: Any, right: Any) -> Any:
    return tuple(map(int.__add__, left, right)) if isinstance(left, tuple) else left + right
