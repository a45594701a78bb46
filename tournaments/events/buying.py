"""What is told of buying while a tournament is played: its windows, its offers, the pool."""

from __future__ import annotations

from tables.engine.events import Event


class EntriesClosed(Event, frozen=True, tag="entries_closed"):
    """Nobody can enter any more (E-01); `entrants` counts entries and re-entries."""

    entrants: int


class RebuysClosed(Event, frozen=True, tag="rebuys_closed"):
    """The re-buy period is over (E-04)."""


class AddOnOpened(Event, frozen=True, tag="add_on_opened"):
    """Everybody in play may buy the add-on until `until_ms` (E-05)."""

    until_ms: int


class ChipsSold(Event, frozen=True, tag="chips_sold"):
    """An entry bought chips: `kind` is rebuy or add_on (E-04, E-05)."""

    entry: int
    user: int
    name: str
    kind: str
    chips: int


class EntriesMerged(Event, frozen=True, tag="entries_merged"):
    """An entry gave its chips to another of its player and has the lowest live place (E-08)."""

    entry: int
    into: int
    user: int
    name: str
    chips: int
    left: int


class PoolFixed(Event, frozen=True, tag="pool_fixed"):
    """Nothing is sold any more: the pool and the prizes by place, in cents, are certain (E-07)."""

    entrants: int
    pool: int
    prizes: tuple[int, ...]


class OfferMade(Event, frozen=True, tag="offer_made"):
    """You may buy until `until_ms`: `kind` is rebuy, reentry or add_on; price and fee in cents."""

    tournament: int
    name: str
    offer: int
    kind: str
    price: int
    fee: int
    chips: int
    until_ms: int


class OfferEnded(Event, frozen=True, tag="offer_ended"):
    """What became of your offer or request: `state` is done, declined or expired.

    `why` says what stood against it when it could not be carried out, else it is empty.
    """

    tournament: int
    name: str
    offer: int
    kind: str
    state: str
    why: str
