"""Rake tables of ring games: their rows, and the two tables of the rules (R-02)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _
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


class RakeTableRefusal(RuleRefusal):
    """A refused rake table: `code`, a sentence, and the places of the wrong rows from 0."""

    def __init__(self, code: str, sentence: str, *rows: int) -> None:
        super().__init__(code, sentence)
        self.rows = rows


PLAYERS = (2, 10)
"""Least and most players dealt in: conditions of a row for any number of players."""

SHARE = 250
"""Share of both tables, in basis points."""


def rake_of(
    rows: Sequence[RakeRow],
    game: RakedGame,
    *,
    no_flop_no_drop: bool = False,
    per_street: bool = False,
) -> Rake | None:
    """Return the rake of the most special row that fits, None without one (R-02)."""
    fitting = [row for row in rows if _fits(row, game)]
    if not fitting:
        return None
    row = max(fitting, key=_conditions)
    return Rake(row.basis_points, row.minimum, row.maximum, no_flop_no_drop, per_street)


def check_rows(rows: Sequence[RakeRow]) -> None:
    """Refuse rows with impossible amounts, and equally special rows that fit one game.

    A row is more special the more conditions it has: variant, currency, limit, fewer than all
    numbers of players, a limited small blind. The row without conditions is the default.
    """
    for number, row in enumerate(rows):
        _check_row(number, row)
    for (one, first), (other, second) in combinations(enumerate(rows), 2):
        if _conditions(first) == _conditions(second) and _overlap(first, second):
            raise RakeTableRefusal(
                "rows_overlap",
                _("Two rows with equally many conditions are for one game."),
                one,
                other,
            )


def _check_row(number: int, row: RakeRow) -> None:
    if not 0 <= row.basis_points <= 10_000:
        raise RakeTableRefusal(
            "bad_share", _("The share of the pot lies between 0 and 100 percent."), number
        )
    if not 0 <= row.minimum <= row.maximum:
        raise RakeTableRefusal(
            "bad_minimum", _("The minimum rake is at least 0 and at most the maximum."), number
        )
    if not PLAYERS[0] <= row.players_min <= row.players_max <= PLAYERS[1]:
        raise RakeTableRefusal(
            "bad_players", _("A row is for 2 to 10 players, the fewest first."), number
        )
    if row.small_blind_upto is not None and row.small_blind_upto <= row.small_blind_over:
        raise RakeTableRefusal(
            "bad_small_blinds", _("The small blinds of a row end above their beginning."), number
        )


def _conditions(row: RakeRow) -> int:
    """Return the number of conditions of a row, which makes it special."""
    names = sum(name is not None for name in (row.variant, row.currency, row.limit))
    players = (row.players_min, row.players_max) != PLAYERS
    small_blinds = row.small_blind_over >= 0 or row.small_blind_upto is not None
    return names + players + small_blinds


def _overlap(row: RakeRow, other: RakeRow) -> bool:
    """Return whether some game fits both rows."""
    names = ((row.variant, other.variant), (row.currency, other.currency), (row.limit, other.limit))
    return (
        all(None in pair or pair[0] == pair[1] for pair in names)
        and row.players_min <= other.players_max
        and other.players_min <= row.players_max
        and (other.small_blind_upto is None or row.small_blind_over < other.small_blind_upto)
        and (row.small_blind_upto is None or other.small_blind_over < row.small_blind_upto)
    )


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
