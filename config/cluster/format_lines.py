"""Every format and option once: what is offered, to which bots, and what must come of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tables.swarm.habits import DEAL_KINDS, Habits
from tournaments.engine.presets import PRESETS
from tournaments.engine.structure import Structure, timed
from tournaments.models.structure import encoded

LEVEL_MS = 5_000
STACK = 600
Wanted = int | str | bool


class Line(msgspec.Struct, frozen=True):
    """One tournament of `players` bots; `pros` of them are PRO, fields of `offer` as in `--offer`.

    `wants` says by path in the report what must have happened: a number at least, a word or a mark
    exactly. A satellite names the line it `leads_to`, which its players play when it is over.
    """

    name: str
    players: int
    wants: Mapping[str, Wanted]
    offer: Mapping[str, Any] = {}
    seats: int = 6
    habits: Habits = Habits()
    password: str = ""
    pros: int = 0
    leads_to: str = ""


def by_name(names: list[str]) -> list[Line]:
    """The lines of these names, with those that lead to them or that they lead to; all for none.

    Raises ValueError for a name that is none.
    """
    known = {line.name: line for line in LINES}
    unknown = sorted(set(names) - known.keys())
    if unknown:
        raise ValueError(f"there is no line {unknown[0]}; there are {', '.join(known)}")
    wanted = set(names or known)
    for line in LINES:
        if line.leads_to and {line.name, line.leads_to} & wanted:
            wanted |= {line.name, line.leads_to}
    return [line for line in LINES if line.name in wanted]


def quick(preset: str = "turbo") -> dict[str, Any]:
    """Levels of a preset of a few seconds each, without breaks, and few chips to start with."""
    levels = Structure(items=PRESETS[preset].structure.levels)
    return {
        "structure": encoded(timed(levels, level_ms=LEVEL_MS)),
        "starting_stack": STACK,
        "bubble_charge_ms": 1_000,
        "offer_ms": 4_000,
        "deal_vote_ms": 10_000,
    }


def _deal(kind: str) -> Line:
    return Line(
        f"deal_{kind}",
        players=10,
        offer={"deals_allowed": True},
        habits=Habits(proposes=100, agrees=100, deals=(kind,)),  # type: ignore[arg-type]
        wants={"happened.deal": kind, "happened.ended_by": "deal"},
    )


_BUYERS = Habits(buys=85, declines=10, tops_up=70)

_BUYING = (
    Line(
        "late_registration",
        players=14,
        offer={"start": "scheduled", "late_ends": "at_level", "late_value": 6, "entries_max": 2},
        habits=Habits(late=30, buys=85, declines=10),
        wants={"happened.late_entries": 1, "happened.reentries": 1},
    ),
    Line(
        "rebuys",
        players=12,
        offer={
            "rebuys_max": 3,
            "rebuy_threshold": "half",
            "rebuy_until_level": 6,
            "rebuy_price": 10_00,
            "rebuy_fee": 50,
            "add_on": True,
            "add_on_price": 10_00,
            "add_on_chips": 900,
        },
        habits=_BUYERS,
        wants={"happened.rebuys": 1, "happened.rebuys_asked": 1, "happened.add_ons": 1},
    ),
    Line(
        "several_entries",
        players=10,
        offer={
            "start": "scheduled",
            "entries_max": 3,
            "several_at_once": True,
            "merge_at": 4,
            "seats_per_table": 5,
        },
        habits=Habits(entries=3),
        wants={"happened.several_at_once": 1, "happened.merged": 1},
    ),
)

_BOUNTIES = (
    Line("knock_out", players=10, offer={"bounty": 5_00}, wants={"bounties.won": 50_00}),
    Line(
        "progressive",
        players=10,
        offer={"bounty": 5_00, "progressive_bp": 5_000},
        wants={"bounties.won": 50_00, "happened.heads_raised": 1},
    ),
    Line(
        "pro_bounty",
        players=8,
        offer={"pro_bounty": 3_00},
        pros=3,
        wants={"bounties.by_room": 6_00},
    ),
)

_TICKETS = (
    Line(
        "satellite",
        players=12,
        offer={"format": "satellite"},
        leads_to="ticket_holders",
        wants={"happened.tickets_won": 4},
    ),
    Line(
        "ticket_holders",
        players=12,
        offer={
            "players_min": 4,
            "players_max": 4,
            "buy_in": 28_00,
            "fee": 2_00,
            "methods": "ticket",
            "activity": "ticket holders",
        },
        wants={"happened.tickets_used": 4},
    ),
)

_FORMATS = (
    Line("sit_and_go", players=6, wants={"players": 6, "happened.places_paid": 2}),
    Line(
        "shootout",
        players=9,
        seats=3,
        offer={"format": "shootout"},
        wants={"happened.rounds": 2},
    ),
    Line("spin", players=3, seats=3, offer={"format": "spin"}, wants={"happened.multiplier": 2}),
    Line("heads_up", players=2, seats=2, offer={"format": "heads_up"}, wants={"players": 2}),
    Line(
        "fifty_fifty",
        players=6,
        offer={"format": "fifty_fifty"},
        wants={"happened.places_paid": 3},
    ),
    Line(
        "double_or_nothing",
        players=6,
        offer={"format": "double_or_nothing"},
        wants={"happened.places_paid": 3},
    ),
    Line(
        "limited_time",
        players=9,
        offer={"play_time_ms": 20_000, "starting_stack": 3_000},
        wants={"happened.ended_by": "time", "happened.left": 2},
    ),
    Line(
        "limited_time_by_chips",
        players=9,
        offer={"play_time_ms": 20_000, "starting_stack": 3_000, "time_up": "proportional"},
        wants={"happened.ended_by": "time", "happened.left": 2},
    ),
)

_MONEY = (
    Line(
        "freeroll",
        players=8,
        offer={"buy_in": 0, "fee": 0, "added": 50_00},
        wants={"happened.overlay": 50_00, "pool": 50_00},
    ),
    Line(
        "private",
        players=6,
        password="for friends",  # nosec B106
        habits=Habits(password="for friends"),  # nosec B106
        wants={"happened.private": True, "players": 6},
    ),
    Line(
        "guarantee",
        players=8,
        offer={"guarantee": 500_00},
        wants={"happened.overlay": 420_00, "pool": 500_00},
    ),
    Line(
        "cash_value",
        players=6,
        offer={"cash_value": True, "buy_in": STACK, "payout_preset": "winner_takes_all"},
        habits=Habits(leaves=100),
        wants={"happened.left_with_stack": 1},
    ),
)

_GAMES = (
    Line(
        "pot_limit_omaha",
        players=6,
        offer={"variant": "omaha", "limit": "pot_limit"},
        wants={"options.variant": "omaha", "options.limit": "pot_limit"},
    ),
    Line(
        "stud",
        players=6,
        offer={"variant": "stud", "limit": "fixed_limit", **quick("stud")},
        wants={"options.variant": "stud", "options.limit": "fixed_limit"},
    ),
    Line(
        "fixed_limit",
        players=6,
        offer={"limit": "fixed_limit"},
        wants={"options.limit": "fixed_limit"},
    ),
)

LINES = (
    *_BUYING,
    *_BOUNTIES,
    *_TICKETS,
    *(_deal(kind) for kind in DEAL_KINDS),
    *_FORMATS,
    *_MONEY,
    *_GAMES,
)
"""Everything `manage.py formats` plays, in this order; what takes long stands first."""
