"""Places of knocked out entries: by time, within a hand by stack, with ties shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Literal

import msgspec

RoundTies = Literal["by_stack", "share"]
"""Order of knock-outs at different tables in one hand-for-hand round: by stack, or shared."""


class BustedEntry(msgspec.Struct, frozen=True):
    """One entry that went out.

    `order` counts the settled hands of the tournament with a knock-out, one number per hand;
    `round` is the hand-for-hand round of the hand, 0 outside. `stack` is the stack at the start of
    the hand; `left_of_button` counts the seat clockwise from the button, 1 is next to it. `removed`
    is an entry that was disqualified instead of knocked out.
    """

    entry: int
    order: int
    round: int
    table: int
    stack: int
    left_of_button: int
    removed: bool = False


class Placed(msgspec.Struct, frozen=True):
    """An entry and its place; entries that share places all carry the best of them.

    `rank` orders sharers from 1, the better seat left of the button first, and decides the odd unit
    of a shared prize. `sharers` is the number of entries that share the places from `place` on.
    """

    entry: int
    place: int
    rank: int
    sharers: int


def places(
    knock_outs: Sequence[BustedEntry],
    entries_total: int,
    *,
    round_ties: RoundTies = "by_stack",
) -> list[Placed]:
    """Return the places of these knock-outs, best first (T-07).

    The knock-outs are the first out of `entries_total`: the last of them has place `entries_total`,
    and the places above belong to the entries that are left.
    """
    assert len({out.entry for out in knock_outs}) == len(knock_outs), "an entry goes out once"
    assert len(knock_outs) <= entries_total, "there are no more knock-outs than entries"
    place = entries_total - len(knock_outs) + 1
    placed: list[Placed] = []
    for together in _best_first(knock_outs, round_ties):
        for rank, out in enumerate(together, start=1):
            placed.append(Placed(out.entry, place, rank, len(together)))
        place += len(together)
    assert place == entries_total + 1, "places are consecutive, except for ties"
    return placed


def _best_first(knock_outs: Sequence[BustedEntry], ties: RoundTies) -> list[list[BustedEntry]]:
    """Return groups that share their places, best first, each in the order of the odd units.

    Entries removed during a round go out before its hands (T-15).
    """
    began: dict[int, int] = {}
    for out in knock_outs:
        began[out.round] = min(out.order, began.get(out.round, out.order))

    def moment(out: BustedEntry) -> tuple[int, bool]:
        return (began[out.round], not out.removed) if out.round else (out.order, True)

    groups: list[list[BustedEntry]] = []
    for together in _descending(knock_outs, moment):
        shared = ties == "share" and len({out.table for out in together}) > 1
        groups += _layers(together) if shared else _descending(together, _stack)
    return [sorted(group, key=_odd_unit) for group in groups]


def _layers(together: Sequence[BustedEntry]) -> list[list[BustedEntry]]:
    """Group the best entry of every table, then the second of every table, and so on."""
    layers: list[list[BustedEntry]] = []
    for table in sorted({out.table for out in together}):
        at_table = [out for out in together if out.table == table]
        for depth, equals in enumerate(_descending(at_table, _stack)):
            if depth == len(layers):
                layers.append([])
            layers[depth] += equals
    return layers


def _descending(
    outs: Sequence[BustedEntry], key: Callable[[BustedEntry], tuple[int, ...]]
) -> list[list[BustedEntry]]:
    ordered = sorted(outs, key=key, reverse=True)
    return [list(group) for _, group in groupby(ordered, key=key)]


def _stack(out: BustedEntry) -> tuple[int]:
    return (out.stack,)


def _odd_unit(out: BustedEntry) -> tuple[int, int, int]:
    return (out.left_of_button, out.table, out.entry)
