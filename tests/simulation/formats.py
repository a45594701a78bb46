"""Random formats, payment methods and entry rules of an offer, besides levels and pace."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tournaments.engine.spin import ODDS_SUM

ACTIVITY = "main event"
"""The scope of every ticket in the simulated room."""

SET_NUMBER = ("fifty_fifty", "double_or_nothing", "shootout", "spin", "heads_up")

Fields = dict[str, Any]


def of_a_set_number(chance: random.Random, players: int, fields: Fields) -> Fields:
    """Draw a format with a fixed number of players and its own end (F-04..F-08)."""
    own = {"play_time_ms": 0, "start": "sit_and_go", "late_ends": "never_open", "format": ""}
    made = fields | own | {"format": chance.choice(SET_NUMBER)}
    match made["format"]:
        case "heads_up":
            players, made["seats_per_table"] = 2, 2
        case "spin":
            players = 3
            made |= {"buy_in": made["buy_in"] or 100, "added": 0, "guarantee": 0} | _drum(chance)
        case "fifty_fifty" | "double_or_nothing":
            players = max(2, min(players, 8) // 2 * 2)
        case "shootout":
            made["seats_per_table"] = chance.choice((2, 3, 4))
    if made["format"] != "shootout":
        made["seats_per_table"] = max(players, made["seats_per_table"])
    if made["format"] == "double_or_nothing":
        made |= {"added": 0, "guarantee": 0}
    return made | {"players_min": players, "players_max": players}


def _drum(chance: random.Random) -> Fields:
    """Draw the default odds of a spin, or two multipliers of which the larger prize is split
    (F-05).
    """
    if chance.random() < 0.5:
        return {}
    rare = ODDS_SUM // 4
    return {
        "spin_odds": {"2": ODDS_SUM - rare, "10": rare},
        "spin_splits": {"10": [8_000, 1_200, 800]},
    }


def satellite(chance: random.Random) -> Fields:
    """Draw a satellite, whose winners get tickets for a target (K-07, K-08)."""
    return {
        "format": "satellite",
        "buy_in": chance.choice((500, 1_000, 1_700)),
        "play_time_ms": 0,
        "winners_cash": chance.random() < 0.5,
        "worth_if_registered": chance.random() < 0.5,
    }


def target(chance: random.Random, fields: Fields, later: Callable[[int], Any]) -> Fields:
    """Draw the tournament a satellite leads to: later, at a higher price, and paid with tickets
    too.
    """
    kept = ("variant", "limit", "starting_stack", "seats_per_table", "action_ms", "tie_rule")
    return {name: fields[name] for name in kept} | {
        "start": "scheduled",
        "starts_at": later(chance.randint(20_000, 70_000)),
        "players_min": 2,
        "players_max": 20,
        "buy_in": fields["buy_in"] * chance.choice((1, 2, 2, 3)),
        "fee": chance.choice((0, 50)),
        "methods": chance.choice(("ticket", "money_and_tickets")),
        "activity": ACTIVITY,
        "surplus_to": chance.choice(("account", "bonus")),
        "ticket_back": chance.choice(("ticket", "money")),
    }


def tickets(chance: random.Random) -> Fields:
    """Draw the terms of tickets: required or optional, and the kind of surplus and return
    (K-01..K-06).
    """
    return {
        "methods": chance.choice(("ticket", "money_and_tickets", "money_and_tickets")),
        "activity": ACTIVITY,
        "surplus_to": chance.choice(("account", "bonus")),
        "ticket_back": chance.choice(("ticket", "money")),
    }


def several_at_once(chance: random.Random, players: int) -> Fields:
    """Draw the number of simultaneous entries of one player, which merge later (E-03)."""
    most = chance.choice((2, 3))
    return {
        "several_at_once": True,
        "entries_max": most,
        "merge_at": chance.choice((0, 0, 2, 3)),
        "players_max": players * most,
    }


def deals(chance: random.Random) -> Fields:
    """Allow deals at the final table, with a random time for votes (Y-01)."""
    return {"deals_allowed": True, "deal_vote_ms": chance.choice((700, 2_000, 5_000))}
