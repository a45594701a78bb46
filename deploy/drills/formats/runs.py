"""Runs of every format and option: specification, bots and expected results."""

from __future__ import annotations

from typing import Any

from deploy.drills.formats.run import STACK, FormatRun, quick
from tables.bots.habits import DEAL_KINDS, Habits


def _late(ends: str, value: int) -> FormatRun:
    """Return a run with late registration that ends in another of its ways (E-01)."""
    return FormatRun(
        f"late_{ends}",
        players=10,
        offer={"start": "scheduled", "late_ends": ends, "late_value": value},
        habits=Habits(late=20),
        wants={"happened.late_entries": 1},
    )


def _for_holders(players: int) -> dict[str, Any]:
    """Return the fields of a Sit & Go for that many winners of a ticket to it (K-02, K-08)."""
    field = {"players_min": players, "players_max": players}
    return {**field, "methods": "ticket", "activity": f"for {players} holders"}


def _deal(kind: str) -> FormatRun:
    """Return a run with a deal of one kind that every player accepts (Y-01, Y-02)."""
    return FormatRun(
        f"deal_{kind}",
        players=10,
        offer={"deals_allowed": True},
        # The run is one of the kinds of deals.
        habits=Habits(proposes=100, agrees=100, deals=(kind,)),  # type: ignore[arg-type]
        wants={"happened.deal": kind, "happened.ended_by": "deal"},
    )


_BUYERS = Habits(buys=85, declines=10, tops_up=100)

_LATE = {"start": "scheduled", "late_ends": "at_level"}

_BUYING = (
    FormatRun(
        "all_at_once",
        players=14,
        offer={
            **_LATE,
            "late_value": 6,
            "entries_max": 3,
            "several_at_once": True,
            "merge_at": 12,
            "rebuys_max": 2,
            "rebuy_threshold": "full",
            "rebuy_until_level": 6,
            "rebuy_price": 10_00,
            "add_on": True,
            "add_on_price": 10_00,
            "bounty": 5_00,
            "progressive_bp": 5_000,
            "pro_bounty": 3_00,
            "guarantee": 1_000_00,
            "methods": "money_and_tickets",
            "activity": "all at once",
            "deals_allowed": True,
        },
        habits=Habits(late=30, entries=3, buys=85, declines=10, tops_up=100),
        pros=3,
        wants={
            "happened.late_entries": 1,
            "happened.rebuys": 1,
            "happened.add_ons": 1,
            "happened.several_at_once": 1,
            "happened.merged": 1,
            "happened.heads_raised": 1,
        },
    ),
    FormatRun(
        "late_registration",
        players=14,
        offer={**_LATE, "late_value": 6, "entries_max": 2},
        habits=Habits(late=30, buys=85, declines=10),
        wants={"happened.late_entries": 1, "happened.reentries": 1},
    ),
    _late("at_time", 15_000),
    _late("at_left", 6),
    _late("at_first_out", 0),
    FormatRun(
        "rebuys",
        players=12,
        offer={
            "rebuys_max": 3,
            "rebuy_threshold": "full",
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
    FormatRun(
        "several_entries",
        players=10,
        offer={
            "start": "scheduled",
            "entries_max": 3,
            "several_at_once": True,
            "merge_at": 8,
            "seats_per_table": 5,
        },
        habits=Habits(entries=3),
        wants={"happened.several_at_once": 1, "happened.merged": 1},
    ),
)

_BOUNTIES = (
    FormatRun("knock_out", players=10, offer={"bounty": 5_00}, wants={"bounties.won": 50_00}),
    FormatRun(
        "progressive",
        players=10,
        offer={"bounty": 5_00, "progressive_bp": 5_000},
        wants={"bounties.won": 50_00, "happened.heads_raised": 1},
    ),
    FormatRun(
        "bounties_at_end",
        players=8,
        offer={"bounty": 5_01, "progressive_bp": 2_500, "bounties_at_end": True},
        wants={"bounties.won": 40_08, "happened.heads_raised": 1},
    ),
    FormatRun(
        "pro_bounty",
        players=8,
        offer={"pro_bounty": 3_00},
        pros=3,
        wants={"bounties.by_room": 6_00},
    ),
)

_TICKETS = (
    FormatRun(
        "super_satellite",
        players=12,
        offer={"format": "satellite"},
        leads_to="satellite",
        wants={"happened.tickets_won": 6},
    ),
    FormatRun(
        "satellite",
        players=12,
        offer={**_for_holders(6), "format": "satellite", "buy_in": 18_00, "fee": 2_00},
        leads_to="ticket_holders",
        wants={"happened.tickets_used": 6, "happened.tickets_won": 3},
    ),
    FormatRun(
        "ticket_holders",
        players=12,
        offer={**_for_holders(3), "buy_in": 28_00, "fee": 2_00},
        wants={"happened.tickets_used": 3},
    ),
)

_DEALS = (
    *(_deal(kind) for kind in DEAL_KINDS),
    FormatRun(
        "deal_refused",
        players=8,
        offer={"deals_allowed": True},
        habits=Habits(proposes=100, agrees=0),
        wants={"happened.deals_proposed": 1, "happened.ended_by": "play"},
    ),
)

_FORMATS = (
    FormatRun("sit_and_go", players=6, wants={"players": 6, "happened.places_paid": 2}),
    FormatRun(
        "shootout",
        players=9,
        seats=3,
        offer={"format": "shootout"},
        wants={"happened.rounds": 2},
    ),
    FormatRun(
        "spin", players=3, seats=3, offer={"format": "spin"}, wants={"happened.multiplier": 2}
    ),
    FormatRun("heads_up", players=2, seats=2, offer={"format": "heads_up"}, wants={"players": 2}),
    FormatRun(
        "fifty_fifty",
        players=6,
        offer={"format": "fifty_fifty"},
        wants={"happened.places_paid": 3},
    ),
    FormatRun(
        "double_or_nothing",
        players=6,
        offer={"format": "double_or_nothing"},
        wants={"happened.places_paid": 3},
    ),
    FormatRun(
        "limited_time",
        players=9,
        offer={"play_time_ms": 20_000, "starting_stack": 3_000},
        wants={"happened.ended_by": "time", "happened.left": 2},
    ),
    FormatRun(
        "limited_time_by_chips",
        players=9,
        offer={"play_time_ms": 20_000, "starting_stack": 3_000, "time_up": "proportional"},
        wants={"happened.ended_by": "time", "happened.left": 2},
    ),
)

_MONEY = (
    FormatRun(
        "freeroll",
        players=8,
        offer={"buy_in": 0, "fee": 0, "added": 50_00},
        wants={"happened.overlay": 50_00, "pool": 50_00},
    ),
    FormatRun(
        "private",
        players=6,
        password="for friends",  # nosec B106
        habits=Habits(password="for friends"),  # nosec B106
        wants={"happened.private": True, "players": 6},
    ),
    FormatRun(
        "guarantee",
        players=8,
        offer={"guarantee": 500_00},
        wants={"happened.overlay": 420_00, "pool": 500_00},
    ),
    FormatRun(
        "cash_value",
        players=6,
        offer={"cash_value": True, "buy_in": STACK, "payout_preset": "winner_takes_all"},
        habits=Habits(leaves=100),
        wants={"happened.left_with_stack": 1},
    ),
)

_GAMES = (
    FormatRun(
        "pot_limit_omaha",
        players=6,
        offer={"variant": "omaha", "limit": "pot_limit"},
        wants={"options.variant": "omaha", "options.limit": "pot_limit"},
    ),
    FormatRun(
        "stud",
        players=6,
        offer={"variant": "stud", "limit": "fixed_limit", **quick("stud")},
        wants={"options.variant": "stud", "options.limit": "fixed_limit"},
    ),
    FormatRun(
        "fixed_limit",
        players=6,
        offer={"limit": "fixed_limit"},
        wants={"options.limit": "fixed_limit"},
    ),
)

RUNS = (
    *_BUYING,
    *_BOUNTIES,
    *_TICKETS,
    *_DEALS,
    *_FORMATS,
    *_MONEY,
    *_GAMES,
)
"""All runs of `manage.py formats`, in order, long ones first."""


def by_name(names: list[str]) -> list[FormatRun]:
    """Return the runs of these names with their sources and targets; all for no names.

    Raises ValueError for an unknown name.
    """
    known = {run.name: run for run in RUNS}
    unknown = sorted(set(names) - known.keys())
    if unknown:
        raise ValueError(f"there is no run {unknown[0]}; there are {', '.join(known)}")
    wanted = set(names or known)
    leading = [run for run in RUNS if run.leads_to]
    for run in (*leading, *reversed(leading)):  # follow the chain down, then up
        if {run.name, run.leads_to} & wanted:
            wanted |= {run.name, run.leads_to}
    return [run for run in RUNS if run.name in wanted]
