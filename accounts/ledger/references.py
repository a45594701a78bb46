"""Names and pages of what transfers belong to, registered by the apps that book them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """Name and page address of what a transfer was booked for."""

    name: str
    address: str


Resolver = Callable[[Collection[int]], Mapping[int, Reference]]
"""Return the known references for numbers of one kind, in one query."""

_resolvers: dict[str, Resolver] = {}


def register(kind: str, resolver: Resolver) -> None:
    """Register `resolver` for account references of the form `kind:<number>`."""
    assert kind not in _resolvers, kind
    _resolvers[kind] = resolver


def named(refs: Iterable[str]) -> dict[str, Reference]:
    """Return the known references by name, with one query per kind; unknown ones are left out."""
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
