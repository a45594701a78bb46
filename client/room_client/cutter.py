"""Seeds and pledges of one player: which seed to open for a call, and what to pledge next."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from room_client.messages.commands import CutDeck
from room_client.messages.frames import SeatSnapshot, TableSnapshot
from room_client.messages.streams import ClientMessage
from room_client.messages.tables import CutCalled, DeckCut, SeatTaken
from room_client.pledges import OPENED, pledge_of
from room_client.view import seat_of

CUT_EVENTS = (CutCalled, DeckCut, SeatTaken)
"""Events that a player's cutter answers."""

OPENED_KEPT = 8
"""Opened calls remembered: a cut is sent again after a lost connection."""

CalledAt = tuple[int, int, int]
"""Table, epoch and number of a called hand."""


class _Opened(NamedTuple):
    call: str
    seed: bytes


class Cutter:
    """Cuts of a player in one room; `fresh` makes a new seed of 32 bytes.

    A seed is opened once it was called, for one call of a hand, and never pledged again. Seeds are
    kept by what pledges are bound to, entries or sessions.
    """

    def __init__(self, fresh: Callable[[], bytes]) -> None:
        self._fresh = fresh
        self._room = b""
        self._seeds: dict[int, bytes] = {}
        self._opened: dict[CalledAt, _Opened] = {}

    def enter(self, room: str) -> None:
        """Cut in the room with this id from now on."""
        if bytes.fromhex(room) != self._room:
            self._room = bytes.fromhex(room)
            self._seeds.clear()
            self._opened.clear()

    def shown(self, seen: TableSnapshot, own: SeatSnapshot) -> list[ClientMessage]:
        """Return the answer to a snapshot: the cut that is asked for, else the pledge."""
        if not self._room:
            return []
        at = (seen.table, seen.epoch, seen.hand)
        if seen.cutting is not None and own.seat in seen.cutting.seats:
            return self._cut(bound_to(own), seen.cutting, (*at[:2], seen.cutting.hand))
        return [CutDeck(*at, pledge=self._pledged(bound_to(own)))]

    def heard(self, event: object, seen: TableSnapshot, user: int) -> list[ClientMessage]:
        """Return the answer to an event of `CUT_EVENTS`, which `seen` has in it already."""
        own = seat_of(seen, user)
        if not self._room or own is None:
            return []
        match event:
            case CutCalled(hand, seats=seats) if own.seat in seats:
                return self._cut(bound_to(own), event, (seen.table, seen.epoch, hand))
            case DeckCut(hand, cuts) if _is_missing(own.seat, cuts):
                at = (seen.table, seen.epoch, hand)
                opened = self._opened.get(at)
                seed = None if opened is None else opened.seed.hex()
                return [CutDeck(*at, seed=seed, pledge=self._pledged(bound_to(own)))]
            case SeatTaken(user=arrived) if arrived == user:
                at = (seen.table, seen.epoch, seen.hand)
                return [CutDeck(*at, pledge=self._pledged(bound_to(own)))]
            case _:
                return []

    def _cut(self, entry: int, called: CutCalled, at: CalledAt) -> list[ClientMessage]:
        """Return the answer to a call, the same when it is told again."""
        opened = self._opened.get(at)
        if opened is None:
            seed = self._seeds.pop(entry, None)
            if seed is None:  # pledged from another device
                return [CutDeck(*at, pledge=self._pledged(entry))]
            opened = self._opened[at] = _Opened(called.call, seed)
            while len(self._opened) > OPENED_KEPT:
                del self._opened[next(iter(self._opened))]
        if opened.call != called.call:
            return []
        return [CutDeck(*at, seed=opened.seed.hex(), pledge=self._pledged(entry))]

    def _pledged(self, entry: int) -> str:
        seed = self._seeds.get(entry)
        if seed is None:
            seed = self._seeds[entry] = self._fresh()
        return pledge_of(self._room, entry, seed).hex()


def bound_to(seat: SeatSnapshot) -> int:
    """Return the number that pledges of a seat are bound to: the session in a rapid pool."""
    return seat.session or seat.entry


def _is_missing(seat: int, cuts: tuple[tuple[int, int, str], ...]) -> bool:
    """Return whether a seat was called, and its seed did not cut."""
    return any(number == seat and state != OPENED for number, state, _ in cuts)
