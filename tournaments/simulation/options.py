"""What a simulated tournament is made of: the fields of an offer, and how its players behave."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from config import limits
from tables.engine.events import CapLift
from tables.engine.variants import VARIANTS
from tournaments.engine import contradictions, terms
from tournaments.engine.entries import LateEnds, LateRegistration, Rebuys, Threshold
from tournaments.engine.payout_tables import PRESETS as PAYOUTS
from tournaments.engine.payouts import WINNER_TAKES_ALL
from tournaments.engine.places import RoundTies
from tournaments.engine.presets import PRESETS
from tournaments.engine.refusals import Refusal
from tournaments.engine.structure import Structure, for_stud, timed
from tournaments.engine.terms import Format, Start, Terms

STUD = "stud"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An offer under the names of its row (money in cents, times in ms), and its players.

    `players` have registered at the start, `late_players` come while entries are open. The last
    group is about people: how likely they are to buy again, to propose and accept a deal, to leave
    with chips of cash value before a hand, and what the room does to the tournament on the way.
    """

    format: Format = "freezeout"
    start: Start = "scheduled"
    players: int = 27
    late_players: int = 0
    seats_per_table: int = 9
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
    def rebuys(self) -> Rebuys | None:
        """Re-buys as the engine reads them; None when there are none."""
        if not self.rebuys_max:
            return None
        return Rebuys(self.rebuy_threshold, self.rebuys_max, self.rebuy_until_level)

    @property
    def sells(self) -> bool:
        """Whether anything can be bought after the start: then the pool is fixed later (E-07)."""
        return self.late_ends != "never_open" or self.rebuys_max > 0 or self.add_on

    def levels(self) -> Structure:
        """The levels it is played with."""
        structure = PRESETS[self.structure].structure
        if self.variant.startswith(STUD):
            structure = for_stud(structure)
        return timed(structure, level_ms=self.level_ms) if self.level_ms else structure


def sound(options: Options) -> Options:
    """The same options, complete, when such a tournament can be played; raises a Refusal else."""
    if options.structure not in PRESETS:
        raise Refusal("no_structure", f"The structures are {', '.join(PRESETS)}.")
    if options.payout_preset not in (*PAYOUTS, WINNER_TAKES_ALL):
        raise Refusal("no_payouts", f"The payouts are {', '.join(PAYOUTS)}, {WINNER_TAKES_ALL}.")
    if options.variant not in VARIANTS:
        raise Refusal("no_variant", f"The variants are {', '.join(VARIANTS)}.")
    if options.seats_per_table > VARIANTS[options.variant].seats_max:
        raise Refusal("bad_seats", f"{options.variant} has fewer seats at a table.")
    if options.format in terms.ONE_TABLE:
        players = terms.SEATS_OF.get(options.format, min(options.players, options.seats_per_table))
        options = replace(options, players=players, seats_per_table=players)
    if options.format in terms.FIXED_FIELD:
        options = replace(options, start="sit_and_go")
    if options.structure == STUD and not options.variant.startswith(STUD):
        raise Refusal("stud_levels", "The levels of stud are for games of stud.")
    stack = options.starting_stack or PRESETS[options.structure].starting_stack
    options = replace(options, starting_stack=stack)
    field = options.players if options.start == "sit_and_go" else options.players * 4
    contradictions.check(
        options,
        Terms(
            format=options.format,
            start=options.start,
            players_min=field if options.start == "sit_and_go" else min(2, options.players),
            players_max=field,
            seats_per_table=options.seats_per_table,
            late_registration=options.late_ends != "never_open",
            buying=options.sells or options.entries_max > 1,
            time_limit=options.play_time_ms > 0,
            deals=options.deals_allowed,
        ),
        players_limit=limits.ENTRIES_MAX,
    )
    _check_money(options)
    if options.format == "satellite":
        options = replace(options, ticket_value=options.ticket_value or 10 * options.buy_in)
        if not options.ticket_value:
            raise Refusal("worthless_ticket", "The ticket of a satellite is worth something.")
    return replace(
        options,
        rebuy_chips=options.rebuy_chips or stack,
        add_on_chips=options.add_on_chips or stack,
    )


def parsed(words: list[str], given: dict[str, Any]) -> Options:
    """Options of `name=value` words and of what was given otherwise; raises a Refusal."""
    values: dict[str, Any] = dict(given)
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Refusal("bad_option", f"An option reads name=value, not {word}.")
        values[name] = value
    try:
        return sound(msgspec.convert(values, Options, strict=False))
    except msgspec.ValidationError as wrong:
        raise Refusal("bad_option", str(wrong)) from wrong


def _check_money(options: Options) -> None:
    amounts = (
        *(options.buy_in, options.fee, options.added, options.guarantee, options.bounty),
        *(options.rebuy_price, options.rebuy_fee, options.add_on_price, options.add_on_fee),
        *(options.pro_bounty, options.ticket_value),
    )
    if min(amounts) < 0 or max(amounts) > limits.TRANSFER_MAX_CENTS:
        raise Refusal("bad_amount", "Amounts of money lie between nothing and 10^12 cents.")
    if not 0 <= options.progressive_bp <= 10_000:
        raise Refusal("bad_part", "The part of a bounty paid at once lies between 0 and 10,000.")
