"""Events of re-buys, add-ons and entries. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec


class EntriesClosed(msgspec.Struct, frozen=True, tag_field="type", tag="entries_closed"):
    """End of late registration (E-01); `entrants` counts entries and re-entries."""

    entrants: int


class RebuysClosed(msgspec.Struct, frozen=True, tag_field="type", tag="rebuys_closed"):
    """End of the re-buy period (E-04)."""


class AddOnOpened(msgspec.Struct, frozen=True, tag_field="type", tag="add_on_opened"):
    """Start of the add-on sale to all entries in play, until `until_ms` (E-05)."""

    until_ms: int


class ChipsSold(msgspec.Struct, frozen=True, tag_field="type", tag="chips_sold"):
    """Purchase of chips by an entry; `kind` is rebuy or add_on (E-04, E-05)."""

    entry: int
    user: int
    name: str
    kind: str
    chips: int


class EntriesMerged(msgspec.Struct, frozen=True, tag_field="type", tag="entries_merged"):
    """Merge of an entry into another of its player; it takes the lowest live place (E-08)."""

    entry: int
    into: int
    user: int
    name: str
    chips: int
    left: int


class PoolFixed(msgspec.Struct, frozen=True, tag_field="type", tag="pool_fixed"):
    """Final pool and prizes by place, in cents, after all sales have closed (E-07)."""

    entrants: int
    pool: int
    prizes: tuple[int, ...]


class OfferMade(msgspec.Struct, frozen=True, tag_field="type", tag="offer_made"):
    """Offer to you until `until_ms`; `kind` is rebuy, reentry or add_on, price and fee in cents."""

    tournament: int
    name: str
    offer: int
    kind: str
    price: int
    fee: int
    chips: int
    until_ms: int


class OfferEnded(msgspec.Struct, frozen=True, tag_field="type", tag="offer_ended"):
    """End of your offer or request; `state` is done, declined or expired. `why` is the refusal
    code if it could not be carried out, else empty.
    """

    tournament: int
    name: str
    offer: int
    kind: str
    state: str
    why: str
