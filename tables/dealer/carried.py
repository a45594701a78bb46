"""Values a player carries from seat to seat, copied whole between all rows and structs with them.

A field added here needs a column in seats and moves and a field in the structs of a seat; every
copy then includes it. Style tests name each holder without it and each copy of single fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tables.wire.client_commands import ShowdownChoice


class CarriedValues(msgspec.Struct, frozen=True):
    """Chips, time bank in ms, absence, showdown choice and pledge of an entry, at any table.

    Sources: T-08, S-01; the pledge is for the next call, b"" for none.

    Holders have these fields flat, under these names: rows of seats and moves, and the structs
    RosterSeat, TableSeat and SeatAfter.
    """

    chips: int
    bank_ms: int
    absent: bool
    showdown: ShowdownChoice
    pledge: bytes


NAMES = CarriedValues.__struct_fields__
"""Names of the carried values in order."""

SQL_TYPES = {
    "chips": "bigint",
    "bank_ms": "int",
    "absent": "bool",
    "showdown": "text",
    "pledge": "bytea",
}
"""Types of the carried values in statements."""

CHOICES = tuple(name for name in NAMES if name not in ("chips", "bank_ms"))
"""Values that players change between hands; amounts change at a hand or with a purchase."""


def of(holder: object) -> CarriedValues:
    """Return the carried values of a row or struct; raises ValidationError when one is missing."""
    return msgspec.convert(holder, CarriedValues, from_attributes=True)


def copied(holder: object) -> dict[str, Any]:
    """Return the carried values of a row or struct as keyword arguments for another."""
    return msgspec.structs.asdict(of(holder))


def fresh(chips: int, bank_ms: int) -> CarriedValues:
    """Return the values of an entry that sits down with a new stack."""
    return CarriedValues(chips, bank_ms, absent=False, showdown="auto", pledge=b"")


def resumed(chips: int, bank_ms: int, showdown: str, *, pledge: bytes) -> CarriedValues:
    """Return the values of an entry that sits down with what it kept of its last seat."""
    values = {
        "chips": chips,
        "bank_ms": bank_ms,
        "absent": False,
        "showdown": showdown,
        "pledge": pledge,
    }
    return msgspec.convert(values, CarriedValues)


def columns(holders: Iterable[object], names: Iterable[str] = NAMES) -> dict[str, list[Any]]:
    """Return these values of all holders as one list for each name, for arrays of SQL."""
    values = [of(holder) for holder in holders]
    return {name: [getattr(value, name) for value in values] for name in names}
