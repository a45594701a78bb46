"""Prizes of a field in whole minor units: by table, by curve, to the winner, or in tickets."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tournaments.engine.payout_tables import BASIS_POINTS, PRESETS, PayoutTable
from tournaments.engine.places import Placed

WINNER_TAKES_ALL = "winner_takes_all"
WIDE = "wide"
CURVE_PAYS_PERCENT = 15


def prizes(preset: str | PayoutTable, entrants: int, pool: int, *, buy_in: int = 0) -> list[int]:
    """Return the prize of every paid place, best first; they sum to the pool (Z-02).

    `preset` is the name of a preset table, `winner_takes_all`, or a custom table. `entrants` counts
    entries and re-entries. Each share is rounded down; the remainder and shares without an entrant
    go to the first place. Preset "wide" pays no place less than `buy_in`: a place that would win
    less is not paid, unless it is the only one.
    """
    assert entrants >= 1, "a pool needs at least one entrant"
    assert pool >= 0, "a pool is never negative"
    paid = _amounts(preset, entrants, pool)[:entrants]
    while preset == WIDE and len(paid) > 1 and paid[-1] < buy_in:
        paid.pop()
    paid[0] += pool - sum(paid)
    assert sum(paid) == pool, "prizes sum to the pool"
    assert all(amount >= 0 for amount in paid), "prizes are never negative"
    return paid


def check_ticket(value: int) -> None:
    """Refuse a ticket of a satellite that is worth nothing (K-07)."""
    if value <= 0:
        raise RuleRefusal("worthless_ticket", _("A ticket is worth something."))


def satellite(pool: int, ticket: int, winners_cash: bool = True) -> tuple[int, int]:
    """Return the number of tickets a satellite pays, and the cash of the next place (K-07).

    Without `winners_cash` players win no money (K-08): a rest below a whole ticket is not paid.
    """
    check_ticket(ticket)
    assert pool >= 0, "a pool is never negative"
    tickets, rest = divmod(pool, ticket)
    return tickets, rest if winners_cash else 0


def shared(amounts: Sequence[int], placed: Sequence[Placed]) -> dict[int, int]:
    """Return the prize of each placed entry; sharers split their places' prizes evenly (T-07).

    Odd units go one each to the better seats left of the button.
    """
    won = {}
    shares: dict[tuple[int, int], tuple[int, int]] = {}  # once for all sharers: a field may be one
    for place in placed:
        key = place.place, place.sharers
        if key not in shares:
            together = sum(amounts[place.place - 1 : place.place - 1 + place.sharers])
            shares[key] = divmod(together, place.sharers)
        each, odd = shares[key]
        won[place.entry] = each + (1 if place.rank <= odd else 0)
    return won


def _amounts(preset: str | PayoutTable, entrants: int, pool: int) -> list[int]:
    if preset == WINNER_TAKES_ALL:
        return [pool]
    table = PRESETS[preset] if isinstance(preset, str) else preset
    row = table.row(entrants)
    if row is not None:
        return [pool * share // BASIS_POINTS for share in row.shares]
    return _curve(entrants, pool) if table.beyond == "curve" else _amounts(WIDE, entrants, pool)


def _curve(entrants: int, pool: int) -> list[int]:
    """Return non-increasing prizes for 15 % of the field, each at least 1.5 average buy-ins (Z-02).

    Every paid place gets that minimum; the rest of the pool falls off like (place + 1) ** -1.5,
    with equal prizes for all places of a band.
    """
    paid = entrants * CURVE_PAYS_PERCENT // 100
    least = -(-3 * pool // (2 * entrants))
    if least * paid > pool:
        least = 3 * pool // (2 * entrants)
    weights = [_weight(_band_start(place)) for place in range(1, paid + 1)]
    total, rest = sum(weights), pool - least * paid
    return [least + rest * weight // total for weight in weights]


def _weight(place: int) -> int:
    """Return an integer that falls off like (place + 1) ** -1.5, by integer square roots alone."""
    return 10**30 // ((place + 1) * isqrt((place + 1) * 10**12))


def _band_start(place: int) -> int:
    """Return the first place of a band: as in preset "wide", beyond it four of each width."""
    start, width = 100, 27
    for first, size in ((46, 18), (19, 9), (10, 3), (1, 1)):
        if place < start:
            start, width = first, size
    while width >= 27 and place >= start + 4 * width:
        start, width = start + 4 * width, 2 * width
    return start + (place - start) // width * width
