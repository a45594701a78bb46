"""Options of an offered tournament that contradict each other, from any source (T-05)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tournaments.engine import entries, terms
from tournaments.engine.entries import LateRegistration
from tournaments.engine.formats import FORMATS
from tournaments.engine.payout_tables import BASIS_POINTS
from tournaments.engine.payouts import WINNER_TAKES_ALL
from tournaments.engine.structure import BlindStructure
from tournaments.engine.terms import FormatTerms


class OptionFields(Protocol):
    """The options of an offered tournament that limit others; money in cents, times in ms."""

    @property
    def format(self) -> str: ...
    @property
    def start(self) -> str: ...
    @property
    def starting_stack(self) -> int: ...
    @property
    def buy_in(self) -> int: ...
    @property
    def added(self) -> int: ...
    @property
    def guarantee(self) -> int: ...
    @property
    def payout_preset(self) -> str: ...
    @property
    def late(self) -> LateRegistration: ...
    @property
    def entries_max(self) -> int: ...
    @property
    def several_at_once(self) -> bool: ...
    @property
    def merge_at(self) -> int: ...
    @property
    def rebuys_max(self) -> int: ...
    @property
    def rebuy_until_level(self) -> int: ...
    @property
    def add_on(self) -> bool: ...
    @property
    def bounty(self) -> int: ...
    @property
    def progressive_bp(self) -> int: ...
    @property
    def pro_bounty(self) -> int: ...
    @property
    def play_time_ms(self) -> int: ...
    @property
    def time_up(self) -> str: ...
    @property
    def deals_allowed(self) -> bool: ...
    @property
    def cash_value(self) -> bool: ...
    def levels(self) -> BlindStructure: ...


class Contradiction(RuleRefusal):
    """Two options that cannot be offered together; `field` is the wrong one."""

    def __init__(self, code: str, field: str) -> None:
        super().__init__(code, MESSAGES[code], field=field)


def validate_options(offer: OptionFields, field: FormatTerms, *, players_limit: int) -> None:
    """Raise RuleRefusal for the first contradiction; `field` holds the offer's terms."""
    terms.validate_terms(field, players_limit=players_limit)
    entries.check_late(offer.late, reentry=offer.entries_max > 1)
    for rules in (_formats, _entries, _chips, cash_value):
        for code, name in rules(offer):
            raise Contradiction(code, name)
    if offer.late.ends == "at_left" and offer.late.value >= field.players_max:
        raise Contradiction("late_never_open", "late_value")
    if offer.merge_at >= field.players_max:
        raise Contradiction("merges_at_start", "merge_at")


def cash_value(offer: OptionFields) -> Iterator[tuple[str, str]]:
    """Contradictions that would part the pool in cents from the chips in play (A-04)."""
    if not offer.cash_value:
        return
    if offer.buy_in != offer.starting_stack:
        yield "cash_one_to_one", "buy_in"
    if not FORMATS[offer.format].plays_to_last:
        yield "cash_own_end", "format"
    if offer.play_time_ms:
        yield "cash_own_end", "play_time_ms"
    for name in ("entries_max", "late_ends", "rebuys_max", "add_on"):
        if _sells(offer, name):
            yield "cash_bought_once", name
    if offer.bounty or offer.pro_bounty:
        yield "cash_no_bounty", "bounty"
    for name in ("guarantee", "added"):
        if getattr(offer, name):
            yield "cash_pool_is_chips", name
    if offer.deals_allowed:
        yield "cash_no_deals", "deals_allowed"
    if offer.payout_preset != WINNER_TAKES_ALL:
        yield "cash_winner_takes_all", "payout_preset"


def _sells(offer: OptionFields, name: str) -> bool:
    """Return whether an option of that name sells entries or chips again or after the start."""
    if name == "late_ends":
        return offer.late.ends != "never_open"
    return bool(getattr(offer, name) > (1 if name == "entries_max" else 0))


def _formats(offer: OptionFields) -> Iterator[tuple[str, str]]:
    """Contradictions of formats that set their own prizes (F-05, F-07) or their end (T-11)."""
    rules = FORMATS[offer.format]
    if offer.play_time_ms and not rules.plays_to_last:
        yield "own_end", "play_time_ms"
    extra = offer.added or offer.guarantee
    if rules.draws_pool and extra:
        yield "spin_pool_is_drawn", "added"
    if rules.draws_pool and not offer.buy_in:
        yield "spin_without_buy_in", "buy_in"
    if rules.pays_double and extra:
        yield "double_pays_double", "added"


def _entries(offer: OptionFields) -> Iterator[tuple[str, str]]:
    """Contradictions of re-entry and of several entries at once (E-02, E-03)."""
    if offer.entries_max < 1:
        yield "no_entries", "entries_max"
    if offer.several_at_once and offer.entries_max < 2:
        yield "several_of_one", "entries_max"
    late = offer.late.ends != "never_open"
    if offer.entries_max > 1 and not late and not offer.several_at_once:
        yield "reentry_without_late", "late_ends"
    if offer.merge_at and not offer.several_at_once:
        yield "nothing_merges", "merge_at"
    if offer.late.ends == "at_level" and offer.late.value > len(offer.levels().levels):
        yield "late_without_level", "late_value"


def _chips(offer: OptionFields) -> Iterator[tuple[str, str]]:
    """Contradictions of re-buys, add-ons and bounties (E-04, E-05, N-04).

    The last level has no end, so that no add-on follows re-buys that last through it (L-05).
    """
    levels = len(offer.levels().levels)
    if offer.rebuys_max and not offer.rebuy_until_level:
        yield "rebuys_without_end", "rebuy_until_level"
    if offer.rebuys_max and offer.rebuy_until_level > levels:
        yield "rebuys_without_level", "rebuy_until_level"
    if offer.add_on and not offer.rebuys_max:
        yield "add_on_without_rebuys", "add_on"
    if offer.add_on and offer.rebuy_until_level == levels:
        yield "add_on_after_last_level", "add_on"
    if not offer.bounty and offer.progressive_bp < BASIS_POINTS:
        yield "progressive_without_bounty", "bounty"


_BOUGHT_ONCE = _("Chips with cash value are bought once, at the start.")
_ONE_TO_ONE = _("Chips with cash value are bought one to one: buy-in and stack are the same.")
_OWN_END = _("Chips with cash value are played in a freezeout or heads-up without a time limit.")
_POOL_IS_CHIPS = _("The pool of chips with cash value is the chips: nothing can be added to it.")

MESSAGES = {
    "own_end": _("This format has an end of its own: its play time is not limited."),
    "spin_pool_is_drawn": _("The pool of a spin is drawn: nothing can be added to it."),
    "spin_without_buy_in": _("A spin has a buy-in: its pool is a multiple of it."),
    "double_pays_double": _("Double or nothing pays twice the buy-in: nothing can be added to it."),
    "no_entries": _("Every player has at least one entry."),
    "several_of_one": _("Several entries at once need more than one entry per player."),
    "reentry_without_late": _("Re-entry needs late registration."),
    "nothing_merges": _("Only several entries at once can merge."),
    "late_without_level": _("Late registration ends at a level that the structure does not have."),
    "late_never_open": _("No more players enter than that: late registration would never be open."),
    "merges_at_start": _("No more players enter than that: their entries would merge at once."),
    "rebuys_without_end": _("Re-buys need the last level they are sold in."),
    "add_on_without_rebuys": _("An add-on is sold at the end of a re-buy period: there is none."),
    "rebuys_without_level": _("Re-buys are sold through a level that the structure does not have."),
    "add_on_after_last_level": _(
        "An add-on is sold after the last level of re-buys: the last of the structure never ends."
    ),
    "progressive_without_bounty": _("A progressive bounty needs a bounty."),
    "cash_one_to_one": _ONE_TO_ONE,
    "cash_own_end": _OWN_END,
    "cash_bought_once": _BOUGHT_ONCE,
    "cash_no_bounty": _("Chips with cash value are all that is paid: there are no bounties."),
    "cash_pool_is_chips": _POOL_IS_CHIPS,
    "cash_no_deals": _("Who has chips with cash value leaves with them: there are no deals."),
    "cash_winner_takes_all": _(
        "With chips of cash value who is left has the rest: winner takes all."
    ),
}
"""Sentence of each code."""
