"""A hand as Open Hand History, a JSON object that trackers and solvers read."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from tables.engine.events import PotAwarded
from tables.history.exports.games import TournamentFacts
from tables.history.exports.hand import ExportedHand
from tables.history.exports.ohh_rounds import rounds

SPEC_VERSION = "1.4.7"
INTERNAL_VERSION = "1.5.0"
"""Version of this writer: any change of what it writes raises it."""
SITE = "Tournament room"
PLAY_MONEY = "XPM"

GAMES = {
    "holdem": "Holdem",
    "omaha": "Omaha",
    "omaha5": "Omaha",
    "omaha5_house": "Omaha",
    "omaha_hilo": "OmahaHiLo",
    "omaha5_hilo": "OmahaHiLo",
    "stud": "Stud",
    "stud_hilo": "StudHiLo",
}
"""Games of the specification by variant; `_variant` names those it does not know."""

LIMITS = {"no_limit": "NL", "pot_limit": "PL", "fixed_limit": "FL", "spread_limit": "FL"}
"""Limits of the specification, which has no spread limit: `_limit` names it."""

SPEEDS = ((600, "Normal"), (360, "Semi-Turbo"), (240, "Turbo"), (120, "Super-Turbo"))
"""Least seconds of a first level -> speed; shorter ones are `Hyper-Turbo`."""


def written(hand: ExportedHand) -> str:
    """Return the document of one hand on one line; fields with an underscore are the room's own."""
    return json.dumps({"ohh": fields(hand)}, ensure_ascii=False) + "\n"


def fields(hand: ExportedHand) -> dict[str, Any]:
    """Return the fields of the hand in the order of the specification."""
    kept, game = hand.kept, hand.game
    setup = kept.setup
    rules, stakes, positions = setup.rules, setup.rules.stakes, setup.positions
    before = {stack.seat: stack.chips for stack in kept.result.stacks_before}
    return {
        "spec_version": SPEC_VERSION,
        "site_name": SITE,
        "network_name": SITE,
        "internal_version": INTERNAL_VERSION,
        "tournament": game.tournament is not None,
        **({} if game.tournament is None else {"tournament_info": _tournament(hand)}),
        "game_number": f"{kept.table}-{kept.hand}",
        "start_date_utc": _date(kept.began_ms),
        "table_name": f"{game.name} {hand.table}",
        "game_type": GAMES[rules.variant],
        "bet_limit": {"bet_type": LIMITS[rules.limit], "bet_cap": 0},
        "table_size": hand.seats_max,
        "currency": PLAY_MONEY,
        "dealer_seat": positions.button,
        "small_blind_amount": hand.amount(stakes.small_blind),
        "big_blind_amount": hand.amount(stakes.big_blind),
        "ante_amount": hand.amount(stakes.ante),
        **({} if hand.viewer is None else {"hero_player_id": hand.viewer}),
        "flags": _flags(hand),
        "players": [
            {
                "id": seat,
                "seat": seat,
                "name": hand.names[seat],
                "starting_stack": hand.amount(before[seat]),
            }
            for seat in sorted(hand.order)
        ],
        "rounds": rounds(hand),
        "pots": _pots(hand),
        "_variant": rules.variant,
        "_limit": rules.limit,
        **({"_research": True} if hand.game.research else {}),
    }


def _flags(hand: ExportedHand) -> list[str]:
    flags = {"Observed": hand.viewer is None, "Fast": hand.game.fast}
    return [flag for flag, holds in flags.items() if holds]


def _pots(hand: ExportedHand) -> list[dict[str, Any]]:
    """Return the pots with their rake, without the bets that nobody called."""
    pots: dict[int, list[PotAwarded]] = {}
    for award in hand.kept.result.awards:
        pots.setdefault(award.pot, []).append(award)
    return [
        {
            "number": number,
            "amount": hand.amount(sum(award.amount for award in pots[number])),
            "rake": hand.amount(sum(award.rake for award in pots[number])),
            "player_wins": [
                {"player_id": seat, "win_amount": hand.amount(won)}
                for seat, won in _wins(pots[number]).items()
            ],
        }
        for number in sorted(pots)
    ]


def _wins(awards: list[PotAwarded]) -> dict[int, int]:
    won: dict[int, int] = {}
    for share in (share for award in awards for share in award.winners):
        won[share.seat] = won.get(share.seat, 0) + share.amount
    return won


def _tournament(hand: ExportedHand) -> dict[str, Any]:
    """Return the object of the tournament, prices in units of money."""
    facts = hand.game.tournament
    assert facts is not None
    return {
        "tournament_number": str(hand.kept.game),
        "name": hand.game.name,
        "start_date_utc": _date(hand.kept.began_ms if facts.start_ms is None else facts.start_ms),
        "currency": PLAY_MONEY,
        "buyin_amount": facts.buy_in / 100,
        "bounty_fee_amount": facts.bounty / 100,
        "fee_amount": facts.fee / 100,
        "initial_stack": facts.starting_stack,
        "type": "STT" if facts.is_single_table else "MTT",
        "flags": list(facts.flags),
        "speed": _speed(facts),
    }


def _speed(facts: TournamentFacts) -> dict[str, Any]:
    seconds = facts.level_ms // 1_000
    name = next((name for least, name in SPEEDS if seconds >= least), "Hyper-Turbo")
    if not seconds:  # levels last a number of hands, for which the specification has no word
        name = "Normal"
    return {"type": name, "round_time": seconds}


def _date(time_ms: int) -> str:
    return f"{datetime.fromtimestamp(time_ms // 1_000, UTC):%Y-%m-%dT%H:%M:%SZ}"
