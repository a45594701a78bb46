"""Conditions under which each option of an offer matters; the form hides other options."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from django.forms import Widget

from tournaments.engine.formats import FORMATS, FormatRules
from tournaments.models.options.buying import LateEnds
from tournaments.models.options.cards_up import CardsUp
from tournaments.models.options.prizes import Methods
from tournaments.models.tournament import Start

Needed = Mapping[str, list[object]]
"""Names of other fields -> values that make an option relevant; `ABOVE_0` is any number above 0."""

ABOVE_0 = ">0"
ON = True


def _of(holds: Callable[[FormatRules], bool]) -> Needed:
    return {"format": [name for name, rules in FORMATS.items() if holds(rules)]}


_SELLS = _of(lambda rules: not rules.fixed_field)
_TO_THE_LAST = _of(lambda rules: rules.plays_to_last)
_MAY_DEAL = _of(lambda rules: not rules.stops_early)
_SPIN = _of(lambda rules: rules.draws_pool)
_SATELLITE = _of(lambda rules: rules.pays_tickets)
_OWN_TICKETS: Needed = {**_SATELLITE, "ticket_value": [ABOVE_0]}
_DEALS: Needed = {**_MAY_DEAL, "deals_allowed": [ON]}
_REBUYS: Needed = {**_SELLS, "rebuys_max": [ABOVE_0]}
_ADD_ON: Needed = {**_REBUYS, "add_on": [ON]}
_BOUNTY: Needed = {"bounty": [ABOVE_0]}
_TICKETS: Needed = {"methods": [Methods.TICKET, Methods.BOTH]}
_SCHEDULED: Needed = {**_SELLS, "start": [Start.SCHEDULED]}
_LATE: Needed = {
    **_SCHEDULED,
    "late_ends": [LateEnds.AT_LEVEL, LateEnds.AT_TIME, LateEnds.AT_LEFT],
}
_POOL = _of(lambda rules: not (rules.draws_pool or rules.pays_double))
_CARDS_UP: Needed = {"cards_up": [CardsUp.EVERYBODY, CardsUp.COMMENTATORS]}
_SEVERAL_TABLES = _of(lambda rules: not rules.one_table)

NEEDED: Mapping[str, Needed] = {
    "start": _SELLS,
    "starts_at": _SCHEDULED,
    "repeat_every_s": {**_SCHEDULED, "repeats": [ON]},
    "players_min": _SELLS,
    "players_max": _of(lambda rules: not rules.players),
    "added": _POOL,
    "guarantee": _POOL,
    "play_time_ms": _TO_THE_LAST,
    "time_up": {**_TO_THE_LAST, "play_time_ms": [ABOVE_0]},
    "deals_allowed": _MAY_DEAL,
    **dict.fromkeys(
        ("deal_by_chips", "deal_kinds", "deal_vote_ms"),
        _DEALS,
    ),
    "spin_odds": _SPIN,
    "spin_splits": _SPIN,
    "late_ends": _SCHEDULED,
    "late_value": _LATE,
    "entries_max": _SELLS,
    "several_at_once": _SELLS,
    "merge_at": {**_SELLS, "several_at_once": [ON]},
    "offer_ms": _SELLS,
    "rebuys_max": _SELLS,
    **dict.fromkeys(
        ("rebuy_threshold", "rebuy_until_level", "rebuy_price", "rebuy_fee", "rebuy_chips"),
        _REBUYS,
    ),
    "add_on": _REBUYS,
    **dict.fromkeys(("add_on_price", "add_on_fee", "add_on_chips"), _ADD_ON),
    "cash_value": _TO_THE_LAST,
    **dict.fromkeys(("activity", "surplus_to", "ticket_back"), _TICKETS),
    **dict.fromkeys(("target", "winners_cash", "worth_if_registered"), _SATELLITE),
    **dict.fromkeys(("ticket_value", "ticket_scope"), _SATELLITE),
    **dict.fromkeys(("ticket_days", "ticket_exchangeable"), _OWN_TICKETS),
    "tables_max": _SEVERAL_TABLES,
    **dict.fromkeys(("progressive_bp", "bounty_odd_to_cash", "bounties_at_end"), _BOUNTY),
    **dict.fromkeys(("cards_up_delay_ms", "cards_up_final_ms", "cards_up_consent"), _CARDS_UP),
    "cap_lift": {"limit": ["fixed_limit"]},
    **dict.fromkeys(
        ("bubble_places", "bubble_final", "bubble_charge_ms", "tie_rule"), _SEVERAL_TABLES
    ),
}
"""Options that matter only under some choices; all other options always matter."""


def say(widget: Widget, name: str) -> None:
    """Tell the form's script when to show an option."""
    if name in NEEDED:
        widget.attrs["data-needs"] = json.dumps(NEEDED[name])
