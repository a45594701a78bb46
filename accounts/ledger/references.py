"""Name and page of what a transfer belongs to, as the apps that book it register them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """The name and the address of the page of something that money was booked for."""

    name: str
    address: str


Resolver = Callable[[Collection[int]], Mapping[int, Reference]]
"""Numbers of one kind -> those that are known, in one query."""

_resolvers: dict[str, Resolver] = {}


def register(kind: str, resolver: Resolver) -> None:
    """Let references `kind:<number>` of accounts be named by `resolver`."""
    assert kind not in _resolvers, kind
    _resolvers[kind] = resolver


def named(refs: Iterable[str]) -> dict[str, Reference]:
    """Name the references that are known, one query for each kind; the others are left out."""
    numbers: dict[str, set[int]] = {}
    for ref in refs:
        kind, _, number = ref.partition(":")
        if kind in _resolvers and number.isdecimal():
            numbers.setdefault(kind, set()).add(int(number))
    return {
        f"{kind}:{number}": reference
        for kind, wanted in numbers.items()
        for number, reference in _resolvers[kind](wanted).items()
    }
