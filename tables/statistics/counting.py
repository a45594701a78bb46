"""Part of the statement that writes a hand: the counters of its players, once and with it."""

from __future__ import annotations

from string import Template
from typing import Any

from msgspec.structs import astuple

from config.postgres.arrays import array_of
from tables.dealer.record import HandRecord
from tables.statistics.counters import NAMES, count_hand


def counts(hand: HandRecord) -> dict[str, Any]:
    """Return the values of COUNT for a hand."""
    counted = sorted(count_hand(hand).items())
    columns = zip(*(astuple(counters) for _, counters in counted), strict=True)
    return {
        "game": hand.game,
        "variant": hand.setup.rules.variant,
        "players_counted": array_of([user for user, _ in counted]),
        **{f"count_{name}": array_of(column) for name, column in zip(NAMES, columns, strict=True)},
    }


COUNT = Template(
    """
  INSERT INTO statistics_playercounts (user_id, director, game, variant, $names)
  SELECT v.user_id, t.director, %(game)s, %(variant)s, $values
    FROM t, unnest(%(players_counted)s::bigint[], $given) AS v(user_id, $names)
   ORDER BY v.user_id
      ON CONFLICT (user_id, director, game, variant) DO UPDATE
     SET $sums
"""
).substitute(
    names=", ".join(NAMES),
    values=", ".join(f"v.{name}" for name in NAMES),
    given=", ".join(f"%(count_{name})s::bigint[]" for name in NAMES),
    sums=", ".join(f"{name} = statistics_playercounts.{name} + excluded.{name}" for name in NAMES),
)
"""Common table expression on `t`, the row of the table that took the hand, if it did.

Without that row nothing is counted, so a repeated settlement counts nothing. Rows are locked in the
order of users: tables of one game with a common player wait in one order.
"""
