"""Rake tables and jackpots of the rules, as migrations write them into a new room."""

from __future__ import annotations

from typing import Any

from django.apps.registry import Apps

ANY = {"players_min": 2, "players_max": 10, "small_blind_over": -1, "small_blind_upto": None}
PLAYERS = ((2, 3, 100), (4, 5, 200), (6, 10, 300))
FIXED = ((-1, 50, 0), (50, 1_000, 2), (1_000, None, 0))


def rows() -> list[dict[str, Any]]:
    """Return the rows of both rake tables of the rules, the default row last (R-02)."""
    base = ANY | {"currency": "EUR", "basis_points": 250, "minimum": 0}
    fixed = [
        base
        | {
            "variant": "holdem",
            "limit": "fixed_limit",
            "small_blind_over": over,
            "small_blind_upto": upto,
            "minimum": minimum,
            "maximum": 300,
        }
        for over, upto, minimum in FIXED
    ]
    by_players = [
        base
        | {
            "variant": variant,
            "limit": limit,
            "players_min": few,
            "players_max": many,
            "maximum": most,
        }
        for variant, limit in (
            ("holdem", "pot_limit"),
            ("holdem", "no_limit"),
            ("omaha", "pot_limit"),
        )
        for few, many, most in PLAYERS
    ]
    return [*fixed, *by_players, base | {"maximum": 300}]


JACKPOTS: dict[str, dict[str, Any]] = {
    "monte_carlo": {
        "feed": 1_000,
        "tiers": [["royal_flush", 10_000], ["straight_flush", 5_000], ["pair", 2_000]],
        "back": 300,
    },
    "bad_beat": {
        "feed": 1_000,
        "loser": 3_500,
        "winner": 1_500,
        "table": 1_500,
        "next": 3_000,
        "room": 500,
    },
    "smart": {
        "feed": 500,
        "loser": 4_000,
        "winner": 2_500,
        "table": 1_500,
        "next": 1_500,
        "room": 500,
        "hours": [[18 * 60, 22 * 60]],
    },
}


def write(apps: Apps, editor: object) -> None:
    """Write the presets of the rules."""
    table = apps.get_model("ring", "RakeTable").objects.create(name="Standard")
    row = apps.get_model("ring", "RakeTableRow")
    row.objects.bulk_create(row(table=table, **values) for values in rows())
    jackpot = apps.get_model("ring", "Jackpot")
    for kind, terms in JACKPOTS.items():
        jackpot.objects.create(kind=kind, stored_terms={"kind": kind, **terms})
