"""Seating of a rapid (fast fold) pool: the next hand of one table, from a bounded view (R-03)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tables.engine.positions import next_positions
from tables.engine.state import Positions

Shuffle = Callable[[Sequence[int]], Sequence[int]]
"""Return given entries in a fresh random order at every call."""


class RapidTerms(NamedTuple):
    """Terms of a pool: seats of a hand, least players in the pool, longest wait for a full hand."""

    seats_max: int
    pool_min: int
    wait_ms: int
    blinds: bool = True
    s0_order: bool = False


class RapidPlayer(NamedTuple):
    """A player of the pool who holds no live hand and can be dealt in, ready since a time in ms.

    `since_big` and `since_small` count the hands dealt in since the blind was posted last; None is
    for newcomers, so that nobody saves a blind by leaving and coming back.
    """

    entry: int
    ready_ms: int
    since_big: int | None = None
    since_small: int | None = None


class RapidView(NamedTuple):
    """The input of a plan: the longest ready players, at most as many as a hand has seats.

    `pool` counts all players of the pool, in a hand or ready.
    """

    ready: tuple[RapidPlayer, ...]
    pool: int
    now_ms: int


class RapidHand(NamedTuple):
    """The next hand of a table: entries by seat, seated anew, and the positions."""

    entries: dict[int, int]
    positions: Positions


class RapidWait(NamedTuple):
    """No hand yet; at `until_ms` it is dealt with fewer players, None while the pool is small."""

    until_ms: int | None


def plan_rapid_hand(
    view: RapidView, terms: RapidTerms, *, shuffle: Shuffle
) -> RapidHand | RapidWait:
    """Deal in the players who are ready longest; the one with the oldest big blind posts (R-03).

    A hand starts when it is full, or as soon as its first player has waited long enough for
    others. Of the rest, the one with the oldest small blind posts that; the others sit by lot.
    """
    ready = sorted(view.ready, key=lambda player: (player.ready_ms, player.entry))
    if view.pool < terms.pool_min or len(ready) < 2:
        return RapidWait(None)
    dealt = ready[: terms.seats_max]
    patience_ms = dealt[0].ready_ms + terms.wait_ms
    # Nobody else can become ready when the whole pool is.
    if len(dealt) < min(terms.seats_max, view.pool) and view.now_ms < patience_ms:
        return RapidWait(patience_ms)
    seats = tuple(range(1, len(dealt) + 1))
    positions = next_positions(
        None, seats, frozenset(), button=seats[-1], s0_order=terms.s0_order, blinds=terms.blinds
    )
    entries: dict[int, int] = {}
    left = list(dealt)
    if positions.big_blind is not None and positions.small_blind is not None:
        for seat, since in (
            (positions.big_blind, _since_big),
            (positions.small_blind, _since_small),
        ):
            player = max(left, key=since)
            left.remove(player)
            entries[seat] = player.entry
    free = [seat for seat in seats if seat not in entries]
    entries.update(zip(free, shuffle([player.entry for player in left]), strict=True))
    return RapidHand(entries, positions)


def hands_since(before: int | None, posts: bool) -> int | None:
    """Return the hands since a blind was posted last, after a hand in which the seat `posts` it."""
    if posts:
        return 0
    return None if before is None else before + 1


def _since_big(player: RapidPlayer) -> tuple[bool, int, int]:
    """Rank players for the big blind: newcomers first, then the oldest blind, then readiness."""
    return (player.since_big is None, player.since_big or 0, -player.ready_ms)


def _since_small(player: RapidPlayer) -> tuple[bool, int, int]:
    return (player.since_small is None, player.since_small or 0, -player.ready_ms)
