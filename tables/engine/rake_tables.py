"""Rake tables of ring games: their rows, and the two tables of the rules (R-02)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tables.engine.events import Rake


class RakeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row with its conditions and its rake; amounts in minor units of the currency.

    None stands for any variant, currency or limit. A row is for small blinds above
    `small_blind_over` and up to `small_blind_upto`, None for no end.
    """

    variant: str | None
    currency: str | None
    limit: str | None
    players_min: int
    players_max: int
    small_blind_over: int
    small_blind_upto: int | None
    basis_points: int
    minimum: int
    maximum: int


class RakedGame(msgspec.Struct, frozen=True):
    """A ring hand: `players` dealt in, `small_blind` in minor units."""

    variant: str
    currency: str
    limit: str
    players: int
    small_blind: int


SHARE = 250
"""Share of both tables, in basis points."""


def rake_of(
    rows: Sequence[RakeRow],
    game: RakedGame,
    *,
    no_flop_no_drop: bool = False,
    per_street: bool = False,
) -> Rake | None:
    """Return the rake of the first row that fits, None without one; the default row comes last."""
    row = next((row for row in rows if _fits(row, game)), None)
    if row is None:
        return None
    return Rake(row.basis_points, row.minimum, row.maximum, no_flop_no_drop, per_street)


def _fits(row: RakeRow, game: RakedGame) -> bool:
    return (
        row.variant in (None, game.variant)
        and row.currency in (None, game.currency)
        and row.limit in (None, game.limit)
        and row.players_min <= game.players <= row.players_max
        and row.small_blind_over < game.small_blind
        and (row.small_blind_upto is None or game.small_blind <= row.small_blind_upto)
    )


def _by_players(variant: str, limit: str) -> tuple[RakeRow, ...]:
    most = ((2, 3, 100), (4, 5, 200), (6, 10, 300))
    return tuple(
        RakeRow(variant, "EUR", limit, few, many, -1, None, SHARE, 0, maximum)
        for few, many, maximum in most
    )


HOLDEM: tuple[RakeRow, ...] = (
    RakeRow("holdem", "EUR", "fixed_limit", 2, 10, -1, 50, SHARE, 0, 300),
    RakeRow("holdem", "EUR", "fixed_limit", 2, 10, 50, 1_000, SHARE, 2, 300),
    RakeRow("holdem", "EUR", "fixed_limit", 2, 10, 1_000, None, SHARE, 0, 300),
    *_by_players("holdem", "pot_limit"),
    *_by_players("holdem", "no_limit"),
    RakeRow(None, "EUR", None, 2, 10, -1, None, SHARE, 0, 300),
)
"""Example of the rules for hold'em, with the default row for every other game."""

OMAHA: tuple[RakeRow, ...] = _by_players("omaha", "pot_limit")
"""Example of the rules for Omaha."""

PRESETS = {"holdem": HOLDEM, "omaha": OMAHA}
