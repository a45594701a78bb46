"""Conditions under which each option of an offer matters; the form hides other options."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.forms import Widget

from tournaments.engine.terms import FIXED_FIELD, ONE_TABLE, OWN_ENDING, SEATS_OF
from tournaments.models.buying import LateEnds
from tournaments.models.formats import Format
from tournaments.models.prizes import Methods
from tournaments.models.tournament import Start

Needed = Mapping[str, list[object]]
"""Names of other fields -> values that make an option relevant; `ABOVE_0` is any number above 0."""

ABOVE_0 = ">0"
ON = True
_TO_THE_LAST = [Format.FREEZEOUT, Format.HEADS_UP]


def _but(formats: frozenset[str]) -> Needed:
    return {"format": [choice.value for choice in Format if choice.value not in formats]}


_SELLS = _but(frozenset(FIXED_FIELD))
_SPIN: Needed = {"format": [Format.SPIN]}
_SATELLITE: Needed = {"format": [Format.SATELLITE]}
_OWN_TICKETS: Needed = {**_SATELLITE, "ticket_value": [ABOVE_0]}
_DEALS: Needed = {**_but(frozenset(OWN_ENDING)), "deals_allowed": [ON]}
_REBUYS: Needed = {**_SELLS, "rebuys_max": [ABOVE_0]}
_ADD_ON: Needed = {**_REBUYS, "add_on": [ON]}
_BOUNTY: Needed = {"bounty": [ABOVE_0]}
_TICKETS: Needed = {"methods": [Methods.TICKET, Methods.BOTH]}
_SCHEDULED: Needed = {**_SELLS, "start": [Start.SCHEDULED]}
_LATE: Needed = {
    **_SCHEDULED,
    "late_ends": [LateEnds.AT_LEVEL, LateEnds.AT_TIME, LateEnds.AT_LEFT],
}
_POOL = _but(frozenset({Format.SPIN, Format.DOUBLE_OR_NOTHING}))
_SEVERAL_TABLES = _but(frozenset(ONE_TABLE))

NEEDED: Mapping[str, Needed] = {
    "start": _SELLS,
    "starts_at": _SCHEDULED,
    "repeat_every_s": {**_SCHEDULED, "repeats": [ON]},
    "players_min": _SELLS,
    "players_max": _but(frozenset(SEATS_OF)),
    "added": _POOL,
    "guarantee": _POOL,
    "play_time_ms": {"format": list(_TO_THE_LAST)},
    "time_up": {"format": list(_TO_THE_LAST), "play_time_ms": [ABOVE_0]},
    "deals_allowed": _but(frozenset(OWN_ENDING)),
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
    "cash_value": {"format": list(_TO_THE_LAST)},
    **dict.fromkeys(("activity", "surplus_to", "ticket_back"), _TICKETS),
    **dict.fromkeys(("target", "winners_cash", "worth_if_registered"), _SATELLITE),
    **dict.fromkeys(("ticket_value", "ticket_scope"), _SATELLITE),
    **dict.fromkeys(("ticket_days", "ticket_exchangeable"), _OWN_TICKETS),
    "tables_max": _SEVERAL_TABLES,
    **dict.fromkeys(("progressive_bp", "bounty_odd_to_cash", "bounties_at_end"), _BOUNTY),
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
