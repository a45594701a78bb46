"""Options of a simulated tournament: the fields of an offer, and its players' behaviour."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from config import limits
from tables.engine.events import CapLift
from tournaments.engine import contradictions, games, payouts
from tournaments.engine.deals import ByChips, Kind
from tournaments.engine.entries import LateEnds, LateRegistration, Rebuys, Threshold
from tournaments.engine.formats import FORMATS, Format, FormatRules
from tournaments.engine.places import RoundTies
from tournaments.engine.presets import PRESETS
from tournaments.engine.structure import BlindStructure, for_stud, timed
from tournaments.engine.terms import FormatTerms, Start

STUD = "stud"
USUAL_PLAYERS = 27


class SimulationOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An offer under the names of its row (money in cents, times in ms), and its players.

    `players` have registered at the start (0: the usual number of the format), `late_players` come
    while entries are open. The last group sets probabilities of players: to buy again, to propose
    and accept a deal, to leave with chips of cash value before a hand; and the room's
    interventions.
    """

    format: Format = "freezeout"
    start: Start = "scheduled"
    players: int = 0
    late_players: int = 0
    seats_per_table: int = 9
    tables_max: int = 0
    variant: str = "holdem"
    limit: str = "no_limit"
    s0_order: bool = False
    cap_lift: CapLift = "last_street"
    muck_secret: bool = False
    structure: str = "turbo"
    level_ms: int = 0
    starting_stack: int = 0

    buy_in: int = 10_00
    fee: int = 1_00
    added: int = 0
    guarantee: int = 0
    payout_preset: str = "classic"
    ticket_value: int = 0
    winners_cash: bool = True

    late_ends: LateEnds = "never_open"
    late_value: int = 0
    entries_max: int = 1
    several_at_once: bool = False
    merge_at: int = 0
    offer_ms: int = 20_000
    rebuys_max: int = 0
    rebuy_threshold: Threshold = "zero"
    rebuy_until_level: int = 0
    rebuy_price: int = 10_00
    rebuy_fee: int = 0
    rebuy_chips: int = 0
    add_on: bool = False
    add_on_price: int = 10_00
    add_on_fee: int = 0
    add_on_chips: int = 0
    cash_value: bool = False

    bounty: int = 0
    progressive_bp: int = 10_000
    bounty_odd_to_cash: bool = True
    bounties_at_end: bool = False
    pro_bounty: int = 0

    bubble_places: int = 1
    bubble_final: int = 0
    bubble_charge_ms: int = 60_000
    tie_rule: RoundTies = "by_stack"
    play_time_ms: int = 0
    time_up: Literal["table", "proportional"] = "table"
    deals_allowed: bool = False
    deal_by_chips: ByChips = "within_prizes"
    deal_kinds: tuple[Kind, ...] = ()

    think_ms: int = 5_000
    buys_again_percent: int = 70
    deal_percent: int = 20
    pros_percent: int = 10
    leave_percent: int = 10
    cancel: Literal["", "roll_back", "roll_forward"] = ""
    cancel_after_hands: int = 0
    disqualify_after_hands: int = 0

    @property
    def late(self) -> LateRegistration:
        """Late registration as the engine reads it."""
        return LateRegistration(self.late_ends, self.late_value)

    @property
    def format_rules(self) -> FormatRules:
        """Rules in which the format differs from others."""
        return FORMATS[self.format]

    @property
    def rebuys(self) -> Rebuys | None:
        """Re-buys as the engine reads them; None without re-buys (E-04)."""
        if not self.rebuys_max:
            return None
        return Rebuys(self.rebuy_threshold, self.rebuys_max, self.rebuy_until_level)

    @property
    def sells(self) -> bool:
        """Return whether anything is sold after the start: the pool is then fixed later (E-07)."""
        return self.late_ends != "never_open" or self.rebuys_max > 0 or self.add_on

    def levels(self) -> BlindStructure:
        """Return the levels of the tournament."""
        structure = PRESETS[self.structure].structure
        if self.variant.startswith(STUD):
            structure = for_stud(structure)
        return timed(structure, level_ms=self.level_ms) if self.level_ms else structure


def field_size(options: SimulationOptions) -> tuple[int, int]:
    """Return the least and most players; a scheduled tournament has room for late players."""
    if options.start == "sit_and_go":
        return options.players, options.players
    most = options.players * 4
    if options.tables_max:
        most = max(options.players, min(most, options.tables_max * options.seats_per_table))
    return min(2, options.players), most


def validate_simulation(options: SimulationOptions) -> SimulationOptions:
    """Return the options completed, if playable; raise RuleRefusal otherwise."""
    rules = options.format_rules
    if rules.fixed_field:
        options = replace(options, start="sit_and_go")
    options = replace(options, players=options.players or _usual_players(options))
    if rules.players:
        options = replace(options, seats_per_table=options.players)
    games.validate_game(options.variant, options.limit, options.seats_per_table)
    stack = options.starting_stack or PRESETS[options.structure].starting_stack
    options = replace(options, starting_stack=stack)
    least, most = field_size(options)
    contradictions.validate_options(
        options,
        FormatTerms(
            format=options.format,
            start=options.start,
            players_min=least,
            players_max=most,
            seats_per_table=options.seats_per_table,
            late_registration=options.late_ends != "never_open",
            buying=options.sells or options.entries_max > 1,
            time_limit=options.play_time_ms > 0,
            deals=options.deals_allowed,
            tables_max=options.tables_max,
            entries_at_once=options.entries_max if options.several_at_once else 1,
        ),
        players_limit=limits.ENTRIES_MAX,
    )
    if rules.pays_tickets:
        options = replace(options, ticket_value=options.ticket_value or 10 * options.buy_in)
        payouts.check_ticket(options.ticket_value)
    return replace(
        options,
        rebuy_chips=options.rebuy_chips or stack,
        add_on_chips=options.add_on_chips or stack,
    )


def _usual_players(options: SimulationOptions) -> int:
    """Return the default number of players: the set number, a full table, or three tables."""
    if options.format_rules.players:
        return options.format_rules.players
    if options.format_rules.one_table:
        return options.seats_per_table // 2 * 2
    return USUAL_PLAYERS
