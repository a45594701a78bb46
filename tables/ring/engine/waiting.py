"""Waiting list of a ring game: its order, offers that expire, seats it keeps (R-01)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class FreeSeat(NamedTuple):
    """A seat of a table of the game."""

    table: int
    seat: int


class WaitingEntry(NamedTuple):
    """A waiting player: `table` is None for any table, `offer` the seat held until `until_ms`."""

    entry: int
    since_ms: int
    table: int | None = None
    offer: FreeSeat | None = None
    until_ms: int | None = None


class WaitingPlan(NamedTuple):
    """Entries whose offer has expired, which leave the list, and new offers by entry."""

    expired: tuple[int, ...]
    offers: dict[int, FreeSeat]


def offer_is_open(entry: WaitingEntry, now_ms: int) -> bool:
    """Return whether the player may still take the offered seat."""
    return entry.until_ms is not None and now_ms < entry.until_ms


def open_seats(free: Mapping[int, int], waiting: Iterable[int | None]) -> dict[int, int]:
    """Return how many free seats of each table are left for others than the waiting list (R-01).

    `waiting` has the table of each player who waits and holds no seat yet, None for any table.
    """
    asked = Counter(waiting)
    left = {table: max(0, seats - asked[table]) for table, seats in free.items()}
    most = max(0, sum(left.values()) - asked[None])
    return {table: min(seats, most) for table, seats in left.items()}


def plan_offers(
    waiting: Iterable[WaitingEntry], free: Sequence[FreeSeat], *, now_ms: int
) -> WaitingPlan:
    """Offer free seats in the order of waiting, each seat to one player (R-01).

    A seat under an open offer stays held. A player who waits for one table gets no seat of another
    and does not stand in the way of those behind.
    """
    ordered = sorted(waiting, key=lambda entry: (entry.since_ms, entry.entry))
    held = {entry.offer for entry in ordered if offer_is_open(entry, now_ms)}
    left = [place for place in free if place not in held]
    offers: dict[int, FreeSeat] = {}
    for entry in ordered:
        if entry.until_ms is not None:
            continue
        place = next((place for place in left if entry.table in (None, place.table)), None)
        if place is not None:
            left.remove(place)
            offers[entry.entry] = place
    expired = [
        entry.entry
        for entry in ordered
        if entry.until_ms is not None and not offer_is_open(entry, now_ms)
    ]
    return WaitingPlan(tuple(expired), offers)
