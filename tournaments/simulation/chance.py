"""Random options over all formats, for tests that play very many small tournaments."""

from __future__ import annotations

from random import Random
from typing import Any

from config.refusals import Refusal
from tables.engine.variants import VARIANTS
from tournaments.engine.formats import FORMATS as RULES
from tournaments.engine.formats import Format
from tournaments.engine.payout_tables import BASIS_POINTS
from tournaments.engine.payouts import WINNER_TAKES_ALL
from tournaments.simulation.options import SimulationOptions, validate_simulation

FORMATS: tuple[Format, ...] = (
    *("freezeout", "freezeout", "freezeout", "satellite", "shootout"),
    *("heads_up", "spin", "fifty_fifty", "double_or_nothing"),
)
LIMITS = ("no_limit", "pot_limit", "fixed_limit")
LIMITED = (
    {"variant": "holdem", "limit": "fixed_limit", "structure": "split"},
    {"variant": "holdem", "limit": "spread_limit", "structure": "spread"},
    {"variant": "stud", "limit": "fixed_limit", "structure": "split"},
    {"variant": "stud_hilo", "limit": "spread_limit", "structure": "spread"},
)
TRIES_MAX = 1_000


def offer(seed: int, *, players_max: int = 20) -> SimulationOptions:
    """Draw options from a seed, again as long as they contradict each other."""
    lot = Random(seed)  # nosec B311
    hands = _rules_of_hands(Random(f"{seed} hands"))  # nosec B311
    for _ in range(TRIES_MAX):
        try:
            return validate_simulation(SimulationOptions(**_drawn(lot, players_max) | hands))
        except Refusal:
            continue
    raise AssertionError("a draw of options without contradiction exists")


def _drawn(lot: Random, players_max: int) -> dict[str, Any]:
    form: Format = lot.choice(FORMATS)
    wanted: dict[str, Any] = {
        "format": form,
        "players": 2 * lot.randint(1, players_max // 2)
        + (form == "freezeout" and lot.randint(0, 1)),
        "seats_per_table": lot.randint(2, 9),
        "variant": lot.choice(("holdem", "holdem", *VARIANTS)),
        "limit": lot.choice(LIMITS),
        "structure": lot.choice(("turbo", "T200", "regular")),
        "level_ms": lot.choice((60_000, 120_000, 240_000)),
        "buy_in": lot.choice((0, 1, 333, 10_00)),
        "fee": lot.choice((0, 1_00)),
        "added": lot.choice((0, 0, 7_77)),
        "guarantee": lot.choice((0, 0, 123_45)),
        "payout_preset": lot.choice(("classic", "wide", "winner_takes_all")),
        "ticket_value": lot.choice((0, 25_00)),
        "winners_cash": lot.random() < 0.7,
        "bubble_places": lot.randint(0, 2),
        "bubble_final": lot.randint(0, 2),
        "tie_rule": lot.choice(("by_stack", "share")),
        "deals_allowed": lot.random() < 0.3,
        "play_time_ms": lot.choice((0, 0, 0, 900_000)),
        "time_up": lot.choice(("table", "proportional")),
    }
    if RULES[form].one_table:
        seats = min(wanted["players"], wanted["seats_per_table"])
        players = RULES[form].players or seats
        wanted |= {"players": players, "seats_per_table": players}
    if lot.random() < 0.5:
        wanted |= _bounties(lot)
    if form in ("freezeout", "satellite") and lot.random() < 0.6:
        wanted |= _buying(lot)
    if lot.random() < 0.1:
        wanted |= {
            "cancel": lot.choice(("roll_back", "roll_forward")),
            "cancel_after_hands": lot.randint(1, 40),
        }
    if form == "freezeout" and lot.random() < 0.2:
        wanted["disqualify_after_hands"] = lot.randint(1, 30)
    if form in ("freezeout", "heads_up") and lot.random() < 0.2:
        wanted |= _cash_value(lot)
    return wanted


def _rules_of_hands(lot: Random) -> dict[str, Any]:
    """Draw the settings of a hand with a separate generator: other draws stay unchanged.

    Some draws have bets of split or spread limit (B-03, B-04).
    """
    limited = lot.choice((*[{}] * 8, *LIMITED))
    return limited | {
        "s0_order": lot.random() < 0.3,
        "cap_lift": lot.choice(("last_street", "event")),
        "muck_secret": lot.random() < 0.3,
        "deal_by_chips": lot.choice(("within_prizes", "by_chips_alone")),
    }


def _cash_value(lot: Random) -> dict[str, Any]:
    """Set chips worth a cent each, without options that part them from the pool (A-04)."""
    stack = lot.choice((200, 1_500))
    return {
        "cash_value": True,
        "buy_in": stack,
        "starting_stack": stack,
        "payout_preset": WINNER_TAKES_ALL,
        "added": 0,
        "guarantee": 0,
        "play_time_ms": 0,
        "deals_allowed": False,
        "bounty": 0,
        "pro_bounty": 0,
        "progressive_bp": BASIS_POINTS,
        "late_ends": "never_open",
        "entries_max": 1,
        "several_at_once": False,
        "merge_at": 0,
        "rebuys_max": 0,
        "add_on": False,
        "leave_percent": lot.choice((1, 10, 50)),
    }


def _bounties(lot: Random) -> dict[str, Any]:
    return {
        "bounty": lot.choice((0, 1, 501)),
        "progressive_bp": lot.choice((10_000, 5_000, 2_500)),
        "bounty_odd_to_cash": lot.random() < 0.5,
        "bounties_at_end": lot.random() < 0.3,
        "pro_bounty": lot.choice((0, 5_00)),
    }


def _buying(lot: Random) -> dict[str, Any]:
    ends, value = lot.choice(
        (("at_level", 3), ("at_time", 400_000), ("at_left", 4), ("at_first_out", 0))
    )
    several = lot.random() < 0.3
    return {
        "late_ends": lot.choice((ends, "never_open")),
        "late_value": value,
        "late_players": lot.randint(0, 8),
        "entries_max": lot.randint(1, 3),
        "several_at_once": several,
        "merge_at": lot.randint(0, 4) if several else 0,
        "rebuys_max": lot.randint(0, 3),
        "rebuy_threshold": lot.choice(("zero", "half", "full")),
        "rebuy_until_level": lot.randint(1, 3),
        "rebuy_price": lot.choice((1, 10_00)),
        "rebuy_fee": lot.choice((0, 50)),
        "add_on": lot.random() < 0.5,
    }
