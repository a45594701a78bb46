"""The spin: a multiplier drawn by the room's odds sets the pool of three players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tournaments.engine.lot import Lot
from tournaments.engine.payout_tables import BASIS_POINTS
from tournaments.engine.rounding import largest_remainder

SPIN_PLAYERS = 3
ODDS_SUM = 100_000

ODDS: Mapping[int, int] = {
    2: 77_380,
    4: 13_510,
    6: 8_000,
    10: 1_000,
    25: 80,
    100: 15,
    200: 10,
    1000: 5,
}
"""Multiplier of one buy-in -> draws of 100,000 (F-05)."""


class Spin(msgspec.Struct, frozen=True):
    """One draw, kept as the record of the spin: the number drawn of 100,000 and its multiplier.

    `room_part` is the room's payment on top of the buy-ins; a negative part is the room's gain.
    """

    drawn: int
    multiplier: int
    pool: int
    room_part: int


def validate_odds(odds: Mapping[int, int]) -> Mapping[int, int]:
    """Return the odds if a draw from them is fair; raise RuleRefusal otherwise (F-05)."""
    if any(multiplier <= 0 or count <= 0 for multiplier, count in odds.items()):
        raise RuleRefusal(
            "bad_odds", _("Multipliers and their odds are above zero."), field="spin_odds"
        )
    if sum(odds.values()) != ODDS_SUM:
        raise RuleRefusal(
            "odds_not_whole", _("The odds add up to exactly 100,000."), field="spin_odds"
        )
    return odds


def spin(odds: Mapping[int, int], buy_in: int, lot: Lot) -> Spin:
    """Draw the pool as a multiple of ONE buy-in; the room keeps or pays the difference (F-05)."""
    drawn = lot.randrange(ODDS_SUM)
    multiplier = _at(odds, drawn)
    pool = multiplier * buy_in
    return Spin(drawn, multiplier, pool, pool - SPIN_PLAYERS * buy_in)


def split(pool: int, shares: Sequence[int] = (BASIS_POINTS,)) -> list[int]:
    """Split the pool by the shares of its multiplier, winner takes all by default (F-05)."""
    if sum(shares) != BASIS_POINTS or not 1 <= len(shares) <= SPIN_PLAYERS or min(shares) < 0:
        raise RuleRefusal(
            "split_not_100_percent",
            _("The split of a spin adds up to 100 % for three at most."),
            field="spin_splits",
        )
    return largest_remainder(pool, shares)


def _at(odds: Mapping[int, int], drawn: int) -> int:
    """Return the multiplier at the drawn number, with the ranges of 0..99,999 in rising order."""
    for multiplier in sorted(odds):
        drawn -= odds[multiplier]
        if drawn < 0:
            return multiplier
    raise AssertionError("valid odds cover every number")
