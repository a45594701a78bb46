"""The words people read for the states and games of tournaments."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

SHOWN = {
    "registering": _("Registration open"),
    "late_registration": _("Late registration"),
    "final_table": _("Final table"),
    "running": _("Running"),
    "break": _("Break"),
    "paused": _("Paused"),
    "frozen": _("Interrupted"),
    "announced": _("Announced"),
    "finished": _("Finished"),
    "cancelled": _("Cancelled"),
}
"""A state as it is shown, in the order in which a list is sorted by it."""

GAMES = {
    "holdem": _("Hold'em"),
    "omaha": _("Omaha"),
    "omaha5": _("5-Card Omaha (2+3)"),
    "omaha5_house": _("5-Card Omaha (3+2)"),
    "omaha_hilo": _("Omaha Hi-Lo"),
    "omaha5_hilo": _("5-Card Omaha Hi-Lo"),
    "stud": _("Seven Card Stud"),
    "stud_hilo": _("Seven Card Stud Hi-Lo"),
}
"""The games by variant; five-card Omaha says how many cards count of hand and board (O-02)."""

LIMITS = {
    "no_limit": _("No-Limit"),
    "pot_limit": _("Pot-Limit"),
    "fixed_limit": _("Limit"),
    "spread_limit": _("Spread-Limit"),
}


def game(variant: str, limit: str) -> str:
    """The game in two words, e.g. No-Limit Hold'em."""
    return f"{LIMITS.get(limit, limit)} {GAMES.get(variant, variant)}"


REFUSED = {
    "bad_field": _("The number of players does not fit the format."),
    "bad_seats": _("A table has between 2 and 10 seats."),
    "late_sit_and_go": _("A Sit & Go has no late registration."),
    "one_table": _("This format is played at a single table."),
    "odd_field": _("This format needs an even number of players."),
    "set_number": _("This format starts as soon as a set number is registered."),
    "no_buying": _("This format has no entries or chips to buy after the start."),
    "no_shootout": _("A shootout needs two players and two seats at a table."),
    "too_many_rounds": _("A shootout of so many players has too many rounds."),
    "bad_odds": _("Multipliers and their odds are above zero."),
    "odds_not_whole": _("The odds add up to exactly 100,000."),
    "not_100_percent": _("The split of a spin adds up to 100 % for three at most."),
    "unknown_deal": _("A deal shares equally, by chips, or by ICM."),
    "nothing_to_deal": _("There is nothing left that could be shared."),
    "own_end_no_deals": _("This format has its own ending; there is nothing to deal about."),
    "no_time_limit": _("This format has its own ending; it takes no time limit."),
    "own_end": _("This format has an end of its own: its play time is not limited."),
    "spin_pool_is_drawn": _("The pool of a spin is drawn: nothing can be added to it."),
    "spin_without_buy_in": _("A spin has a buy-in: its pool is a multiple of it."),
    "double_pays_double": _("Double or nothing pays twice the buy-in: nothing can be added to it."),
    "no_entries": _("Every player has at least one entry."),
    "several_of_one": _("Several entries at once need more than one entry per player."),
    "reentry_without_late": _("Re-entry needs late registration."),
    "nothing_merges": _("Only several entries at once can merge."),
    "rebuys_without_end": _("Re-buys need the last level they are sold in."),
    "add_on_without_rebuys": _("An add-on is sold at the end of a re-buy period: there is none."),
    "progressive_without_bounty": _("A progressive bounty needs a bounty."),
    "cash_one_to_one": _(
        "Chips with cash value are bought one to one: buy-in and stack are the same."
    ),
    "cash_own_end": _(
        "Chips with cash value are played in a freezeout or heads-up without a time limit."
    ),
    "cash_bought_once": _("Chips with cash value are bought once, at the start."),
    "cash_no_bounty": _("Chips with cash value are all that is paid: there are no bounties."),
    "cash_pool_is_chips": _(
        "The pool of chips with cash value is the chips: nothing can be added to it."
    ),
    "cash_no_deals": _("Who has chips with cash value leaves with them: there are no deals."),
    "cash_winner_takes_all": _(
        "With chips of cash value who is left has the rest: winner takes all."
    ),
}
"""What the pure rules refuse, by code: they have no languages of their own."""


def refused(refusal: Any) -> str:
    """The sentence of a refusal in the reader's language, whoever refused."""
    return str(REFUSED.get(refusal.code, refusal.message))
